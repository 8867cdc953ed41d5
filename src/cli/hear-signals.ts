import { isInForeground } from './in-foreground.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const;
export type ForwardedSignal = (typeof forwarded)[number];

/** Signals that a terminal sends to everybody in its foreground: by a key, or because it changed its size. */
const sentByTerminals = new Set<NodeJS.Signals>(['SIGINT', 'SIGQUIT', 'SIGWINCH']);

/** What a signal is for the one who handles it: `isReceived` when the child has had it from the terminal already. */
export interface SignalNews {
  readonly signal: ForwardedSignal;
  readonly isReceived: boolean;
}

/**
 * Hears every signal that is meant for the command instead of ending by it, until the returned function is called.
 *
 * A key of the terminal reaches a child in our process group without us; sent on, it would arrive twice, and many programs
 * take a second Ctrl-C as “at once”. Who sent a signal cannot be seen from Node, so in the foreground of a terminal these
 * count as keys.
 */
export function hearSignals(act: (news: SignalNews) => void): () => void {
  const listeners = forwarded.map((signal) => {
    const listener = (): void => act({ signal, isReceived: reachesAll(signal) });
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

function reachesAll(signal: ForwardedSignal): boolean {
  // On Windows these come from the console, to everybody in it; sending one would end the child without a word.
  if (process.platform === 'win32') return true;
  return sentByTerminals.has(signal) && isInForeground();
}
