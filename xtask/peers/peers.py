"""Other programs' games behind one interface, in Tesuji's notation.

Every peer game is wrapped in a class with the same interface: the legal moves
(as our move texts), playing one, and the final scores.  perft.py and
differential.py use only that interface.

Nothing here re-implements a game's rules.  Where our rules and a peer's differ,
the wrapper reports a "disputed" end, and the callers cut the game there.
"""

import copy
import importlib.metadata
import os

REPOSITORY = os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

MASK = (1 << 64) - 1


class PeerError(Exception):
    """A spec that no peer offers, or a peer that behaves unexpectedly."""


def mix(seed, ply):
    """The splitmix64 output function of seed * golden ratio + ply."""
    z = (seed * 0x9E3779B97F4A7C15 + ply) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


FNV_START = 0xCBF29CE484222325


def fnv1a(data, fold=FNV_START):
    """64-bit FNV-1a of `data`, continuing from `fold`."""
    for byte in data:
        fold = ((fold ^ byte) * 0x100000001B3) & MASK
    return fold


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise PeerError(f"the Python package {package} is missing: "
                        "pip install -r xtask/peers/requirements.txt")


def letters(column):
    return chr(ord("a") + column)


def parse_spec(spec):
    """'name:a,b=c' -> ('name', (columns, rows) or None, {option: value})."""
    name, _, rest = spec.partition(":")
    size, options = None, {}
    for word in filter(None, rest.split(",")):
        key, equals, value = word.partition("=")
        if equals:
            options[key] = value
        elif word[0].isdigit():
            columns, _, rows = word.partition("x")
            size = (int(columns), int(rows or columns))
        else:
            options[word] = True
    return name, size, options


# --------------------------------------------------------------------------
# open_spiel

class SpielGame:
    """A game of open_spiel.  Subclasses define the notation of its moves."""

    start_text = "start"

    def __init__(self, spec, name):
        try:
            import pyspiel
        except ImportError:
            version("open_spiel")
            raise
        self.spec = spec
        self.name = name
        self.source = f"open_spiel {version('open_spiel')}, {name}"
        try:
            self.game = pyspiel.load_game(name)
        except pyspiel.SpielError as error:
            raise PeerError(f"open_spiel refuses {name} for {spec}: {error}")

    def play(self):
        return SpielPlay(self)

    # Subclasses may override these:

    def text(self, state, action):
        raise NotImplementedError

    def legal(self, state):
        """The actions that are also legal in our rules."""
        return state.legal_actions()

    def disputed(self, state):
        """Whether the peer ended this game by a rule that ours does not have."""
        return False

    def scores(self, state):
        return tuple(int(value) for value in state.returns())

    def perft(self, state, depth):
        """Number of move sequences of exactly `depth` moves.

        The last ply is counted, not played.  Returns None if a disputed end
        was reached, because the count would then differ from ours.
        """
        if state.is_terminal():
            return None if self.disputed(state) else 0
        actions = self.legal(state)
        if depth == 1:
            return len(actions)
        total = 0
        for action in actions:
            count = self.perft(state.child(action), depth - 1)
            if count is None:
                return None
            total += count
        return total


class SpielPlay:
    """One running game of a SpielGame."""

    def __init__(self, game):
        self.game = game
        self.state = game.game.new_initial_state()

    def moves(self):
        """Our move text -> argument of play(); empty when over or cut."""
        if self.state.is_terminal():
            return {}
        game, state = self.game, self.state
        return {game.text(state, action): action for action in game.legal(state)}

    def play(self, action):
        self.state.apply_action(action)

    def scores(self):
        """Final scores, or None when the game was cut at a disputed end."""
        if self.game.disputed(self.state):
            return None
        return self.game.scores(self.state)

    def perft(self, depth):
        return self.game.perft(self.state, depth)


class SpielCells(SpielGame):
    """Games whose action n is cell n, counted from the top row."""

    def __init__(self, spec, name, columns, rows, row_one_on_top=False):
        super().__init__(spec, name)
        self.cells = [
            letters(x) + str(y + 1 if row_one_on_top else rows - y)
            for y in range(rows) for x in range(columns)]

    def text(self, state, action):
        return self.cells[action]


class SpielConnect4(SpielGame):
    def text(self, state, action):
        return str(action + 1)


class SpielBreakthrough(SpielGame):
    """open_spiel's first player sits on top; ours at the bottom: mirrored.

    On fewer than six rows open_spiel gives each side one row of pieces,
    our rules always two; the start is then written as a position text.
    """

    def __init__(self, spec, columns, rows):
        super().__init__(spec, f"breakthrough(rows={rows},columns={columns})")
        self.rows = rows
        drawn = [line[1:] for line in
                 str(self.game.new_initial_state()).split("\n")[:rows]]
        own = drawn.count("b" * columns)
        if own == 1:
            self.start_text = "/".join(
                ["B" * columns] + ["." * columns] * (rows - 2) + ["W" * columns]
            ) + " W"
        elif own != 2:
            raise PeerError(f"unexpected start position of {self.name}")

    def text(self, state, action):
        move = state.action_to_string(state.current_player(), action)
        return (f"{move[0]}{self.rows + 1 - int(move[1])}-"
                f"{move[2]}{self.rows + 1 - int(move[3])}")


class SpielOthello(SpielCells):
    def __init__(self, spec):
        super().__init__(spec, "othello()", 8, 8, row_one_on_top=True)
        self.cells.append("pass")

    def scores(self, state):
        board = [line[2:-2] for line in str(state).split("\n")[2:10]]
        own = sum(line.count("x") for line in board)
        other = sum(line.count("o") for line in board)
        return disc_scores(own, other, 64, state.returns()[0])


def disc_scores(own, other, cells, winner):
    """Disc difference with the empty cells given to the winner."""
    difference = own - other
    if (difference > 0) - (difference < 0) != (winner > 0) - (winner < 0):
        raise PeerError("the peer's winner is not the side with more discs")
    if difference:
        empty = cells - own - other
        difference += empty if difference > 0 else -empty
    return (difference, -difference)


class SpielHex(SpielCells):
    def __init__(self, spec, columns, rows, swap):
        name = f"hex(num_cols={columns},num_rows={rows}"
        name += ",swap=True)" if swap else ")"
        super().__init__(spec, name, columns, rows, row_one_on_top=True)
        # open_spiel's swap mirrors the stone across the long diagonal and
        # gives it to White, which is our `swap` as well.
        self.cells.append("swap")


class SpielGo(SpielGame):
    """Positional superko.  open_spiel allows the violating stone and scores
    the game as a draw; in our rules the stone is illegal.  A stone whose
    successor is terminal is therefore removed from the list: only superko ends
    a game by a stone."""

    # Our length cap.  open_spiel gets one ply more, so that the last stones do
    # not look like superko violations because they end the game.
    CAP = 1000

    def __init__(self, spec, size, komi):
        super().__init__(spec, f"go(board_size={size},komi={komi},"
                               f"max_game_length={self.CAP + 1})")
        self.size = size
        self.komi = float(komi)
        self.pass_action = size * size
        self.cells = ["ABCDEFGHJKLMNOPQRST"[x] + str(y + 1)
                      for y in range(size) for x in range(size)] + ["pass"]

    def text(self, state, action):
        return self.cells[action]

    def board(self, state):
        """Cells row by row from the bottom: 'X', 'O' or '+'."""
        lines = str(state).strip("\n").split("\n")[2:2 + self.size]
        return "".join(line.split()[1] for line in reversed(lines))

    def legal(self, state):
        actions = state.legal_actions()
        history = state.history()
        if len(history) >= self.CAP:
            return []
        stones = sum(1 for action in history if action != self.pass_action)
        board = self.board(state)
        if self.size * self.size - board.count("+") == stones:
            # Nothing was ever captured, so no stone can repeat an earlier
            # position: that cell was empty in all of them.
            return actions
        return [action for action in actions
                if action == self.pass_action
                or not state.child(action).is_terminal()]

    def scores(self, state):
        difference = 2 * self.area(self.board(state)) - round(2 * self.komi)
        winner = state.returns()[0]
        if (state.is_terminal()
                and (difference > 0) - (difference < 0) != winner):
            raise PeerError("open_spiel's Go result is not the area score")
        return (difference, -difference)

    def area(self, board):
        size, seen = self.size, set()
        total = board.count("X") - board.count("O")
        for first in range(size * size):
            if board[first] != "+" or first in seen:
                continue
            region, border, todo = 0, set(), [first]
            seen.add(first)
            while todo:
                cell = todo.pop()
                region += 1
                x = cell % size
                for near in ([cell - 1] * (x > 0) + [cell + 1] * (x < size - 1)
                             + [cell - size] * (cell >= size)
                             + [cell + size] * (cell < size * (size - 1))):
                    if board[near] != "+":
                        border.add(board[near])
                    elif near not in seen:
                        seen.add(near)
                        todo.append(near)
            if len(border) == 1:
                total += region if border == {"X"} else -region
        return total


class SpielOware(SpielGame):
    def text(self, state, action):
        return state.action_to_string(state.current_player(), action)

    def scores(self, state):
        # open_spiel adds the seeds left in each row to its owner's store at
        # every end, so the two stores hold all 48 seeds.
        stores = [int(word.split()[0]) for word in
                  str(state).split("score = ")[1:]]
        north, south = stores
        if north + south != 48:
            raise PeerError("open_spiel's oware lost seeds")
        difference = south - north
        winner = state.returns()[0]
        if (difference > 0) - (difference < 0) != winner:
            raise PeerError("open_spiel's oware winner has fewer seeds")
        return (difference, -difference)


class SpielLoa(SpielGame):
    """open_spiel draws at the second occurrence of a position (we at the
    third), and a side without a move loses (ours passes): disputed ends."""

    def text(self, state, action):
        move = state.action_to_string(state.current_player(), action)
        return f"{move[:2]}-{move[3:]}"

    def connected(self, state):
        lines = str(state).split("\n")[:8]
        sides = []
        for piece in "xo":
            cells = {(x, y) for y, line in enumerate(lines)
                     for x, char in enumerate(line[1:]) if char == piece}
            if not cells:
                sides.append(False)
                continue
            todo = [cells.pop()]
            while todo:
                x, y = todo.pop()
                for near in [(x + dx, y + dy)
                             for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
                    if near in cells:
                        cells.remove(near)
                        todo.append(near)
            sides.append(not cells)
        return sides

    def disputed(self, state):
        if not state.is_terminal():
            return False
        sides = self.connected(state)
        if any(sides):
            winner = 0 if state.returns()[0] > 0 else 1
            if not sides[winner]:
                raise PeerError("open_spiel's LOA winner is not connected")
            return False
        return True


class SpielMorpion(SpielGame):
    """4D on a board of 13x13, in which the cross has three rows and columns on
    each side; ours has no edge.  The game is cut as soon as a point is on the
    edge, because lines could then leave the board."""

    SIZE = 13

    def board(self, state):
        return str(state).split()

    def name_of(self, point):
        row, column = point
        return letters(column + 6) + str(19 - row)

    def text(self, state, action):
        line = state.action_to_string(state.current_player(), action).split()
        line = [tuple(map(int, point[1:-1].split(","))) for point in line]
        board = self.board(state)
        [new] = [point for point in line if board[point[0]][point[1]] == "0"]
        # From left to right; a column from the bottom, where rows are higher.
        line.sort(key=lambda point: (point[1], -point[0]))
        return ":".join([self.name_of(new), "-".join(
            self.name_of(end) for end in (line[0], line[-1]))])

    def disputed(self, state):
        board = self.board(state)
        edges = [board[0], board[-1]] + [row[0] + row[-1] for row in board]
        return any("1" in edge for edge in edges)

    def legal(self, state):
        return [] if self.disputed(state) else state.legal_actions()

    def perft(self, state, depth):
        return None if self.disputed(state) else super().perft(state, depth)


# --------------------------------------------------------------------------
# pyffish (Fairy-Stockfish)

# Variants that Fairy-Stockfish does not include but can be configured for.  The
# two-row Breakthrough boards and Knightthrough are not in open_spiel.
FAIRY_CONFIG = """
[tesuji_lion_any:dobutsu]
flagPieceSafe = false
"""


def fairy_config():
    parts = [FAIRY_CONFIG]
    for size in (4, 6):
        gap = size // 2 - 1
        side = str(gap) if gap else ""
        rows = [str(size)] * gap
        start = "/".join(rows + [f"{side}pP{side}", f"{side}Pp{side}"] + rows)
        hand = "P" * (size * size) + "p" * (size * size)
        parts.append(f"[tesuji_othello{size}:flipello]\nmaxFile = {size}\n"
                     f"maxRank = {size}\nstartFen = {start}[{hand}] w 0 1\n"
                     # Cells where a disc need not enclose anything: for the
                     # 8x8 parent its centre, here ours, always occupied.
                     "enclosingDropStart = " + " ".join(
                         letters(x) + str(y) for x in (size // 2 - 1, size // 2)
                         for y in (size // 2, size // 2 + 1)) + "\n")
    for name, base, piece in (("breakthrough", "breakthrough", "p"),
                              ("knightthrough", "breakthrough", "n")):
        for columns, rows in FAIRY_RACE_SIZES[name]:
            empty = [str(columns)] * (rows - 4)
            start = "/".join([piece * columns] * 2 + empty
                             + [piece.upper() * columns] * 2)
            lines = [f"[tesuji_{name}{columns}x{rows}:{base}]",
                     f"maxFile = {columns}", f"maxRank = {rows}",
                     f"startFen = {start} w 0 1",
                     f"flagRegionWhite = *{rows}", "flagRegionBlack = *1"]
            if piece == "n":
                # Betza's fh: all four forward jumps (f alone: the two long).
                lines += ["customPiece1 = n:fhN", "flagPiece = n",
                          "extinctionPieceTypes = n", "pawn = -"]
            parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


FAIRY_RACE_SIZES = {
    "breakthrough": [(5, 5), (4, 5), (5, 4), (6, 6)],
    "knightthrough": [(8, 8), (6, 6), (5, 6), (5, 5)],
}


class FairyGame:
    """A variant of Fairy-Stockfish through pyffish.

    Any call to pyffish takes about two milliseconds, so each call passes the
    whole move list, and there are no others.
    """

    start_text = "start"
    configured = False

    def __init__(self, spec, variant, rows, flip=False, occurrences=0):
        try:
            import pyffish
        except ImportError:
            version("pyffish")
            raise
        self.fairy = pyffish
        if variant.startswith("tesuji_") and not FairyGame.configured:
            pyffish.load_variant_config(fairy_config())
            FairyGame.configured = True
        if variant not in pyffish.variants():
            raise PeerError(f"pyffish does not know {variant} for {spec}")
        self.spec = spec
        self.variant = variant
        shown = variant.replace("tesuji_", "own variant ")
        self.source = f"pyffish {version('pyffish')}, {shown}"
        self.rows = rows
        self.flip = flip
        self.occurrences = occurrences
        self.cache = {}
        self.start = pyffish.start_fen(variant)

    def play(self):
        return FairyPlay(self)

    def cell(self, text):
        row = int(text[1:])
        return text[0] + str(self.rows + 1 - row if self.flip else row)

    def text(self, move):
        if "@" in move:
            piece, cell = move.split("@")
            return f"{piece}*{self.cell(cell)}"
        promoted = "+" if move.endswith("+") else ""
        if len(move.rstrip("+")) != 4:
            raise PeerError(f"{self.variant}: unexpected move {move}")
        return f"{self.cell(move[:2])}-{self.cell(move[2:4])}{promoted}"

    def legal(self, moves):
        return self.fairy.legal_moves(self.variant, self.start, moves)

    def texts(self, moves):
        """Our move text -> Fairy-Stockfish's."""
        return {self.text(move): move for move in self.legal(moves)}

    def scores(self, moves):
        return self.outcome(
            moves, self.fairy.game_result(self.variant, self.start, moves))

    def disputed(self, moves):
        """Whether the peer ended this game by a rule that ours does not have."""
        return False

    def repetition_scores(self, moves):
        """Fairy-Stockfish's result where we end a game by repetition.

        In minishogi its rule is ours: at the fourth occurrence the first
        player loses, or a side that gave check all along.  Its dobutsu waits
        for the fourth occurrence as well, ours ends at the third: a cut."""
        ended, value = self.fairy.is_optional_game_end(
            self.variant, self.start, moves)
        return self.outcome(moves, value) if ended else None

    def outcome(self, moves, value):
        """Scores from a value for the side to move."""
        sign = (value > 0) - (value < 0)
        if len(moves) % 2:
            sign = -sign
        return (sign, -sign)


class FairyLion(FairyGame):
    """In Fairy-Stockfish a lion that entered the far rank under attack wins as
    soon as the opponent removes the attack; ours waits for the lion's own side
    to move, as the tablebase does: a disputed end."""

    def disputed(self, moves):
        return self.fairy.game_result(self.variant, self.start, moves) > 0

    def scores(self, moves):
        return None if self.disputed(moves) else super().scores(moves)


class FairyMinishogi(FairyGame):
    """Fairy-Stockfish lists a pawn drop that mates, and it loses; in our rules
    it is illegal."""

    def legal(self, moves):
        legal = super().legal(moves)
        if any(move.startswith("P@") for move in legal):
            fen = self.fairy.get_fen(self.variant, self.start, moves)
            mating = self.drop_before_king(fen)
            if mating in legal and not super().legal(moves + [mating]):
                legal.remove(mating)
        return legal

    def drop_before_king(self, fen):
        """The only pawn drop that gives check."""
        board, side = fen.split("[")[0], fen.split()[1]
        for row, cells in enumerate(board.split("/")):
            column = 0
            for char in cells.replace("+", ""):
                if char == ("k" if side == "w" else "K"):
                    rank = self.rows - row + (-1 if side == "w" else 1)
                    return f"P@{letters(column)}{rank}"
                column += int(char) if char.isdigit() else 1
        raise PeerError(f"no king in {fen}")


class FairyOthello(FairyGame):
    def text(self, move):
        if "@" in move:
            return self.cell(move.split("@")[1])
        if move[:2] != move[2:4]:
            raise PeerError(f"{self.variant}: unexpected move {move}")
        return "pass"

    def legal(self, moves):
        # Fairy-Stockfish continues until both sides have passed in a row; our
        # game is over as soon as neither side can flip anything.
        legal = super().legal(moves)
        if self.only_pass(legal) and self.only_pass(
                super().legal(moves + legal)):
            return []
        return legal

    def only_pass(self, legal):
        return len(legal) == 1 and "@" not in legal[0]

    def scores(self, moves):
        board = self.fairy.get_fen(self.variant, self.start, moves)
        board = board.split("[")[0]
        end = list(moves)
        while legal := super().legal(end):
            end += legal[:1]
        value = super().scores(end)[0]
        return disc_scores(board.count("P"), board.count("p"),
                           self.rows * self.rows, value)


class FairyPlay:
    """One running game of a FairyGame."""

    # Longer games are draws in our rules; Fairy-Stockfish continues, so they
    # are cut.
    CAP = 1000

    def __init__(self, game):
        self.game = game
        self.list = []
        self.board = Shadow(game.start) if game.occurrences else None
        self.counts = {}
        self.repeated = False
        self.note()

    def note(self):
        if self.board is not None:
            key = self.board.key()
            self.counts[key] = self.counts.get(key, 0) + 1
            self.repeated = self.counts[key] >= self.game.occurrences

    def moves(self):
        if self.repeated or len(self.list) >= self.CAP:
            return {}
        game = self.game
        if self.board is None or len(self.list) > 12:
            return game.texts(self.list)
        # Legal moves do not depend on the history, and many games start with
        # the same positions (caching later ones would only fill memory).
        key = self.board.key()
        if key not in game.cache:
            game.cache[key] = game.texts(self.list)
        return game.cache[key]

    def play(self, move):
        self.list.append(move)
        if self.board is not None:
            self.board.play(move)
            self.note()

    def scores(self):
        if self.repeated:
            return self.game.repetition_scores(self.list)
        if len(self.list) >= self.CAP:
            return None
        return self.game.scores(self.list)

    def perft(self, depth):
        moves = self.moves()
        if not moves and self.game.disputed(self.list):
            return None
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves.values():
            child = copy.copy(self)
            child.list = list(self.list)
            if self.board is not None:
                child.board = self.board.copy()
                child.counts = dict(self.counts)
            child.play(move)
            count = child.perft(depth - 1)
            if count is None:
                return None
            total += count
        return total


class Shadow:
    """The part of a shogi-like board that identifies equal positions."""

    def __init__(self, fen):
        rows = fen.split()[0].split("[")[0].split("/")
        self.cells, self.hands, self.side = {}, [], 0
        for index, row in enumerate(rows):
            column = 0
            for char in row:
                if char.isdigit():
                    column += int(char)
                else:
                    self.cells[letters(column) + str(len(rows) - index)] = char
                    column += 1

    def copy(self):
        other = copy.copy(self)
        other.cells, other.hands = dict(self.cells), list(self.hands)
        return other

    def play(self, move):
        if "@" in move:
            piece, cell = move.split("@")
            piece = piece.upper() if self.side == 0 else piece.lower()
            self.hands.remove(piece)
            self.cells[cell] = piece
        else:
            piece = self.cells.pop(move[:2])
            taken = self.cells.pop(move[2:4], None)
            if taken:
                self.hands.append(taken.lstrip("+").swapcase())
                self.hands.sort()
            self.cells[move[2:4]] = "+" * move.endswith("+") + piece
        self.side ^= 1

    def key(self):
        return (self.side, tuple(sorted(self.cells.items())),
                tuple(self.hands))


# --------------------------------------------------------------------------

def load(spec, peer=None):
    """The peer's game for a Tesuji spec.  `peer` is 'open_spiel' or 'pyffish';
    by default the one that plays the spec with our start position."""
    name, size, options = parse_spec(spec)
    columns, rows = size or (0, 0)
    fairy = peer == "pyffish"
    if name == "tictactoe" and not fairy:
        return SpielCells(spec, "tic_tac_toe()", 3, 3)
    if name == "connect4" and not fairy:
        columns, rows = size or (7, 6)
        return SpielConnect4(
            spec, f"connect_four(rows={rows},columns={columns})")
    if name == "breakthrough":
        columns, rows = size or (6, 6)
        if fairy:
            if size == (8, 8):
                return FairyGame(spec, "breakthrough", 8)
            return FairyGame(
                spec, f"tesuji_breakthrough{columns}x{rows}", rows)
        return SpielBreakthrough(spec, columns, rows)
    if name == "knightthrough" and peer in (None, "pyffish"):
        columns, rows = size or (8, 8)
        return FairyGame(spec, f"tesuji_knightthrough{columns}x{rows}", rows)
    if name == "othello":
        columns, rows = size or (8, 8)
        if columns != 8 or fairy:
            variant = "flipello" if columns == 8 else f"tesuji_othello{columns}"
            return FairyOthello(spec, variant, columns, flip=True)
        return SpielOthello(spec)
    if name == "hex" and not fairy:
        columns, rows = size or (11, 11)
        return SpielHex(spec, columns, rows, "swap" in options)
    if name == "go" and not fairy:
        if options.get("ko", "positional") != "positional":
            raise PeerError("open_spiel's Go supports positional superko only")
        return SpielGo(spec, columns or 9, options.get("komi", "7.5"))
    if name == "gomoku" and not fairy:
        columns, rows = size or (15, 15)
        line = int(options.get("k", 5))
        if "free" not in options:
            raise PeerError("in open_spiel longer lines win: add `free`")
        if columns == rows and columns >= 9:
            name = f"gomoku(size={columns},connect={line})"
        else:
            name = f"mnk(m={columns},n={rows},k={line})"
        return SpielCells(spec, name, columns, rows)
    if name == "awari" and options.get("rules") == "oware" and not fairy:
        return SpielOware(spec, "oware()")
    if name == "loa" and size in (None, (8, 8)) and not fairy:
        return SpielLoa(spec, "lines_of_action()")
    if name == "morpion" and options.get("rules") == "4d" and not fairy:
        return SpielMorpion(spec, "morpion_solitaire()")
    if name == "minishogi" and not options and peer != "open_spiel":
        return FairyMinishogi(spec, "minishogi", 5, occurrences=4)
    if name == "lion" and peer != "open_spiel":
        safe = options.get("try", "safe") == "safe"
        return FairyLion(spec, "dobutsu" if safe else "tesuji_lion_any", 4,
                         flip=True, occurrences=3)
    raise PeerError(f"no peer plays {spec}" + (f" ({peer})" if peer else ""))
