/**
 * The types of the messages; `docs/web-protocol.md` describes them.
 *
 * @typedef {{ symbol: string, owner: number | null }} Piece
 * @typedef {{ name: string, column: number, row: number, piece: Piece | null }} Cell
 * @typedef {{ title: string, owner: number | null, pieces: [string, number][] }} Hand
 * @typedef {{ shape: "square" | "hex" | "mancala" | "list", column_labels: string[], cells: Cell[], lines: [string, string][], hands: Hand[] }} View
 * @typedef {{ text: string, clicks: string[] }} LegalMove
 * @typedef {{ scores: number[], verdicts: string[], by_past: boolean, reason: string | null, cells: string[], words: string }} Ending
 * @typedef {{ players: number, scores: [number, number], draws: boolean }} Facts
 * @typedef {{ time?: number | null, playouts?: number | null, nodes?: number | null, memory?: number | null, threads?: number | null }} Limits
 * @typedef {{ seconds: number, increment: number }} ClockSettings
 * @typedef {{ kind: "person" } | { kind: "engine", player: string, limits: Limits }} Seat
 *
 * The style in which a game is drawn, and what a click selects: the move of its cell, of its column
 * or of its group.
 * @typedef {object} Look
 * @property {"plain" | "points" | "chequer" | "felt" | "holes" | "tiles"} board
 * @property {"stone" | "disc" | "point" | "mark" | "ball" | "pawn" | "knight" | "shogi" | "animals" | "tile" | "seeds" | "text"} piece
 * @property {string[]} tones by seat
 * @property {"cell" | "column" | "group"} reach
 * @property {Record<string, string>} names of pieces, by symbol
 *
 * @typedef {object} State
 * @property {string} game
 * @property {string} title
 * @property {Look} look
 * @property {boolean} sgf
 * @property {boolean} owners whether the game is about owning cells
 * @property {boolean} problems whether positions can be Go problems
 * @property {string} position
 * @property {string} start
 * @property {Facts} facts
 * @property {string[]} players
 * @property {number | null} to_move
 * @property {Ending | null} ending
 * @property {string[]} moves
 * @property {number} ply
 * @property {LegalMove[]} legal
 * @property {View} view
 * @property {string | null} last
 * @property {Seat[]} seats
 * @property {boolean} running
 * @property {number[] | null} clocks
 * @property {(number | null)[]} values
 *
 * @typedef {{ proof: number | "inf", disproof: number | "inf" }} ProofNumbers
 * @typedef {{ player: number, at_least: number, at_most: number }} Bounds
 * @typedef {{ playouts: number, nodes: number, expansions: number, depth: number, hits: number, recycled: number, bytes: number }} Counters
 * @typedef {{ seconds: number, playouts_per_second: number, nodes_per_second: number }} Timing
 *
 * A candidate move. A search that counts no visits has null there and the depth of its search in
 * `depth`; with the bound "upper" the value is only known to be at most this.
 * @typedef {object} RootMove
 * @property {string} move
 * @property {number | null} visits
 * @property {number | null} [depth]
 * @property {"upper" | null} [bound]
 * @property {number | null} value
 * @property {number | null} spread
 * @property {ProofNumbers | null} proof_numbers
 * @property {Bounds} bounds
 *
 * @typedef {object} Report
 * @property {string | null} best
 * @property {number} value
 * @property {Bounds} bounds
 * @property {ProofNumbers | null} proof_numbers
 * @property {string[]} variation
 * @property {RootMove[]} moves
 * @property {{ score: number, found_at_playout: number, moves: string[] }} [solution]
 * @property {Counters} counters
 * @property {string} stopped
 *
 * @typedef {{ event: "thinking" | "thought", player: string, search: string, ply: number, left?: boolean, report: Report, timing: Timing, ownership?: number[] }} Thought
 * @typedef {{ event: "solving", stage: string, question: string | null, positions: number | null, proof: number | "inf" | null, disproof: number | "inf" | null, nodes: number, nodes_per_second: number, fill: number | null, line: string[] }} SolverProgress
 *
 * @typedef {object} SolverResult
 * @property {"solved"} event
 * @property {number} ply
 * @property {boolean} left
 * @property {boolean} solved
 * @property {string} solver
 * @property {string | null} value
 * @property {Bounds | null} bounds
 * @property {string | null} move
 * @property {{ name: string, words: string | null, solved: boolean }[]} sides
 * @property {string[]} line
 * @property {Counters} counters
 * @property {{ seconds: number, nodes_per_second: number }} timing
 * @property {string | null} proof
 * @property {string | null} why_no_proof
 *
 * A Go problem before it is solved; without targets only what is given.
 * @typedef {{ goal: string | null, targets: string[], region: string[], given: string[] | null }} PosedProblem
 *
 * @typedef {object} ProblemAnswer
 * @property {number} ply
 * @property {boolean} left
 * @property {string} question
 * @property {string} verdict_words
 * @property {string[]} notes
 * @property {boolean} decided
 * @property {string} goal
 * @property {string[]} target_points
 * @property {string[]} region_points
 * @property {string} region
 * @property {number} empty_points
 * @property {{ move: string, succeeds: boolean | null }[]} moves
 * @property {string[]} line
 * @property {string} solver
 * @property {number} nodes
 * @property {{ seconds: number }} timing
 *
 * @typedef {{ move: string, succeeds: boolean | null, line: string[], words: string, left: boolean }} Refutation
 * @typedef {{ proof: string | null, why_no_proof: string | null, left: boolean }} ProvenProblem
 *
 * @typedef {{ line: string[], moves: RootMove[] | null, state: State }} TreeContent
 * @typedef {{ state: State, claim: number, claims: string[], longest: number | null, line: string[], reply: string | null, done: boolean, words: string, replies: string[] }} WalkStep
 * @typedef {{ words: string, kind: string, positions: number, longest: number | null }} Claim
 * @typedef {{ verified: boolean, game?: string, root?: string, claims?: Claim[], positions?: number, bytes?: number, error?: string, proof?: string | null }} Verification
 * @typedef {{ title: string }} ListedGame
 * @typedef {{ kind: string, total: number, games: ListedGame[] }} FileListing
 *
 * @typedef {{ key: string, accepted: string, default: string, meaning: string }} OptionInfo
 * @typedef {{ name: string, title: string, players: string[], goal: string, rules: string, solved: string, options: OptionInfo[], facts: Facts, look: Look }} GameInfo
 * @typedef {{ name: string, summary: string, options: OptionInfo[], solves: boolean }} SearchInfo
 * @typedef {{ game: string, search: string }} AutoPlayer
 */

export {};
