import type { PortalStatus } from '../../../contract/service/portal.ts';
import { type PortalProblem, type PortalReply, readPortal } from '../read-portal.ts';

/** Asks the portal for what a window shows. */
export type Read<T> = (signal: AbortSignal) => Promise<PortalReply<T>>;

/** Something of the service's that windows show. */
export interface Resource<T> {
  /** What it is called in the window's cache: the same key, the same answer. */
  readonly key: readonly (string | number)[];
  /** The beginnings of those kinds of change after which it is read again (`token.`); none: after every change. */
  readonly about: readonly string[];
  readonly read: Read<T>;
  /**
   * Reads only what a few changes are about, and answers how to put it into what is known: for what is too large to be read
   * whole after each change. `subjects` are those of the changes. Null: all of it has to be read.
   */
  readonly readPart?: (
    known: T,
    subjects: ReadonlySet<string>,
    signal: AbortSignal,
  ) => Promise<PortalReply<(known: T) => T>> | null;
  /** Whether the answer to another key may stand there until this one's is known: the rows of the filter before. */
  readonly keepsPrevious?: boolean;
}

/** What a window shows: the last thing it knew, when that was, and whether it still holds. */
export interface LiveView<T> {
  readonly connection: { readonly kind: 'asking' } | { readonly kind: 'live' } | PortalProblem;
  readonly known: { readonly value: T; readonly at: string } | undefined;
  /** Asks again now, without waiting for the stream's own next attempt. */
  readonly retry: () => void;
}

/** How the service is, what it counts, and where it answers. */
export const portalStatus: Resource<PortalStatus> = {
  key: ['status'],
  about: [],
  read: (signal) => readPortal('status', signal),
};
