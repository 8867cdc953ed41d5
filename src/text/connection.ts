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
