import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { Resource } from '../kit/live/resource.ts';

/** How long what time alone changes may lag behind, in milliseconds. */
const lagMs = 5 * 60_000;

/**
 * Reads some things again every few minutes, while they are shown.
 *
 * Not for changes, which the stream tells: a token comes near its end without one.
 */
export function useReadAgain(resources: readonly Pick<Resource<unknown>, 'key'>[]): void {
  const cache = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      for (const { key } of resources) void cache.invalidateQueries({ queryKey: key, exact: true });
    }, lagMs);
    return () => clearInterval(timer);
  }, [cache, resources]);
}
