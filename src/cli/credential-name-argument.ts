/** The words for a credential's name as an argument, the same everywhere. */
export const credentialNameArgument = [
  '<name>',
  "the credential's name, as `rotavox credential list` shows it",
] as const;
