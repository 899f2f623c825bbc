#!/usr/bin/env python3
"""open_spiel's tree search as a player: a GTP 2 engine over pyspiel.MCTSBot.

Moves are written as in `tesuji gtp`: vertices in Go, cells in Hex and Othello,
our own notation elsewhere.  Black moves first, except in Breakthrough, where
White does.

A move takes a fixed time or a fixed number of simulations.  GTP has whole
seconds only, so shorter times are set by --time; time_settings and time_left
are then accepted but ignored.
"""

import argparse
import inspect
import math
import random
import re
import sys
import time

import peers

# Seconds for a move without any limit.
DEFAULT_TIME = 1.0

# With a clock for the whole game, a move gets this fraction of the remaining
# time.  Raising it gives early moves less.
MOVES_TO_GO = 30

# Seconds, and a fraction of a move's time, reserved for everything except the
# search: reading the line, freeing the tree, sending the response.
MARGIN = 0.001
MARGIN_SHARE = 0.02

# The shortest search: for MCTSBot a time of 0 means no limit.
SHORTEST_SEARCH = 0.0005

# Megabytes for a tree, as in open_spiel's own example; a full tree is pruned.
MEMORY = 1000

# The largest number MCTSBot accepts, an int.
MOST_SIMULATIONS = 2**31 - 1

# The largest size that GTP has letters for.
LARGEST_SIZE = 25

COLOURS = {"b": "black", "black": "black", "w": "white", "white": "white"}


class Refusal(Exception):
    """An error response, sent after a question mark."""


def load(spec):
    """open_spiel's game for a Tesuji spec, if it has the same start position."""
    try:
        name, size, _ = peers.parse_spec(spec)
    except ValueError:
        raise peers.PeerError(f"{spec!r} is not a game")
    if size and not all(1 <= side <= LARGEST_SIZE for side in size):
        raise peers.PeerError(
            f"the sides of a board are 1 to {LARGEST_SIZE}; got {spec}")
    if name == "go" and size and size[0] != size[1]:
        raise peers.PeerError("open_spiel's Go supports square boards only")
    game = peers.load(spec, "open_spiel")
    if not isinstance(game, peers.SpielGame):
        raise peers.PeerError(f"open_spiel does not play {spec}")
    if game.start_text != "start":
        raise peers.PeerError(f"open_spiel starts {spec} with other pieces")
    return game


def without_loops(game, state):
    """The same position reached without repetition, where open_spiel ends the
    game because the position repeats and ours continues.  The state itself if
    there is none."""
    def drawn(state):
        return str(state).split("\n\n")[0]

    history, end = state.history(), drawn(state)
    earlier = game.game.new_initial_state()
    for ply, action in enumerate(history):
        if (len(history) - ply) % 2 == 0 and drawn(earlier) == end:
            return earlier
        earlier.apply_action(action)
    return state


class Clock:
    """The settings of time_settings and time_left."""

    def __init__(self):
        self.main = self.overtime = 0.0
        self.stones = 0
        self.is_set = False
        self.left = {}

    def settings(self, main, overtime, stones):
        self.main, self.overtime, self.stones = main, overtime, stones
        # GTP 2, 4.2: overtime with no stones means no limit.
        self.is_set = stones > 0 if overtime else main > 0
        self.restart()

    def restart(self):
        self.left = {"black": (self.main, 0), "white": (self.main, 0)}

    def update(self, colour, seconds, stones):
        self.left[colour] = (seconds, stones)
        self.is_set = True

    def spend(self, colour, seconds):
        left, stones = self.left.get(colour, (0.0, 0))
        if stones == 0:
            self.left[colour] = (max(0.0, left - seconds), 0)

    def share(self, colour):
        """Seconds for the next move; None if there is no limit."""
        if not self.is_set:
            return None
        left, stones = self.left.get(colour, (self.main, 0))
        if stones > 0:
            return left / stones
        each = self.overtime / self.stones if self.stones else 0.0
        return max(left / MOVES_TO_GO, each)


class Engine:
    """A game and the commands on it."""

    def __init__(self, options):
        import pyspiel
        self.spiel = pyspiel
        self.options = options
        self.random = random.Random(options.seed)
        self.clock = Clock()
        self.is_over = False
        self.begin(options.game)
        self.commands = {
            name[3:]: method for name, method in inspect.getmembers(self)
            if name.startswith("do_")}

    def begin(self, spec):
        self.game = load(spec)
        self.spec = spec
        self.states = [self.game.game.new_initial_state()]

    @property
    def state(self):
        return self.states[-1]

    def begin_if_known(self, name, size, options):
        """Another size or komi of the same game."""
        words = ["x".join(map(str, size))] if size else []
        words += [key if value is True else f"{key}={value}"
                  for key, value in options.items()]
        try:
            self.begin(":".join(filter(None, [name, ",".join(words)])))
        except peers.PeerError as error:
            raise Refusal(str(error))

    # Colours and moves

    def colour(self, word):
        try:
            return COLOURS[word.lower()]
        except KeyError:
            raise Refusal(f"{word!r} is not a colour: b, w, black or white")

    def turn(self, word):
        """The colour named by a word; it must be to move."""
        colour = self.colour(word)
        if self.state.is_terminal():
            raise Refusal("the game is over")
        is_reversed = isinstance(self.game, peers.SpielBreakthrough)
        first = "white" if is_reversed else "black"
        if (colour == first) != (self.state.current_player() == 0):
            raise Refusal(f"it is not {colour}'s turn")
        return colour

    def moves(self):
        """Our move texts and open_spiel's actions."""
        return {self.game.text(self.state, action): action
                for action in self.game.legal(self.state)}

    def action(self, word):
        moves = self.moves()
        if word.lower() == "swap-pieces":
            word = "swap"
        # No two legal moves of a position differ by case only.
        for text, action in moves.items():
            if text.lower() == word.lower():
                return action
        known = " ".join(map(self.written, moves))
        raise Refusal(f"illegal move {word!r}; legal: {known}")

    def written(self, text):
        if text == "swap":
            return "swap-pieces"
        if isinstance(self.game, peers.SpielOthello) and text != "pass":
            return text.upper()
        return text

    def advance(self, action):
        state = self.state.clone()
        state.apply_action(action)
        if state.is_terminal() and self.game.disputed(state):
            state = without_loops(self.game, state)
        self.states.append(state)

    # The search

    def search(self, seconds, begin):
        """The action that MCTSBot prefers among those legal in our rules."""
        legal = self.game.legal(self.state)
        evaluator = self.spiel.RandomRolloutEvaluator(
            1, self.random.getrandbits(31))
        if self.options.simulations:
            simulations, limit = self.options.simulations, -1.0
        else:
            simulations = MOST_SIMULATIONS
            kept = MARGIN + MARGIN_SHARE * seconds
            spent = time.perf_counter() - begin
            limit = max(SHORTEST_SEARCH, seconds - kept - spent)
        bot = self.spiel.MCTSBot(
            self.game.game, evaluator, self.options.c, simulations, MEMORY,
            self.options.solve, self.random.getrandbits(31), False,
            self.spiel.ChildSelectionPolicy.UCT, limit)
        root = bot.mcts_search(self.state)
        # Its own choice may be illegal in our rules (superko), and `best_child`
        # copies a whole subtree; this is its order.
        children = [
            (child.outcome[child.player] if child.outcome else 0.0,
             child.explore_count, child.total_reward, child.action)
            for child in root.children if child.action in legal]
        # The first simulation does not try any move, and there may be no time
        # for another.
        return max(children)[-1] if children else self.random.choice(legal)

    # The commands

    def do_protocol_version(self):
        return "2"

    def do_name(self):
        return "open_spiel MCTSBot"

    def do_version(self):
        return peers.version("open_spiel")

    def do_list_commands(self):
        return "\n".join(sorted(self.commands))

    def do_known_command(self, name):
        return "true" if name in self.commands else "false"

    def do_quit(self):
        self.is_over = True

    def do_boardsize(self, columns, rows=None):
        name, _, options = peers.parse_spec(self.spec)
        size = [whole(word, "size", 1, LARGEST_SIZE)
                for word in (columns, rows or columns)]
        self.begin_if_known(name, size, options)

    def do_komi(self, komi):
        name, size, options = peers.parse_spec(self.spec)
        if name != "go":
            raise Refusal(f"{name} has no komi")
        if not re.fullmatch(r"[+-]?\d{1,4}(\.\d*)?", komi):
            raise Refusal(f"{komi!r} is not a komi")
        # GTP 2, 6.3.2: the board does not change.
        actions = self.state.history()
        self.begin_if_known(name, size, {**options, "komi": komi})
        for action in actions:
            self.advance(action)

    def do_clear_board(self):
        del self.states[1:]
        self.clock.restart()

    def do_play(self, colour, move):
        self.turn(colour)
        self.advance(self.action(move))

    def do_genmove(self, colour):
        begin = time.perf_counter()
        colour = self.turn(colour)
        seconds = self.options.time or self.clock.share(colour)
        if seconds is None:
            seconds = DEFAULT_TIME
        action = self.search(seconds, begin)
        text = self.written(self.game.text(self.state, action))
        self.advance(action)
        self.clock.spend(colour, time.perf_counter() - begin)
        return text

    def do_undo(self):
        if len(self.states) == 1:
            raise Refusal("nothing to undo")
        self.states.pop()

    def do_time_settings(self, main, overtime, stones):
        self.clock.settings(number(main), number(overtime), stones_in(stones))

    def do_time_left(self, colour, seconds, stones):
        self.clock.update(
            self.colour(colour), number(seconds), stones_in(stones))

    def do_showboard(self):
        return f"{self.spec}\n{self.state}"

    def answer(self, line):
        """The response to a line, without the empty line after it; None if the
        line has no command."""
        line = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0])
        words = line.split()
        if not words:
            return None
        # The response repeats a number in front of the command.
        identity = words.pop(0) if re.fullmatch(r"\d+", words[0]) else ""
        try:
            done = self.obey(words) or ""
            # An empty line would end the response.
            lines = filter(str.strip, done.split("\n"))
            return f"={identity} " + "\n".join(lines)
        except Refusal as refusal:
            return f"?{identity} {refusal}"
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            return f"?{identity} {reason}"

    def obey(self, words):
        command = self.commands.get(words[0]) if words else None
        if command is None:
            raise Refusal("unknown command")
        signature = inspect.signature(command)
        try:
            signature.bind(*words[1:])
        except TypeError:
            names = " ".join(signature.parameters).upper()
            raise Refusal(f"syntax: {words[0]} {names}".rstrip())
        return command(*words[1:])


def number(word):
    """Seconds; fractions are accepted, which GTP does not have."""
    if not re.fullmatch(r"\d{1,9}(\.\d*)?", word):
        raise Refusal(f"{word!r} is not a number of seconds")
    return float(word)


def whole(word, what, least, most):
    if not (re.fullmatch(r"\d{1,6}", word) and least <= int(word) <= most):
        raise Refusal(f"{word!r} is not a {what} from {least} to {most}")
    return int(word)


def stones_in(word):
    return whole(word, "number of stones", 0, 10_000)


def seconds(text):
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)(ms|s|m|h|)", text.lower())
    units = {"ms": 0.001, "s": 1, "": 1, "m": 60, "h": 3600}
    value = match and float(match[1]) * units[match[2]]
    if not value:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time: 100ms, 5s, 2m, 1h")
    return value


def read_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True, metavar="SPEC",
                        help="a Tesuji game, such as connect4 or go:9")
    parser.add_argument("--time", type=seconds,
                        help="time per move, such as 100ms")
    parser.add_argument("--simulations", type=int,
                        help="simulations per move, instead of a time")
    parser.add_argument("--c", type=float, default=math.sqrt(2),
                        help="C of UCT (default sqrt 2); values are -1 to 1")
    parser.add_argument("--solve", default=True,
                        action=argparse.BooleanOptionalAction,
                        help="back up proven results (default: on)")
    parser.add_argument("--seed", type=int, default=1,
                        help="seed of all random numbers (default 1)")
    options = parser.parse_args()
    if (options.simulations is not None
            and not 1 <= options.simulations <= MOST_SIMULATIONS):
        parser.error(f"--simulations takes 1 to {MOST_SIMULATIONS}")
    if not 0 <= options.c < math.inf:
        parser.error("--c takes a number of at least 0")
    return options


def main():
    engine = Engine(read_options())
    sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        answer = engine.answer(line)
        if answer is not None:
            print(answer, end="\n\n", flush=True)
        if engine.is_over:
            break


if __name__ == "__main__":
    try:
        main()
    except peers.PeerError as error:
        sys.exit(f"bot.py: {error}")
    except (BrokenPipeError, KeyboardInterrupt):
        # The controller has disconnected.
        sys.exit(1)
