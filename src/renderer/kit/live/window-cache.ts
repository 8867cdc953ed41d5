import { type Query, QueryClient } from '@tanstack/react-query';
import type { PortalReply } from '../read-portal.ts';
import type { Resource } from './resource.ts';

/** How long an answer is kept that no view shows any more, in milliseconds. */
const keptMs = 5 * 60_000;

/**
 * What this window knows of the service.
 *
 * Nothing in it grows old by itself: `follow-changes.ts` says when something has changed. Nothing is asked again because
 * an attempt failed, the window was looked at or a network came back, for the stream tells all of that.
 */
export const windowCache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      gcTime: keptMs,
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});

/** Puts what the answer to our own change said in the place of what was known, before the stream tells of it. */
export function changeKnown<T>(cache: QueryClient, { key }: Resource<T>, change: (known: T) => T): void {
  cache.setQueryData<{ readonly value: T }>(key, (known) => known && { value: change(known.value) });
}

/** After more changes than this all is read: so many are asked for at once. */
const mostSubjects = 100;

/** What each known thing lacks: the subjects of the changes since it was read; null when that is all of it. */
const stale = new WeakMap<Query, Set<string> | null>();

/** Notes that a thing lacks what changed of a subject; null when it is not known what changed. */
export function noteStale(query: Query, subject: string | null): void {
  const noted = stale.has(query) ? stale.get(query) : new Set<string>();
  const isKnown = noted && subject !== null && noted.size < mostSubjects;
  stale.set(query, isKnown ? noted.add(subject) : null);
}

/**
 * Reads a thing: only what it lacks, where that is known and the thing can be read in parts.
 *
 * What is noted meanwhile is for the next reading. After one that fails, or is withdrawn, all of it is read.
 */
export async function readStale<T>(
  cache: QueryClient,
  resource: Pick<Resource<T>, 'key' | 'read' | 'readPart'>,
  signal: AbortSignal,
): Promise<PortalReply<T>> {
  const query = cache.getQueryCache().find({ queryKey: resource.key, exact: true });
  if (query === undefined) return resource.read(signal);
  const subjects = stale.get(query) ?? null;
  stale.delete(query);
  let reply: PortalReply<T> | undefined;
  try {
    reply = await readLacking(
      resource,
      () => cache.getQueryData<{ value: T }>(resource.key),
      subjects,
      signal,
    );
    return reply;
  } finally {
    if (reply?.kind !== 'ok') noteStale(query, null);
  }
}

async function readLacking<T>(
  { read, readPart }: Pick<Resource<T>, 'read' | 'readPart'>,
  known: () => { readonly value: T } | undefined,
  subjects: ReadonlySet<string> | null,
  signal: AbortSignal,
): Promise<PortalReply<T>> {
  const before = known();
  const part = before && subjects && (await readPart?.(before.value, subjects, signal));
  if (!part) return read(signal);
  // Into what is known now: the answer to a change of our own may have come meanwhile.
  return part.kind === 'ok' ? { kind: 'ok', value: part.value((known() ?? before).value) } : part;
}
