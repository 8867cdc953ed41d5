import type { z } from 'zod';

/**
 * What a query schema of the contract takes of an address, which has its parts by these names.
 *
 * What the contract would refuse is left out: an address can be typed, and is no reason to show nothing.
 */
export function readFilters<S extends Readonly<Record<string, z.ZodType>>, P extends keyof S & string>(
  shape: S,
  names: Readonly<Record<P, string>>,
  address: URLSearchParams,
): { [K in P]?: NonNullable<z.output<S[K]>> } {
  const read: { [K in P]?: NonNullable<z.output<S[K]>> } = {};
  for (const part of Object.keys(names) as P[]) {
    const value = address.get(names[part]);
    if (value === null || value === '') continue;
    const parsed = shape[part]?.safeParse(value);
    if (parsed?.success) read[part] = parsed.data as NonNullable<z.output<S[P]>>;
  }
  return read;
}

/** Whether the address leaves something out of a list. */
export function isNarrowedBy(address: URLSearchParams, names: readonly string[]): boolean {
  return names.some((name) => (address.get(name) ?? '').trim() !== '');
}
