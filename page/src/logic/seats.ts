// Positions of seats around the felt. The user's seat is at the bottom; the others follow clockwise.

export interface Place {
  readonly x: number; // percent of the felt's width; a seat at x is also shifted left by x percent of its own width,
  readonly y: number; // and likewise in height, so that no seat crosses the edge
}

/** The seat's place among `seats`, as `you` sees the table; a spectator sees seat 0 at the bottom. */
export function seatPlace(seat: number, seats: number, you: number | null): Place {
  const turn = (((seat - (you ?? 0)) % seats) + seats) % seats;
  const angle = Math.PI / 2 + (2 * Math.PI * turn) / seats;
  return { x: 50 + 49.5 * squared(Math.cos(angle)), y: 50 + 49.5 * squared(Math.sin(angle)) };
}

/** The position of a seat's chips: toward the middle, past the cards of a seat above or below it. */
export function betPlace({ x, y }: Place): Place {
  const middle = 1 - Math.abs(x - 50) / 50;
  const top = y < 25 && middle > 0.3;
  const across = top ? 0.56 : y > 75 ? 0.12 + middle * 0.54 : 0.12;
  const inward = top ? 0.2 : 0.46;
  return { x: x + (50 - x) * inward, y: y + (50 - y) * across };
}

// A table is more a rounded box than an ellipse: the corners are pushed outward a little.
function squared(value: number): number {
  const size = Math.abs(value);
  return size < 1e-9 ? 0 : Math.sign(value) * size ** 0.8;
}
