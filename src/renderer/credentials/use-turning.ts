import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { CredentialView } from '../../contract/credential-view.ts';
import type { Resource } from '../kit/live/resource.ts';
import { noteStale } from '../kit/live/stale-parts.ts';

/** Longer timers than this overflow; a machine that slept is found out by the stream, which opens anew. */
const longestMs = 3_600_000;
/** After the instant: the service's clock may be read a moment later than ours. */
const graceMs = 250;

/** An instant at which time alone changes what is true of a credential: nobody tells of it. */
interface Turning {
  readonly at: string;
  readonly id: string;
}

export function turningInstants(one: CredentialView): Turning[] {
  return [one.expires_at, one.next_rotation_at, one.paused?.until ?? null]
    .filter((at) => at !== null)
    .map((at) => ({ at, id: one.id }));
}

/** Has what turns read again when the next of these instants has come: a pause that ends, a value that expires. */
export function useTurning({ key }: Pick<Resource<unknown>, 'key'>, instants: readonly Turning[]): void {
  const cache = useQueryClient();
  // As texts, which are the same as long as they say the same.
  const name = JSON.stringify(key);
  const all = JSON.stringify(instants.toSorted((one, other) => (one.at < other.at ? -1 : 1)));

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turnings = JSON.parse(all) as Turning[];
    const wait = (): void => {
      const fromMs = Date.now();
      const next = turnings.find(({ at }) => Date.parse(at) > fromMs);
      if (next === undefined) return;
      const leftMs = Date.parse(next.at) - fromMs + graceMs;
      timer = setTimeout(
        () => {
          if (leftMs <= longestMs) {
            const query = { queryKey: JSON.parse(name) as string[], exact: true };
            const known = cache.getQueryCache().find(query);
            for (const { at, id } of turnings)
              if (known !== undefined && Date.parse(at) > fromMs && Date.parse(at) <= Date.now())
                noteStale(known, id);
            void cache.invalidateQueries(query);
          }
          wait();
        },
        Math.min(leftMs, longestMs),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [cache, name, all]);
}
