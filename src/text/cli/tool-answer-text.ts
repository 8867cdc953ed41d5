/** What `rotavox helper` says to a person, on stderr of the tool. Apart from the other texts: it is loaded at each call of a tool. */
export const toolAnswerText = {
  /** Says who speaks, unless the message does. */
  failed: (message: string) => (message.startsWith('Rotavox ') ? message : `Rotavox: ${message}`),
  oldGit:
    'this address is connected with `--scheme bearer`, and git 2.46 or newer is needed to send a token alone.',
  notSendable: 'the token has characters that cannot be sent.',
  strangeAnswer: 'the service does not answer like this version of Rotavox. Restart it.',
  late: (seconds: number) => `no token came within ${seconds} s. Try again.`,
  strangeRequest: 'this version does not understand what is asked. Update Rotavox.',
  noAnswer: (address: string) => `nothing answers at ${address}.`,
  notStored: 'Rotavox keeps this token. To replace it: rotavox credential replace',
  notErased: 'Rotavox keeps this token. To stop: rotavox disconnect',
  unknownOperation: 'unknown credential action',
  noCluster:
    'kubectl does not say which cluster needs the token. Set provideClusterInfo: true, as `rotavox connect kubectl` does.',
  rotatedMeanwhile: 'the token was rotated while git was running. Run the command again.',
} as const;
