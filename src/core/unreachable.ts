/** Closes a union: the compiler complains where a case is missing, the program where the types lied. */
export function unreachable(value: never): never {
  throw new Error(`A case that cannot be: ${JSON.stringify(value)}`);
}

/** States what must be true here whatever a caller does; a broken one is a bug of ours, never bad input. */
export function invariant(condition: boolean, statement: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${statement}`);
}
