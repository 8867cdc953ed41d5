import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PortalProblem } from '../read-portal.ts';
import { changeStream } from './change-stream.ts';
import type { LiveView, Resource } from './resource.ts';
import { readStale } from './window-cache.ts';

/** In a box of its own: an answer may be anything, also nothing. */
interface Answer<T> {
  readonly value: T;
}

/**
 * Shows something of the service's as it is: read once, and again whenever the event stream tells of a change.
 *
 * A window's first question waits until the stream is open, or has turned out not to be: then the question says why.
 * What was shown stays until something newer is known; the connection says whether it still holds.
 */
export function useLive<T>(resource: Resource<T>): LiveView<T> {
  const { key, about, keepsPrevious = false } = resource;
  const cache = useQueryClient();
  const [isRetrying, setRetrying] = useState(false);
  const { data, dataUpdatedAt, error } = useQuery<Answer<T>>({
    queryKey: key,
    meta: { about },
    queryFn: async ({ signal }) => {
      await changeStream.begun; // a change between an earlier answer and the stream's opening would be missed
      const reply = await readStale(cache, resource, signal);
      if (reply.kind !== 'ok') throw new PortalTrouble(reply);
      return { value: reply.value };
    },
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    // Anything else is a mistake of ours, for the boundary around the view.
    throwOnError: (thrown) => !(thrown instanceof PortalTrouble),
  });
  const known = useMemo(
    () => (data === undefined ? undefined : { value: data.value, at: new Date(dataUpdatedAt).toISOString() }),
    [data, dataUpdatedAt],
  );

  return {
    connection: connectionOf({ isRetrying, isKnown: data !== undefined, error }),
    known,
    retry: () => {
      setRetrying(true);
      changeStream.open();
      void cache.refetchQueries({ queryKey: key, exact: true }).finally(() => setRetrying(false));
    },
  };
}

function connectionOf({
  isRetrying,
  isKnown,
  error,
}: {
  isRetrying: boolean;
  isKnown: boolean;
  error: Error | null;
}): LiveView<unknown>['connection'] {
  if (isRetrying) return { kind: 'asking' };
  if (error instanceof PortalTrouble) return error.problem;
  return isKnown ? { kind: 'live' } : { kind: 'asking' };
}

type Values<L extends Readonly<Record<string, LiveView<unknown>>>> = {
  readonly [K in keyof L]: L[K] extends LiveView<infer T> ? T : never;
};

/**
 * Several things that a view shows, as one: known when all of them are, as live as the least live of them.
 *
 * The instant is that of the oldest.
 */
export function combineLive<L extends Readonly<Record<string, LiveView<unknown>>>>(
  lives: L,
): LiveView<Values<L>> {
  const parts = Object.entries(lives);
  const views = parts.map(([, view]) => view);
  const connection = views.find(({ connection: { kind } }) => kind !== 'live' && kind !== 'asking')
    ?.connection ??
    views.find(({ connection: { kind } }) => kind === 'asking')?.connection ?? { kind: 'live' };
  const instants = views.flatMap(({ known }) => known?.at ?? []).sort();
  const isKnown = instants.length === views.length;
  return {
    connection,
    known:
      isKnown && instants[0] !== undefined
        ? {
            value: Object.fromEntries(parts.map(([name, view]) => [name, view.known?.value])) as Values<L>,
            at: instants[0],
          }
        : undefined,
    retry: () => {
      for (const view of views) view.retry();
    },
  };
}

/** The portal gave no answer that can be shown. How the cache is told; nobody else throws it. */
class PortalTrouble extends Error {
  readonly problem: PortalProblem;

  constructor(problem: PortalProblem) {
    super(problem.kind);
    this.name = 'PortalTrouble';
    this.problem = problem;
  }
}
