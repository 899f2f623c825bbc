"""The games of Fairy-Stockfish, through pyffish."""

import copy

from notation import PeerError, disc_scores, letters, version

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
