#!/usr/bin/env python3
"""Counts perft with other programs and writes testdata/perft/NAME.perft.

A leaf is a sequence of exactly D moves from the position.  A game that ends
before D moves counts as zero, one that ends exactly with move D as one.
The last ply is counted without being played.

Each file is a list of blocks:

    spec breakthrough:8x8
    position start
    source open_spiel 2.0.2, breakthrough(rows=8,columns=8)
    perft 1 22
    perft 2 484

`position` is `start` or a position text, optionally followed by
` moves m1 m2 ...`.  Positions after the start come from the random games of
differential.py, so they are the same on every run.
"""

import argparse
import os
import sys
import time

import peers

# Per file: (spec, peer, leaves, [(seed, plies), ...], second peer and depth).
# `leaves` is roughly the largest count from the start position.
PLAN = {
    "tictactoe": [
        ("tictactoe", None, 10 ** 6, [(1, 2), (2, 3), (3, 4), (4, 5)], None)],
    "connect4": [
        ("connect4:7x6", None, 4 * 10 ** 7, [(1, 8), (2, 14), (3, 20), (4, 27)], None),
        ("connect4:5x4", None, 10 ** 6, [(1, 6), (2, 10), (6, 13)], None),
        ("connect4:6x5", None, 10 ** 6, [(1, 9), (2, 15)], None),
        ("connect4:8x7", None, 3 * 10 ** 6, [(1, 16), (2, 24)], None),
        ("connect4:4x4", None, 10 ** 6, [(1, 7)], None),
        ("connect4:10x9", None, 10 ** 6, [(1, 30)], None),
        ("connect4:9x1", None, 10 ** 6, [], None),
        ("connect4:1x9", None, 10 ** 6, [], None),
        ("connect4:3x6", None, 10 ** 6, [(1, 5)], None)],
    "breakthrough": [
        ("breakthrough:8x8", None, 7 * 10 ** 6,
         [(1, 8), (2, 20), (3, 33), (5, 45)], ("pyffish", 4)),
        ("breakthrough:6x6", None, 3 * 10 ** 7,
         [(1, 8), (2, 16), (3, 25)], ("pyffish", 3)),
        ("breakthrough:5x6", None, 7 * 10 ** 6, [(1, 8), (2, 15)], None),
        ("breakthrough:4x8", None, 2 * 10 ** 6, [(1, 10), (2, 20)], None),
        ("breakthrough:3x6", None, 10 ** 6, [(1, 6), (2, 10)], None),
        ("breakthrough:7x7", None, 2 * 10 ** 6, [(1, 12), (2, 24)], None),
        ("breakthrough:18x8", None, 8 * 10 ** 6, [(1, 40)], None),
        ("breakthrough:9x7", None, 10 ** 6, [(1, 20)], None),
        ("breakthrough:5x5", "pyffish", 3 * 10 ** 5, [(1, 5), (2, 5)], None),
        ("breakthrough:4x5", "pyffish", 10 ** 5, [(1, 4)], None),
        ("breakthrough:5x4", "pyffish", 10 ** 5, [], None),
        # One row of pieces each: written as a position, not as the start.
        ("breakthrough:5x5", None, 3 * 10 ** 6, [(1, 6), (2, 9)], None),
        ("breakthrough:3x4", None, 10 ** 6, [(1, 3)], None),
        ("breakthrough:4x5", None, 10 ** 6, [(1, 6)], None)],
    "knightthrough": [
        ("knightthrough:8x8", None, 7 * 10 ** 4, [(1, 6), (3, 20), (4, 30)], None),
        ("knightthrough:6x6", None, 10 ** 6, [(1, 5), (2, 8)], None),
        ("knightthrough:5x6", None, 10 ** 5, [(1, 5)], None),
        ("knightthrough:5x5", None, 2 * 10 ** 5, [(4, 4)], None)],
    "othello": [
        ("othello:8", None, 4 * 10 ** 6,
         [(1, 12), (2, 24), (3, 36), (4, 48), (5, 52), (19, 53)], ("pyffish", 7)),
        ("othello:6", None, 60000, [(1, 8), (2, 16), (3, 24), (4, 27)], None),
        ("othello:4", None, 30000, [(10, 6), (21, 7)], None)],
    "hex": [
        ("hex:11", None, 2 * 10 ** 6, [(1, 30), (2, 60), (3, 90)], None),
        ("hex:7", None, 6 * 10 ** 6, [(1, 12), (2, 25), (3, 35)], None),
        ("hex:3", None, 10 ** 6, [(1, 3), (2, 4)], None),
        ("hex:5x4", None, 2 * 10 ** 6, [(1, 6), (2, 10)], None),
        ("hex:4x5", None, 2 * 10 ** 6, [(1, 6), (2, 10)], None),
        ("hex:2x7", None, 10 ** 6, [(1, 4)], None),
        ("hex:3,swap", None, 10 ** 6, [(3, 2), (4, 3)], None),
        ("hex:5,swap", None, 2 * 10 ** 6, [(8, 6)], None)],
    "go": [
        ("go:9", None, 6 * 10 ** 5, [(1, 20), (2, 60), (3, 120)], None),
        ("go:5", None, 4 * 10 ** 5, [(1, 12), (2, 25), (3, 40)], None),
        ("go:3", None, 3 * 10 ** 5, [(1, 8), (2, 14), (3, 20)], None),
        ("go:2", None, 10 ** 5, [(1, 4)], None),
        ("go:13", None, 5 * 10 ** 6, [(1, 40), (2, 150)], None)],
    "gomoku": [
        ("gomoku:15,free", None, 2 * 10 ** 7, [(1, 40), (2, 80), (3, 110)], None),
        ("gomoku:9,free", None, 10 ** 6, [(1, 30), (2, 45)], None),
        ("gomoku:4x3,free,k=3", None, 10 ** 6, [(1, 4), (2, 5)], None),
        ("gomoku:3x5,free,k=3", None, 10 ** 6, [(1, 4), (2, 6)], None),
        ("gomoku:5x4,free,k=4", None, 2 * 10 ** 6, [(1, 8), (2, 10)], None),
        ("gomoku:7x6,free,k=4", None, 3 * 10 ** 6, [(1, 14), (2, 20)], None),
        ("gomoku:6,free,k=5", None, 2 * 10 ** 6, [(1, 18), (2, 24)], None)],
    "awari": [
        ("awari:rules=oware", None, 2 * 10 ** 7,
         [(1, 20), (2, 40), (3, 60), (4, 75), (5, 90), (6, 100)], None)],
    "loa": [
        ("loa:8", None, 2 * 10 ** 6,
         [(1, 10), (2, 30), (3, 60), (4, 90), (5, 130)], None)],
    "morpion": [
        ("morpion:rules=4d", None, 5 * 10 ** 4,
         [(1, 4), (2, 8), (3, 12), (4, 16), (5, 20)], None)],
    "minishogi": [
        ("minishogi", None, 10 ** 5,
         [(1, 10), (3, 40), (7, 60), (9, 120), (1, 200)], None)],
    "lion": [
        ("lion", None, 10 ** 5, [(1, 5), (4, 6), (7, 10), (10, 7)], None),
        ("lion:try=any", None, 10 ** 5, [(1, 5), (4, 6), (7, 10)], None)],
}

# Rough limit on leaves from a position inside a game; pyffish needs two
# milliseconds per position, so it gets fewer.
INNER = {"open_spiel": 3 * 10 ** 5, "pyffish": 10 ** 4}

# Counts that take the other program too long to compute again, or that come
# from programs without a Python interface.
KNOWN = {
    "knightthrough": [
        ("knightthrough:8x8", "Ludii", {1: 40, 2: 1600, 3: 63520, 4: 2521306})],
    "loa": [
        ("loa:7", "Ludii", {1: 30, 2: 848, 3: 25012}),
        ("loa:8", "Ludii", {1: 36, 2: 1244, 3: 44952}),
        ("loa:8", "open_spiel 2.0.2, lines_of_action() with its draw by"
         " repetition left out", {5: 55963132})],
    "minishogi": [
        ("minishogi", "Fairy-Stockfish 11.1",
         {1: 14, 2: 181, 3: 2512, 4: 35401, 5: 533203, 6: 8276188}),
        ("minishogi:rules=ludii", "Ludii", {1: 14, 2: 181, 3: 2484})],
    "lion": [
        ("lion", "an independent script; pyffish 0.0.90, dobutsu, agrees to 6",
         {6: 71677, 7: 645705})],
    "breakthrough": [
        ("breakthrough:8x8", "Fairy-Stockfish 11.1",
         {5: 6182818, 6: 149264638})],
    "rolit": [
        ("rolit:8,players=4", "Ludii", {1: 3, 2: 20, 3: 136, 4: 1366})],
}

HEADER = """\
# Perft counts of other programs, written by xtask/peers/perft.py.
# A leaf is a sequence of exactly D moves: a game that ends earlier counts
# nothing, one that ends with move D counts one.
"""


def walk(game, seed, plies):
    """Plays some plies of the game of `seed`; returns the play and its moves.

    A game that ends too early is stopped four plies before its end."""
    play, texts = game.play(), []
    while moves := play.moves():
        if len(texts) == plies:
            return play, texts
        names = sorted(moves)
        texts.append(names[peers.mix(seed, len(texts)) % len(names)])
        play.play(moves[texts[-1]])
    return walk(game, seed, max(len(texts) - 4, 0))


def count(play, leaves):
    """Perft counts up to the greatest depth within `leaves`."""
    counts, factor = [], 1
    while True:
        value = play.perft(len(counts) + 1)
        if value is None:
            # The peer reached an end that our rules do not have.
            return counts
        if counts:
            factor = max(factor, value / counts[-1])
        else:
            factor = value
        counts.append(value)
        # Branching grows slowly, so the last factor predicts the next count.
        if not value or len(counts) >= 40 or value * factor > leaves * 1.1:
            return counts


def block(spec, position, source, counts):
    lines = [f"spec {spec}", f"position {position}", f"source {source}"]
    lines += [f"perft {depth} {value}" for depth, value in sorted(counts.items())]
    return "\n".join(lines) + "\n"


def write(name, directory, quick):
    blocks = []
    for spec, peer, leaves, walks, second in PLAN.get(name, []):
        game = peers.load(spec, peer)
        inner = INNER[game.source.split()[0]]
        if quick:
            leaves, inner, second = min(leaves, 10 ** 4), 1000, None
        counts = count(game.play(), leaves)
        source = game.source
        if second:
            other = peers.load(spec, second[0])
            depth = min(second[1], len(counts))
            value = other.play().perft(depth)
            if value != counts[depth - 1]:
                raise peers.PeerError(
                    f"{spec} perft {depth}: {source} counts "
                    f"{counts[depth - 1]}, {other.source} {value}")
            source += f"; {other.source}, to depth {depth}"
        blocks.append(block(spec, game.start_text, source,
                            dict(enumerate(counts, 1))))
        for seed, plies in walks:
            play, texts = walk(game, seed, plies)
            if not texts:
                # No moves: the position is the start.
                continue
            blocks.append(block(
                spec, f"{game.start_text} moves {' '.join(texts)}",
                game.source, dict(enumerate(count(play, inner), 1))))
    for spec, source, counts in KNOWN.get(name, []):
        blocks.append(block(spec, "start", source, counts))
    path = os.path.join(directory, f"{name}.perft")
    with open(path, "w", encoding="ascii") as out:
        out.write(HEADER + "\n" + "\n".join(blocks))
    return path, len(blocks)


def main():
    names = sorted(set(PLAN) | set(KNOWN))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="files to write (default: all): " + " ".join(names))
    parser.add_argument("--out", default=None, metavar="DIR",
                        help="directory to write to (default: testdata/perft)")
    parser.add_argument("--quick", action="store_true",
                        help="small counts only, to test the script")
    options = parser.parse_args()
    for name in options.names:
        if name not in names:
            parser.error(f"no plan for {name!r}; available: {' '.join(names)}")
    directory = options.out or os.path.join(peers.REPOSITORY, "testdata", "perft")
    os.makedirs(directory, exist_ok=True)
    for name in options.names or names:
        begin = time.monotonic()
        path, blocks = write(name, directory, options.quick)
        print(f"{os.path.relpath(path)}: {blocks} blocks, "
              f"{time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    try:
        main()
    except peers.PeerError as error:
        sys.exit(f"perft.py: {error}")
