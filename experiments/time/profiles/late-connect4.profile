# 40 ms for 13 turns, then 4 ms: about ten plies before the mean end of a game in the source.
40
40
40
40
40
40
40
40
40
40
40
40
40
4
