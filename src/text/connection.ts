/** What a window says while it is not connected to the service. */
export const connectionText = {
  retry: 'Retry',
  signedOut: {
    title: 'This window is not signed in',
    text: 'Only the owner can see the state of Rotavox. This command makes a one-time sign-in link and opens it:',
    command: 'the command for a sign-in link',
  },
  refused: 'The service runs, but did not return its state',
  unreachable: (reason: string) => `The service does not answer: ${reason}`,
  asOf: 'The state shown is as of {time}.',
  notRunning: 'Tokens cannot be rotated until the service runs again. This window reconnects when it does.',
  notStarted: 'Start the service with npm start, or rotavox serve.',
  state: {
    live: 'Running',
    refusing: 'Refusing changes',
    asking: 'Asking',
    signedOut: 'Signed out',
    refused: 'Failing',
    unreachable: 'Not answering',
  },
} as const;

/** Why the service gave no answer that can be shown, as the end of a sentence. */
export const noAnswerText = {
  notListening: 'nothing listens at its address any more',
  brokenOff: (reason: string) => `its answer broke off (${reason})`,
} as const;

/** A refusal without a message of its own. */
export function statusText(status: number, text: string): string {
  return `It answered with ${status} ${text}.`;
}

/** Why something was not done. */
export type Problem =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unreachable'; readonly reason: string };

/**
 * Why something was not done, and what to do.
 *
 * `change` completes "whether …" (`a token was issued`), for a request that may have been carried out although no answer
 * came. Leave it out where nothing is changed.
 */
export function problemText(problem: Problem, change?: string): string {
  switch (problem.kind) {
    case 'refused':
      return problem.reason;
    case 'signed-out':
      return 'This window is no longer signed in. Make a new sign-in link with “rotavox open”.';
    case 'unreachable': {
      const unknown = change === undefined ? '' : ` The history shows whether ${change}.`;
      return `The service does not answer: ${problem.reason}.${unknown}`;
    }
  }
}

/** What may have been done although no answer came. */
export const changeText = {
  paused: 'rotation was paused',
  resumed: 'rotation was resumed',
  changed: 'the settings were changed',
  saved: 'it was saved',
  replaced: 'it was replaced',
  uploaded: 'it was uploaded',
  renamed: 'it was renamed',
  removed: 'it was removed',
} as const;
/** What answers at the service's address is another program, or a service of another version. */
export function unexpectedAnswerText({
  baseUrl,
  status,
}: {
  readonly baseUrl: string;
  readonly status: number;
}): string {
  const place = baseUrl === '' ? 'the address of the service' : baseUrl;
  return `The program at ${place} does not answer like this version of Rotavox (HTTP ${status}).`;
}
