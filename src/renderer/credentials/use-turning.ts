import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { CredentialView } from '../../contract/credential-view.ts';
import type { Resource } from '../kit/live/resource.ts';

/** Longer timers than this overflow; a machine that slept is found out by the stream, which opens anew. */
const longestMs = 3_600_000;
/** After the instant: the service's clock may be read a moment later than ours. */
const graceMs = 250;

/** The instants at which time alone changes what is true of a credential: nobody tells of them. */
export function turningInstants(one: CredentialView): string[] {
  return [one.expires_at, one.next_rotation_at, one.paused?.until ?? null].filter((at) => at !== null);
}

/** Has something read again when the next of these instants has come: a pause that ends, a value that expires. */
export function useTurning({ key }: Resource<unknown>, instants: readonly string[]): void {
  const cache = useQueryClient();
  // As texts, which are the same as long as they say the same.
  const name = JSON.stringify(key);
  const all = JSON.stringify(instants.toSorted());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      const next = (JSON.parse(all) as string[]).find((at) => Date.parse(at) > Date.now());
      if (next === undefined) return;
      const leftMs = Date.parse(next) - Date.now() + graceMs;
      timer = setTimeout(
        () => {
          if (leftMs <= longestMs) {
            const queryKey = JSON.parse(name) as string[];
            void cache.invalidateQueries({ queryKey, exact: true });
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
