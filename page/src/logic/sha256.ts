// SHA-256 in plain code: the browser's own needs a secure origin, which a room in a home network does not have.

const ROUND = fractions(64, 1 / 3);
const START = fractions(8, 1 / 2);

/** SHA-256 of the text in UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  const state = Uint32Array.from(START);
  const padded = pad(new TextEncoder().encode(text));
  for (let at = 0; at < padded.byteLength; at += 64) mixIn(state, padded, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The first 32 bits of the fractional parts of roots of the first primes. */
function fractions(count: number, power: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    let prime = true;
    for (let factor = 2; factor * factor <= number; factor++) prime &&= number % factor !== 0;
    if (prime) found.push(((number ** power % 1) * 2 ** 32) >>> 0);
  }
  return found;
}

/** The padding: a one bit, zeros, and the length in bits. */
function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  return view;
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Process one block of 64 bytes. */
function mixIn(state: Uint32Array, block: DataView, at: number): void {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i++) words[i] = block.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15]!, words[i - 2]!];
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16]! + low + words[i - 7]! + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + ROUND[i]! + words[i]!) | 0;
    const most = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i]! + word;
  });
}
