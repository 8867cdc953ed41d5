import { constants } from 'node:os';

/** How a process ended. */
export type Ending =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals };

/** A shell adds this to the number of a signal to make an exit code. */
const signalBase = 128;

/** Signals that write the memory of the process to disk: ours contains tokens. */
const dumping = new Set<NodeJS.Signals>([
  ...(['SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGXCPU'] as const),
  ...(['SIGXFSZ', 'SIGSYS'] as const),
]);

/**
 * Ends this process as another one ended, so that its caller sees no difference.
 *
 * By the same signal, or with 128 plus its number, as a shell does, after a signal that would write a core dump or that does
 * not end this process (SIGPIPE). There may be no listener for the signal any more.
 */
export function endAs(ending: Ending): never {
  if (ending.kind === 'exited') process.exit(ending.code);
  const { signal } = ending;
  if (!dumping.has(signal)) process.kill(process.pid, signal);
  process.exit(signalBase + constants.signals[signal]);
}
