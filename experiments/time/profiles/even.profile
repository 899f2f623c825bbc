# 40 ms for every turn.
40
