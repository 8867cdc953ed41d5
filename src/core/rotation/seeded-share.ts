/**
 * A share from 0 to below 1 that looks like chance and is the same for the same seed, on every machine.
 *
 * FNV-1a (32 bits, over UTF-16 units) ended by the finalizer of MurmurHash3. FNV-1a alone leaves seeds that differ in
 * their last character next to each other: generations 1 to 9 of a credential would all fall on one spot. Changing
 * this moves every due time; it protects nothing.
 */
export function seededShare(seed: string): number {
  return finalize(fnv1a(seed)) / 2 ** 32;
}

/** http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash;
}

/** `fmix32` of https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp */
function finalize(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
