import { useEffect, useRef, useState } from 'react';

import type { PortalProblem, PortalReply } from './portal-reply.ts';

/** What a window shows: the last thing it knew, when that was, and whether it still holds. */
export interface LiveView<T> {
  readonly connection: { readonly kind: 'asking' } | { readonly kind: 'live' } | PortalProblem;
  readonly known: { readonly value: T; readonly at: string } | undefined;
  /** Asks again now, without waiting for the browser's own next attempt. */
  readonly retry: () => void;
}

/** Asks the portal for what a window shows. Define it outside the component: another function is another question. */
export type Read<T> = (signal: AbortSignal) => Promise<PortalReply<T>>;

/**
 * Follows the portal: reads once, and again whenever the event stream tells of a change.
 *
 * `subject` is the beginning of the kinds of change that matter (`ivr.`); without it all of them do.
 *
 * Invariants:
 * 1. Nothing is polled. While the service is away the browser itself tries to reopen the stream.
 * 2. One reading at a time. Changes during a reading cause exactly one more, however many they are.
 * 3. What was shown stays until something newer is known; the connection says whether it still holds.
 */
export function useLive<T>(read: Read<T>, subject = ''): LiveView<T> {
  const [view, setView] = useState<Omit<LiveView<T>, 'retry'>>({
    connection: { kind: 'asking' },
    known: undefined,
  });
  const retryRef = useRef<() => void>(() => undefined);

  useEffect(() => {
    const abort = new AbortController();
    const isOver = (): boolean => abort.signal.aborted;
    let stream: EventSource | undefined;
    let isReading = false;
    let isReadingAsked = false;

    async function readAgain(): Promise<void> {
      isReadingAsked = true;
      if (isReading) return;
      isReading = true;
      while (isReadingAsked && !isOver()) {
        isReadingAsked = false;
        let reply: PortalReply<T>;
        try {
          reply = await read(abort.signal);
        } catch (error) {
          if (isOver()) return; // the question was withdrawn
          throw error;
        }
        if (isOver()) return;
        if (reply.kind === 'ok') {
          const known = { value: reply.value, at: new Date().toISOString() };
          setView({ connection: { kind: 'live' }, known });
        } else setView(({ known }) => ({ connection: reply, known }));
      }
      isReading = false;
    }

    function open(): void {
      stream?.close();
      stream = new EventSource('/portal/events');
      stream.addEventListener('open', () => void readAgain()); // also after a gap, in which changes may have been missed
      stream.addEventListener('change', (event) => {
        if (kindOf(event).startsWith(subject)) void readAgain();
      });
      stream.addEventListener('reset', () => void readAgain()); // too much was missed to be told one by one
      stream.addEventListener('error', () => void readAgain()); // the reading finds out why, and says so
    }

    retryRef.current = () => {
      setView(({ known }) => ({ connection: { kind: 'asking' }, known }));
      open();
    };
    open();
    void readAgain(); // without waiting for the stream
    return () => {
      abort.abort();
      stream?.close();
    };
  }, [read, subject]);

  return { ...view, retry: () => retryRef.current() };
}

/** The kind that a notice tells of: a `ChangeNotice`, by the service's own promise. */
function kindOf({ data }: MessageEvent): string {
  return (JSON.parse(String(data)) as { kind: string }).kind;
}
