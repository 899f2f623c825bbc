"""Draws capture problems from the games of a match on 13x13, and prints those that are neither
trivial nor open.

    tesuji match go:13 mcts:rave mcts --playouts 150 --games 60 --seed 20 --openings random:6 --log go13.jsonl
    python3 positions.py go13.jsonl tesuji 2 > capture13.txt
    python3 positions.py go13.jsonl tesuji 3 > capture13-harder.txt

From each game it takes the positions after 30, 40, 50, ... plies, and from each position one block
of 2 or 3 liberties, drawn at random (Python's generator, seed 20). Its owner's opponent is to move,
and neither side has ko threats. A problem is kept if the block is not taken by df-pn in EASY nodes,
nor by λ search of an order less than the last argument in EASY nodes times its order, and one
solver of PANEL takes it in HARD nodes. At most MOST are kept. (Blocks of more liberties would have
escaped at the start with the smallest limit of the experiment, 4.)
"""

import json
import random
import subprocess
import sys

SIZE = 13
LETTERS = "ABCDEFGHJKLMN"
EASY, HARD, MOST = 2_000, 60_000, {2: 60, 3: 40}
GAME = f"capture:{SIZE},moves=strong"
PANEL = {
    2: ["lambda:order=2,init=game,then=stop", "lambda:order=3,then=stop", "dfpn:init=game"],
    3: ["lambda:order=3,then=stop", "lambda:order=4,then=stop", "dfpn:init=game"],
}


def neighbours(point):
    column, row = point
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [(x, y) for x, y in around if 0 <= x < SIZE and 0 <= y < SIZE]


def block(stones, point):
    """The stones of a block and its liberties."""
    found, liberties, rest = {point}, set(), [point]
    while rest:
        for other in neighbours(rest.pop()):
            if other not in stones:
                liberties.add(other)
            elif stones[other] == stones[point] and other not in found:
                found.add(other)
                rest.append(other)
    return found, liberties


def play(stones, colour, point):
    stones[point] = colour
    for other in neighbours(point):
        if stones.get(other, colour) != colour:
            taken, liberties = block(stones, other)
            if not liberties:
                for stone in taken:
                    del stones[stone]


def text(stones, target):
    """The problem of taking a block."""
    owner = stones[min(target)]

    def cell(point):
        if point in target:
            return {"X": "b", "O": "w"}[owner]
        return {"X": "x", "O": "o"}.get(stones.get(point), ".")

    rows = ["".join(cell((x, y)) for x in range(SIZE)) for y in reversed(range(SIZE))]
    return f"{'/'.join(rows)} {'O' if owner == 'X' else 'X'} - 0 0,0"


def candidates(log):
    draw = random.Random(20)
    for line in open(log):
        game = json.loads(line)
        if "moves" not in game:
            continue
        stones = {}
        moves = game["opening"].split(" moves ")[1].split() + game["moves"]
        for ply, move in enumerate(moves):
            if move != "pass":
                play(stones, "XO"[ply % 2], (LETTERS.index(move[0]), int(move[1:]) - 1))
            if ply >= 29 and ply % 10 == 9:
                blocks = {min(block(stones, stone)[0]) for stone in stones}
                blocks = [stone for stone in sorted(blocks) if 2 <= len(block(stones, stone)[1]) <= 3]
                if blocks:
                    yield text(stones, block(stones, draw.choice(blocks))[0])


def takes(tesuji, position, solver, nodes):
    """Whether a solver proves that the player to move takes the block; a game may be over."""
    limits = ["--goal", "win", "--nodes", str(nodes), "--memory", "64M", "--json"]
    command = [tesuji, "solve", GAME, "--by", solver, "--position", position] + limits
    report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return any(side["bounds"]["at_least"] == 1 for side in report.get("sides", []))


def main():
    log, tesuji, order = sys.argv[1], sys.argv[2], int(sys.argv[3])
    lower = [(f"lambda:order={order},then=stop", order * EASY) for order in range(1, order)]
    positions = list(dict.fromkeys(candidates(log)))
    random.Random(21).shuffle(positions)
    kept = easy = 0
    for position in positions:
        if any(takes(tesuji, position, *solver) for solver in [("dfpn:init=game", EASY)] + lower):
            easy += 1
        elif any(takes(tesuji, position, solver, HARD) for solver in PANEL[order]):
            print(position, flush=True)
            kept += 1
            if kept == MOST[order]:
                break
    print(f"{len(positions)} candidates, {easy} easy ones passed over, {kept} kept", file=sys.stderr)


if __name__ == "__main__":
    main()
