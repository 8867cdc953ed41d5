/** How many parts an edit is about, in words. */
export function countedParts(count: number): string {
  return count === 1 ? 'a part' : `${count} parts`;
}
