import type { Query, QueryClient } from '@tanstack/react-query';

import type { PortalReply } from '../portal-reply.ts';
import type { Resource } from './resource.ts';

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
