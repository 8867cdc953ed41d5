/** Stretches of samples as one. */
export function joined(blocks: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(blocks.reduce((length, block) => length + block.length, 0));
  let place = 0;
  for (const block of blocks) {
    all.set(block, place);
    place += block.length;
  }
  return all;
}
