import { useEffect, useRef, useState } from 'react';

import type { HistoryPage, PortalStatus } from '../../contract/portal.ts';
import { readPortal, type PortalProblem } from './portal.ts';

/** What the window shows: the last thing it knew, when that was, and whether it still holds. */
export interface PortalView {
  readonly connection: { readonly kind: 'asking' } | { readonly kind: 'live' } | PortalProblem;
  readonly known:
    { readonly status: PortalStatus; readonly history: HistoryPage; readonly at: string } | undefined;
  /** Asks again now, without waiting for the browser's own next attempt. */
  readonly retry: () => void;
}

/**
 * Follows the portal: reads once, and again whenever the event stream tells of a change.
 *
 * Invariants:
 * 1. Nothing is polled. While the service is away the browser itself tries to reopen the stream.
 * 2. One reading at a time. Changes during a reading cause exactly one more, however many they are.
 * 3. What was shown stays until something newer is known; the connection says whether it still holds.
 */
export function usePortal(historyLimit: number): PortalView {
  const [view, setView] = useState<Omit<PortalView, 'retry'>>({
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

    async function read(): Promise<void> {
      isReadingAsked = true;
      if (isReading) return;
      isReading = true;
      while (isReadingAsked && !isOver()) {
        isReadingAsked = false;
        const [status, history] = await Promise.all([
          readPortal<PortalStatus>('status', abort.signal),
          readPortal<HistoryPage>(`history?limit=${historyLimit}`, abort.signal),
        ]);
        if (isOver()) return;
        if (status.kind === 'ok' && history.kind === 'ok') {
          const known = { status: status.value, history: history.value, at: new Date().toISOString() };
          setView({ connection: { kind: 'live' }, known });
        } else {
          const problem = status.kind !== 'ok' ? status : history;
          if (problem.kind !== 'ok') setView(({ known }) => ({ connection: problem, known }));
        }
      }
      isReading = false;
    }

    function open(): void {
      stream?.close();
      stream = new EventSource('/portal/events');
      stream.addEventListener('open', () => void read()); // also after a gap, in which changes may have been missed
      stream.addEventListener('change', () => void read());
      stream.addEventListener('reset', () => void read()); // too much was missed to be told one by one
      stream.addEventListener('error', () => void read()); // the reading finds out why, and says so
    }

    retryRef.current = () => {
      setView(({ known }) => ({ connection: { kind: 'asking' }, known }));
      open();
    };
    open();
    void read(); // without waiting for the stream
    return () => {
      abort.abort();
      stream?.close();
    };
  }, [historyLimit]);

  return { ...view, retry: () => retryRef.current() };
}
