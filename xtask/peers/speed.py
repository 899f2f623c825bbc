#!/usr/bin/env python3
"""Times open_spiel's C++ playouts or its tree search; one JSON line per game.

Its uniform random rollout cannot be called from Python directly.  A search with
a single simulation evaluates only its root, and the random evaluator does that
by n rollouts: with a large n, the time of one step is the time of n rollouts
from the start position.

With --simulations the search itself is timed: MCTSBot as plain UCT with
C = sqrt 2, without its solver, one rollout per simulation, from the start
position and an empty tree.

"per_second" is the median of the rounds by wall-clock time, "per_cpu_second" by
processor time, which depends less on other load.  "plies" is the mean length of
uniform random games, played move by move from Python, so that a reader can
check that two programs did the same work.
"""

import argparse
import json
import math
import random
import statistics
import sys
import time

import peers

SPECS = ["tictactoe", "connect4:7x6", "breakthrough:8x8", "othello:8", "hex:11",
         "hex:7", "go:9", "gomoku:15,free", "awari:rules=oware", "loa:8"]

# Aliases of the same games.
ALIASES = {"connect4": "connect4:7x6", "loa": "loa:8", "othello": "othello:8",
           "breakthrough": "breakthrough:6x6", "hex": "hex:11", "go": "go:9"}


def spiel_name(spec):
    """open_spiel's name for the game, with its own defaults."""
    game = peers.load(ALIASES.get(spec, spec), "open_spiel")
    if isinstance(game, peers.SpielGo):
        # Random games have open_spiel's own length limit, not ours.
        return f"go(board_size={game.size},komi={game.komi})"
    return game.name


def timed(act):
    """Wall-clock and processor seconds of a call, and its result."""
    wall, processor = time.perf_counter(), time.process_time()
    result = act()
    return time.perf_counter() - wall, time.process_time() - processor, result


def rollout_seconds(pyspiel, game, rollouts, seed):
    """Seconds of one step with one simulation of n rollouts."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, seed, False)
    state = game.new_initial_state()
    return timed(lambda: bot.step(state))[:2]


# More than any search here needs, in megabytes: a full tree stops growing.
# Nothing is allocated in advance.
MEMORY = 16_000


def search_seconds(pyspiel, game, simulations, seed):
    """Seconds of one search.  Freeing the tree is not counted: the root is
    returned."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, math.sqrt(2), simulations, MEMORY,
                          False, seed, False)
    state = game.new_initial_state()
    wall, processor, root = timed(lambda: bot.mcts_search(state))
    if root.explore_count != simulations:
        raise peers.PeerError(f"{root.explore_count} simulations instead "
                              f"of {simulations}")
    return wall, processor


def mean_plies(game, games, seed):
    generator = random.Random(seed)
    plies = 0
    begin = time.perf_counter()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            plies += 1
    return plies / games, games / (time.perf_counter() - begin)


def rollouts_within(pyspiel, game, seconds):
    """The number of rollouts that fit into a duration."""
    rollouts = 32
    while True:
        took = rollout_seconds(pyspiel, game, rollouts, 1)[0]
        if took > min(0.2, seconds / 2):
            return max(1, round(rollouts * seconds / took))
        rollouts *= 2


def measure(spec, options):
    import pyspiel
    name = spiel_name(spec)
    game = pyspiel.load_game(name)
    if options.simulations:
        run, count = search_seconds, options.simulations
    else:
        run = rollout_seconds
        count = rollouts_within(pyspiel, game, options.seconds)
    times = [run(pyspiel, game, count, 2 + index)
             for index in range(options.rounds)]
    rates = [count / wall for wall, _ in times]
    processor_rates = [count / processor for _, processor in times]
    plies, driven = mean_plies(game, options.games, 1)
    return {
        "game": spec,
        "peer": f"open_spiel {peers.version('open_spiel')}",
        "peer_game": name,
        "per_second": round(statistics.median(rates)),
        "rounds": [round(rate) for rate in rates],
        "per_cpu_second": round(statistics.median(processor_rates)),
        "plies": round(plies, 2),
        "python_driven_per_second": round(driven),
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", metavar="SPEC",
                        help="games (default: " + " ".join(SPECS) + ")")
    parser.add_argument("--seconds", type=float, default=1.0,
                        help="length of a round of rollouts (default 1)")
    parser.add_argument("--simulations", type=int, default=0,
                        help="time searches with N simulations instead")
    parser.add_argument("--rounds", type=int, default=3,
                        help="rounds per game (default 3)")
    parser.add_argument("--games", type=int, default=1000,
                        help="games played from Python for the mean length (default 1000)")
    options = parser.parse_args()
    if options.seconds <= 0 or options.rounds < 1 or options.games < 1:
        parser.error("--seconds, --rounds and --games must be positive")
    if options.simulations < 0:
        parser.error("--simulations must not be negative")
    for spec in options.specs or SPECS:
        print(json.dumps(measure(spec, options)), flush=True)


if __name__ == "__main__":
    try:
        main()
    except peers.PeerError as error:
        sys.exit(f"speed.py: {error}")
