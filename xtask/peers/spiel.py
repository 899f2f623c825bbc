"""The games of open_spiel."""

from notation import PeerError, disc_scores, letters, version


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
