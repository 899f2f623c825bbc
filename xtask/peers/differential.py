#!/usr/bin/env python3
"""Plays reproducible random games with other programs, for our tests to replay.

Writes testdata/differential/NAME.txt: blocks of a `spec` and a `source` line
followed by one line `SEED PLIES FOLD SCORES` per game.

The game of a seed: at each position the legal moves are written in our
notation and sorted by bytes; of n moves, number mix(seed, ply) % n is played
(counting from 0), where mix is the splitmix64 output function of
(seed * 0x9E3779B97F4A7C15 + ply) mod 2^64.  PLIES is the number of moves
played.  FOLD is the 64-bit FNV-1a (16 hex digits) over, for each position that
a move was played from, the sorted move texts joined by one space, and a line
feed.  SCORES are the final scores, first player first.  A game is cut
where the other program's rules and ours differ: its scores are `-`, and the
position after the last ply is not checked.
"""

import argparse
import os
import sys
import time

import peers

# Per file: notes for its header, and (spec, peer, games).
PLAN = {
    "tictactoe": ([], [("tictactoe", None, 2000)]),
    "connect4": ([], [
        ("connect4:7x6", None, 2000), ("connect4:5x4", None, 1000),
        ("connect4:6x5", None, 1000), ("connect4:8x7", None, 1000),
        ("connect4:4x4", None, 1000), ("connect4:10x9", None, 1000),
        ("connect4:9x4", None, 1000), ("connect4:4x9", None, 1000),
        ("connect4:3x6", None, 300), ("connect4:7x1", None, 100)]),
    "breakthrough": ([
        "Boards of fewer than six rows come from Fairy-Stockfish, told to play",
        "there with two rows of pieces each (open_spiel gives one row each)."], [
        ("breakthrough:8x8", None, 2000), ("breakthrough:6x6", None, 2000),
        ("breakthrough:5x6", None, 1000), ("breakthrough:4x8", None, 1000),
        ("breakthrough:3x6", None, 1000), ("breakthrough:7x7", None, 1000),
        ("breakthrough:6x8", None, 1000), ("breakthrough:18x8", None, 1000),
        ("breakthrough:9x7", None, 1000),
        ("breakthrough:5x5", "pyffish", 500),
        ("breakthrough:4x5", "pyffish", 300),
        ("breakthrough:5x4", "pyffish", 300)]),
    "knightthrough": ([
        "Fairy-Stockfish told to play Breakthrough with forward knights."], [
        ("knightthrough:8x8", "pyffish", 500),
        ("knightthrough:6x6", "pyffish", 300),
        ("knightthrough:5x6", "pyffish", 300),
        ("knightthrough:5x5", "pyffish", 300)]),
    "othello": ([
        "Scores: discs on the final board, empty cells to the winner.",
        "Fairy-Stockfish ends only after two passes; these are not played."], [
        ("othello:8", None, 2000)]),
    "othello-small": ([
        "Scores: discs on the final board, empty cells to the winner.",
        "Fairy-Stockfish ends only after two passes; these are not played."], [
        ("othello:8", "pyffish", 100),
        ("othello:6", "pyffish", 500), ("othello:4", "pyffish", 500)]),
    "hex": ([], [
        ("hex:11", None, 2000), ("hex:7", None, 2000), ("hex:3", None, 1000),
        ("hex:5x4", None, 1000), ("hex:4x5", None, 1000),
        ("hex:2x7", None, 1000), ("hex:9x3", None, 1000),
        ("hex:2", None, 100), ("hex:13", None, 1000),
        ("hex:3,swap", None, 1000), ("hex:5,swap", None, 1000)]),
    "go": ([
        "open_spiel lets a stone that breaks positional superko be played and",
        "calls the game a draw: such stones are left out of the move lists.",
        "Scores: half points of the final board's areas, after komi."], [
        ("go:9", None, 1000), ("go:5", None, 1000), ("go:3", None, 2000),
        ("go:2", None, 1000), ("go:4,komi=0.5", None, 1000),
        ("go:7,komi=3.5", None, 500), ("go:13", None, 200)]),
    "gomoku": ([], [
        ("gomoku:15,free", None, 2000), ("gomoku:9,free", None, 1000),
        ("gomoku:19,free", None, 1000),
        ("gomoku:4x3,free,k=3", None, 1000), ("gomoku:3x5,free,k=3", None, 1000),
        ("gomoku:5x4,free,k=4", None, 1000), ("gomoku:7x6,free,k=4", None, 1000),
        ("gomoku:6,free,k=5", None, 1000), ("gomoku:6,free,k=6", None, 1000),
        ("gomoku:10x6,free,k=5", None, 1000)]),
    "awari": ([
        "Scores: difference of the two stores at the end.  At every end, also",
        "when one side has more than 24, open_spiel first gives each side the",
        "seeds that are left in its own row."], [
        ("awari:rules=oware", None, 2000)]),
    "loa": ([
        "Cut at the second occurrence of a position (open_spiel: a draw) and",
        "where a side has no move (open_spiel: a loss)."], [
        ("loa:8,both=mover", None, 1000)]),
    "morpion": ([
        "open_spiel has a board of 13x13: games are cut when a point is added",
        "on its edge."], [
        ("morpion:rules=4d", None, 1000)]),
    "minishogi": ([
        "A fourth occurrence of a position ends the game: Fairy-Stockfish's",
        "verdict is the rule of the 5x5 shogi federation, which is ours too.",
        "Cut after 1000 plies (Fairy-Stockfish knows no such limit)."], [
        ("minishogi", None, 1000)]),
    "lion": ([
        "Cut at the third occurrence of a position (Fairy-Stockfish draws at",
        "the fourth), and where a lion on the far rank is no longer attacked",
        "after a move of the opponent (Fairy-Stockfish: it wins at once)."], [
        ("lion", None, 2000), ("lion:try=any", None, 1000)]),
}


def play_game(game, seed):
    """Plays the game of a seed and returns its line."""
    play, fold, ply = game.play(), peers.FNV_START, 0
    while moves := play.moves():
        texts = sorted(moves)
        fold = peers.fnv1a((" ".join(texts) + "\n").encode("ascii"), fold)
        play.play(moves[texts[peers.mix(seed, ply) % len(texts)]])
        ply += 1
    scores = play.scores()
    scores = "-" if scores is None else ",".join(map(str, scores))
    return f"{seed} {ply} {fold:016x} {scores}"


def write(name, directory, limit):
    notes, blocks = PLAN[name]
    lines = ["# Pseudo-random games of other programs, written by "
             "xtask/peers/differential.py,",
             "# which also explains the format: SEED PLIES FOLD SCORES."]
    lines += ["# " + note for note in notes]
    for spec, peer, games in blocks:
        game = peers.load(spec, peer)
        lines += ["", f"spec {spec}", f"source {game.source}"]
        for seed in range(1, min(games, limit or games) + 1):
            lines.append(play_game(game, seed))
    path = os.path.join(directory, f"{name}.txt")
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    return path


def main():
    names = sorted(PLAN)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="files to write (default: all): " + " ".join(names))
    parser.add_argument("--out", default=None, metavar="DIR",
                        help="directory (default: testdata/differential)")
    parser.add_argument("--games", type=int, default=0, metavar="N",
                        help="at most N games per spec (default: as planned)")
    options = parser.parse_args()
    for name in options.names:
        if name not in names:
            parser.error(f"no plan for {name!r}; available: {' '.join(names)}")
    if options.games < 0:
        parser.error("--games must not be negative")
    directory = options.out or os.path.join(
        peers.REPOSITORY, "testdata", "differential")
    os.makedirs(directory, exist_ok=True)
    for name in options.names or names:
        begin = time.monotonic()
        path = write(name, directory, options.games)
        print(f"{os.path.relpath(path)}: {time.monotonic() - begin:.0f} s",
              flush=True)


if __name__ == "__main__":
    try:
        main()
    except peers.PeerError as error:
        sys.exit(f"differential.py: {error}")
