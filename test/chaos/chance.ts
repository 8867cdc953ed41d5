/** Repeatable random numbers: the same seed, the same numbers (mulberry32). */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, between: (least, most) => least + Math.floor(next() * (most - least + 1)) };
}

/** The seed of this run: `ROTAVOX_CHAOS_SEED`, or a new one. */
export function chosenSeed(): number {
  const chosen = process.env['ROTAVOX_CHAOS_SEED'];
  return chosen === undefined ? Math.floor(Math.random() * 4_294_967_296) : Number(chosen);
}
