import type { QueryClient } from '@tanstack/react-query';

import type { Resource } from './resource.ts';

/** Puts what the answer to our own change said in the place of what was known, before the stream tells of it. */
export function changeKnown<T>(cache: QueryClient, { key }: Resource<T>, change: (known: T) => T): void {
  cache.setQueryData<{ readonly value: T }>(key, (known) => known && { value: change(known.value) });
}
