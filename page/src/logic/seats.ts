// Where seats stand around the felt. One's own seat is at the bottom; the others follow clockwise.

export interface Place {
  readonly x: number; // percent of the felt's width, the middle of the seat
  readonly y: number;
}

/** The seat's place among `seats`, as `you` sees the table; a spectator sees seat 0 at the bottom. */
export function seatPlace(seat: number, seats: number, you: number | null, tall: boolean): Place {
  const turn = (((seat - (you ?? 0)) % seats) + seats) % seats;
  const angle = Math.PI / 2 + (2 * Math.PI * turn) / seats;
  const [wide, high] = tall ? [39, 41] : [42, 39];
  return { x: 50 + wide * squared(Math.cos(angle)), y: 50 + high * squared(Math.sin(angle)) };
}

/** Where the chips of that seat lie: toward the middle. */
export function betPlace(place: Place, share = 0.42): Place {
  return { x: place.x + (50 - place.x) * share, y: place.y + (50 - place.y) * share };
}

// A table is more a rounded box than an ellipse: the sides are pushed outward a little.
function squared(value: number): number {
  return Math.sign(value) * Math.abs(value) ** 0.86;
}
