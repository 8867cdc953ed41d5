import { constants } from 'node:os';

/** How a process ended. */
export type Ending =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals };

/** What a shell adds to a signal's number to make an exit code of it. */
const signalBase = 128;

/** Signals that write the memory of the process to disk: ours has values in it. */
const dumping = new Set<NodeJS.Signals>([
  ...(['SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGXCPU'] as const),
  ...(['SIGXFSZ', 'SIGSYS'] as const),
]);

/**
 * Ends this process as another one ended, so that whoever started it sees no difference.
 *
 * By the same signal, or with 128 and its number as a shell says it: after a signal that would dump a core, or one that does
 * not end us (SIGPIPE). Nobody may listen for the signal any more.
 */
export function endAs(ending: Ending): never {
  if (ending.kind === 'exited') process.exit(ending.code);
  const { signal } = ending;
  if (!dumping.has(signal)) process.kill(process.pid, signal);
  process.exit(signalBase + constants.signals[signal]);
}
