// Announcements for screen readers: events in words, cards by name.

import type { Event as RoomEvent, Scene } from "../wire.ts";
import { cardFace } from "./cards.ts";
import { GAMES } from "./games.ts";
import { listed } from "./words.ts";

/** The announcement of an event: for a street only its new cards, with a deal the user's own hand. */
export function spokenEvent(event: RoomEvent, scene: Scene): string {
  if (event.kind === "board") {
    const [street] = event.words.split(":");
    return `${street}: ${listed(newCards(event.cards).map(cardName))}`;
  }
  if (event.kind === "deal") return [event.words, ownHand(event, scene)].filter(Boolean).join(". ");
  return event.words.replace(/\b[2-9TJQKA][shdc]\b/g, (code) => (event.cards.includes(code) ? cardName(code) : code));
}

/** "Your cards: ace of spades and king of diamonds", if the scene belongs to this deal. */
function ownHand(event: RoomEvent, scene: Scene): string {
  const hand = scene.you === null || scene.hand !== event.hand ? [] : (scene.seats[scene.you]?.hand ?? []);
  if (hand.length === 0) return "";
  const { pieces, pieceName } = GAMES[scene.game];
  return `Your ${pieces}: ${listed(hand.map(pieceName))}`;
}

const newCards = (board: readonly string[]) => (board.length <= 3 ? board : board.slice(-1));
const cardName = (card: string) => cardFace(card).name;
