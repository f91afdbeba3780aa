// Made by tools/wire_types.py from the Python types in room/wire.py, scene.py, rest.py and study/views.py.

export const VERSION = 2
export const MOST_BYTES = 4096

/** The first message: asks for the events after `seen` (0: all). */
export interface Hello {
  v: 2
  type: 'hello'
  seen: number
}

/** Action number `at` of hand `hand`. Hold'em: 0 folds, 1 checks or calls, x + 1 raises to x. Perudo: see `Bid`. */
export interface Act {
  v: 2
  type: 'act'
  id: string
  hand: number
  at: number
  action: number
  say?: string
}

/** Chat. */
export interface Say {
  v: 2
  type: 'say'
  id: string
  text: string
}

/** Sit out from the next hand on, or come back. */
export interface SitOut {
  v: 2
  type: 'sit_out'
  id: string
  out: boolean
}

/** Buy chips up to the buy-in, with the next hand. */
export interface Rebuy {
  v: 2
  type: 'rebuy'
  id: string
}

/** Whether a losing hand is mucked at the showdown (the default). */
export interface Muck {
  v: 2
  type: 'muck'
  id: string
  auto: boolean
}

/** Perudo, when a match is over: play another. Any player with a seat may ask. */
export interface Rematch {
  v: 2
  type: 'rematch'
  id: string
}

/** Leave the seat. */
export interface Leave {
  v: 2
  type: 'leave'
  id: string
}

/** Host only: pause or resume the game; while paused, no clock runs and no one has to act. */
export interface Pause {
  v: 2
  type: 'pause'
  id: string
  paused: boolean
}

/** Host only: a bot takes an empty seat with the next hand. */
export interface PutMind {
  v: 2
  type: 'put_mind'
  id: string
  seat: number
  mind: string
}

/** Host only: the seat becomes empty with the next hand. */
export interface Remove {
  v: 2
  type: 'remove'
  id: string
  seat: number
}

/** Host only: the person in this seat loses it, and may not come back, watch or chat here. */
export interface Ban {
  v: 2
  type: 'ban'
  id: string
  seat: number
}

/** Host only: lift the ban with this number, as in `Scene.bans`. */
export interface LiftBan {
  v: 2
  type: 'lift_ban'
  id: string
  ban: number
}

/** Host only: no hand is dealt after this one. */
export interface CloseRoom {
  v: 2
  type: 'close'
  id: string
}

/** SHA-256 of a seed for the hand that `Scene.seed_for` names: the seeds shuffle its deck; see docs/room.md. */
export interface OfferSeed {
  v: 2
  type: 'offer_seed'
  id: string
  hand: number
  digest: string
}

/** The seed itself, 64 hexadecimal digits, sent when the deck is sealed (`Scene.sealed`). */
export interface RevealSeed {
  v: 2
  type: 'reveal_seed'
  id: string
  hand: number
  seed: string
}

/** Events without a gap, then the scene after the last one. `gap`: older events are no longer available. A frame with the end of a hand also has the moments of that end, from the last decision on, for a page to show one after another; the room deals the next hand after that time. */
export interface Frame {
  v: 2
  type: 'frame'
  number: number
  gap: boolean
  events: Event[]
  scene: Scene
  ending: EndStep[]
}

/** The request was applied and is on disk; every copy of it gets the same answer. */
export interface Ack {
  v: 2
  type: 'ack'
  id: string
  number: number
  note: string
}

/** A refused request, with the reason; `id` is empty if the message could not be parsed. */
export interface Refused {
  v: 2
  type: 'refused'
  id: string
  why: string
}

/** The last message before the server closes the socket; `again`: the page should reconnect. */
export interface Closing {
  v: 2
  type: 'closing'
  why: string
  again: boolean
}

/** An event: `text` for the log, the other fields for drawing it. Cards are `As`, dice `1` to `6`. */
export interface Event {
  number: number
  hand: number
  kind: 'seat' | 'deal' | 'act' | 'board' | 'show' | 'muck' | 'pay' | 'end' | 'chat' | 'notice'
  seat: number | null
  words: string
  cards: string[]
  chips: number
  at: number | null
}

/** One chair as the viewer sees it. `hand`: known cards or dice; `hidden`: number of unknown ones. */
export interface SeatScene {
  seat: number
  name: string
  mind: string | null
  state: 'empty' | 'in' | 'folded' | 'all-in' | 'out' | 'sitting out' | 'next hand'
  here: boolean
  chips: number
  bet: number
  last: string
  hand: string[]
  hidden: number
  lit: number[]
  made: string
  equity: number | null
}

export interface ScenePot {
  chips: number
  seats: number[]
}

/** The table of a hold'em game. */
export interface HoldemScene {
  type: 'holdem'
  board: string[]
  street: 'preflop' | 'flop' | 'turn' | 'river' | 'over'
  button: number
  blinds: number[]
  pot: number
  pots: ScenePot[]
  bet: number
  lit: number[]
}

/** A bid: count and face; `action` is the number to send in `Act`. */
export interface Bid {
  action: number
  count: number
  face: number
  seat: number | null
}

/** The table of a round of Perudo. */
export interface PerudoScene {
  type: 'perudo'
  total: number
  wild: boolean
  palifico: boolean
  standing: Bid | null
  bids: Bid[]
  found: number | null
}

/** A named raise: `half pot` and the total to raise to. */
export interface Size {
  name: string
  to: number
}

/** What a seat may do in hold'em. */
export interface HoldemChoices {
  type: 'holdem'
  fold: boolean
  call: number
  call_all_in: boolean
  least: number | null
  most: number | null
  sizes: Size[]
}

/** What a seat may do in Perudo. */
export interface PerudoChoices {
  type: 'perudo'
  dudo: number | null
  calza: number | null
  bids: Bid[]
}

/** The seat to act, the action's index, and the milliseconds left when this was sent; None without a clock. */
export interface Turn {
  seat: number
  at: number
  left: number | null
  whole: number | null
  bank: number
  grace: number
}

/** The headline in the middle of the table at the end of a hand. */
export interface News {
  words: string
  detail: string
  seats: number[]
  paid: number[]
}

/** One player of a finished match; the winner has place 1. */
export interface Standing {
  seat: number
  name: string
  place: number
  words: string
}

/** A finished match with its placings. */
export interface FinishedMatch {
  words: string
  winner: number
  rounds: number
  standings: Standing[]
  again: boolean
}

/** A ban in force, for the host to lift. `address`: also by address, not only by the person's token. */
export interface BanLine {
  ban: number
  name: string
  address: boolean
}

/** The sealed deck of the next hand: it can no longer change, and seeds may be revealed. */
export interface SealedDeck {
  hand: number
  commitment: string
  seeds: (string | null)[]
}

/** Everything to draw, for one viewer. */
export interface Scene {
  room: string
  title: string
  game: 'nlhe' | 'limit' | 'perudo'
  hand: number
  phase: 'waiting' | 'playing' | 'between' | 'paused' | 'over'
  why: string
  host: number | null
  you: number | null
  seats: SeatScene[]
  table: HoldemScene | PerudoScene | null
  turn: Turn | null
  choices: HoldemChoices | PerudoChoices | null
  muck: boolean
  may_rebuy: boolean
  commitment: string
  news: News | null
  match: FinishedMatch | null
  bans: BanLine[]
  seed_for: number | null
  sealed: SealedDeck | null
}

/** A moment of a hand's end: the scene, its last event, and how long it is shown. */
export interface EndStep {
  number: number
  milliseconds: number
  scene: Scene
}

/** A room to open; its opener is the host and takes seat 0. `minds`: for each other seat a bot, or null. */
export interface NewRoom {
  name: string
  title?: string
  game?: 'nlhe' | 'limit' | 'perudo'
  rules?: string
  minds?: (string | null)[]
  stack?: number
  blinds?: number[]
  dice?: number
  seconds?: number
  bank?: number
  pace?: 'calm' | 'usual' | 'quick' | 'brisk' | 'instant'
  open_cards?: boolean
  listed?: boolean
  llm?: boolean
  wait?: boolean
  password?: string
}

export interface Join {
  name: string
  seat?: number | null
  password?: string
}

export interface Watch {
  password?: string
}

export interface Enter {
  password: string
}

/** One axis of a style radar chart, from 0 to 1. */
export interface RadarFigure {
  name: string
  value: number
}

/** A bot that can be seated: `mind` is its id in requests. */
export interface Mind {
  mind: string
  name: string
  summary: string
  games: ('nlhe' | 'limit' | 'perudo')[]
  figures: RadarFigure[]
  lines: string[]
}

/** A preset: its name, and its rules in words. */
export interface Rules {
  name: string
  title: string
  card: string
}

export interface GameCard {
  game: 'nlhe' | 'limit' | 'perudo'
  title: string
  least_seats: number
  most_seats: number
  rules: Rules[]
}

export interface House {
  version: string
  password: boolean
  games: GameCard[]
  minds: Mind[]
  quick: NewRoom
  llm: string | null
  address: string | null
  entered: boolean
}

/** A room in a list. */
export interface RoomCard {
  room: string
  title: string
  game: 'nlhe' | 'limit' | 'perudo'
  rules: Rules
  seats: number
  empty: number
  people: string[]
  minds: string[]
  stack: number
  blinds: number[]
  seconds: number
  hand: number
  finished: number
  yours: number
  over: boolean
  listed: boolean
  llm: boolean
  you: number | null
  played: number | null
}

export interface RoomList {
  rooms: RoomCard[]
}

export interface Seated {
  room: string
  seat: number | null
  token: string
}

export interface Entered {
  token: string
}

/** A finished hand in a list. */
export interface HandLine {
  hand: number
  result: number | null
  total: number | null
  words: string
  board: string[]
  cards: string[]
}

export interface HandList {
  hands: HandLine[]
  more: boolean
}

export interface ReplayStep {
  event: Event
  scene: Scene
}

export interface Replay {
  hand: number
  steps: ReplayStep[]
}

export interface ThoughtLine {
  at: number
  seat: number
  name: string
  did: string
  words: string
  thought: string
}

export interface Thoughts {
  hand: number
  thoughts: ThoughtLine[]
}

/** Equities on a street, of your own and the shown hands. */
export interface StreetOdds {
  street: string
  board: string[]
  seats: number[]
  hands: string[]
  equities: number[]
}

export interface Odds {
  hand: number
  streets: StreetOdds[]
  words: string
}

/** A card or die that you may see, with the salt that opens its digest. */
export interface Opening {
  place: number
  whose: string
  value: string
  salt: string
}

/** The seed that a seat revealed. */
export interface UsedSeed {
  seat: number
  seed: string
}

/** The proof of a deal, available when the hand is over; docs/room.md explains the check. SHA-256 of `header` and all `digests`, one per line, is `commitment`; SHA-256 of `hand:place:value:salt` is the digest at that place. Deals of older versions have no header: their commitment is SHA-256 of all digests in a row. */
export interface Fairness {
  hand: number
  commitment: string
  digests: string[]
  openings: Opening[]
  words: string
  header: string
  seeds: UsedSeed[]
}

export interface SeenHand {
  seat: number
  cards: string[]
}

/** A player's notes during a hand, to check the proof against. */
export interface DealNotes {
  commitment: string
  seat: number | null
  seed: string | null
  hands: SeenHand[]
  board: string[]
}

/** A proof and the player's notes, as the page saves them for `tahur room fair` and docs/verify_deal.py. */
export interface DealFile {
  proof: Fairness
  notes: DealNotes
}

/** A spot in the library. `problem`: why it cannot be read or solved; `progress`: of solving, from 0 to 1. */
export interface SpotCard {
  spot: string
  name: string
  shelf: boolean
  state: 'solved' | 'unsolved' | 'waiting' | 'solving' | 'unreadable'
  about: string
  board: string[]
  pot: number
  stack: number
  unit: string
  exploitability: number | null
  iterations: number | null
  size: number
  saved: number | null
  seconds: number
  progress: number
  problem: string
}

/** All spots. `operator`: whether this browser may import, solve, rename and delete. */
export interface Shelves {
  operator: boolean
  spots: SpotCard[]
  most_upload: number
}

/** A new name for a spot. */
export interface Rename {
  name: string
}

/** A change of the library is done; `spot` is the spot that it concerned. */
export interface Changed {
  spot: string
}

/** A decision or a card on the way to a node: what could be chosen, and what was. */
export interface TrailStep {
  kind: 'decision' | 'card'
  seat: number | null
  pot: number
  options: string[]
  taken: string
}

/** A move of the seat to act. `share`: a bet or a raise in pots, after calling; `ev`: of the hands that make it. */
export interface MoveView {
  name: string
  kind: 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'all-in'
  amount: string
  share: number | null
  frequency: number
  combos: number
  ev: number | null
  then: string
}

/** A seat's range at a node; `hands` has four characters for each hand, and each list one number for each. `weight`: in the range, times the probability that its own moves lead here; `equity` in thousandths. */
export interface SeatView {
  name: string
  ev: number | null
  equity: number | null
  realized: number | null
  combos: number
  hands: string
  weight: number[]
  evs: (number | null)[]
  equities: (number | null)[]
}

/** A node. `strategy` and `move_evs` have a list for each move, with a number for each hand of the seat to act. Frequencies in `strategy` are in thousandths. `complete`: whether EVs and equities are included. */
export interface NodeView {
  spot: string
  kind: 'decision' | 'card' | 'end'
  complete: boolean
  board: string[]
  pot: number
  to_call: number
  stacks: number[]
  unit: string
  reach: number
  seat: number | null
  outcome: string
  trail: TrailStep[]
  moves: MoveView[]
  seats: SeatView[]
  strategy: number[][]
  move_evs: ((number | null)[])[]
  exploitability: number
  iterations: number
}

/** A next card: the frequencies of the next decision's moves, and both seats' EVs. */
export interface RunoutCard {
  card: string
  frequencies: number[]
  evs: number[]
}

/** All cards that can come next. The moves are the same on each. */
export interface RunoutsView {
  seat: number
  moves: MoveView[]
  cards: RunoutCard[]
  complete: boolean
}

export type ToServer = Hello | Act | Say | SitOut | Rebuy | Muck | Rematch | Leave | OfferSeed | RevealSeed | Pause | PutMind | Remove | Ban | LiftBan | CloseRoom

export type ToClient = Frame | Ack | Refused | Closing
