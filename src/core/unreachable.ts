/** Closes a union: a missing case is a compile error, and a value outside of the type throws. */
export function unreachable(value: never): never {
  throw new Error(`A case that cannot be: ${JSON.stringify(value)}`);
}

/** Asserts an invariant that holds whatever a caller does. A violation is a bug, never invalid input. */
export function invariant(condition: boolean, statement: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${statement}`);
}
