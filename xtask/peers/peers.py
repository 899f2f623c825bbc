"""Other programs' games behind one interface, in Tesuji's notation.

Every peer game is wrapped in a class with the same interface: the legal moves
(as our move texts), playing one, and the final scores.  perft.py and
differential.py use only that interface.

Nothing here re-implements a game's rules.  Where our rules and a peer's differ,
the wrapper reports a "disputed" end, and the callers cut the game there.
"""

from fairy import (
    FairyGame, FairyLion, FairyMinishogi, FairyOthello)
# Callers find these here.
from notation import (  # noqa: F401
    FNV_START, PeerError, REPOSITORY, fnv1a, mix, parse_spec, version)
from spiel import (
    SpielBreakthrough, SpielCells, SpielConnect4, SpielGame, SpielGo,
    SpielHex, SpielLoa, SpielMorpion, SpielOthello, SpielOware)


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
