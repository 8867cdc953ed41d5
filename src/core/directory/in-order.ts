const digits = /^\d+$/;

/** Entries by id as a person looks them up: numbers by their value, before everything else. */
export function inOrder<Entry extends { readonly id: string }>(entries: Iterable<Entry>): Entry[] {
  return [...entries].sort((one, other) => compareIds(one.id, other.id));
}

function compareIds(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [digits.test(one), digits.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return (isNumber ? compareNumbers(one, other) : 0) || (one < other ? -1 : one > other ? 1 : 0);
}

/** By length and then by digits: an id may be longer than a number can be exact. */
function compareNumbers(one: string, other: string): number {
  const [value, otherValue] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  if (value.length !== otherValue.length) return value.length - otherValue.length;
  return value < otherValue ? -1 : value > otherValue ? 1 : 0;
}
