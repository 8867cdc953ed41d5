/** The card and the dialog that change the address of a credential's service. */
export const serviceAddressText = {
  title: 'Service address',
  open: 'Change address…',
  heading: (name: string) => `Change the service address of ${name}`,
  field: 'New address',
  hint: (address: string) => `${address} Rotavox tests the token there before it saves the address.`,
  test: 'Test and save',
  testing: 'Testing …',
  cancel: 'Cancel',
  back: 'Back',
  /** Asked before the token goes to another origin. */
  question: 'Send the token to {to}?',
  consequence:
    'Until now the token was sent only to {from}. Whoever runs {to} can read and use it. Continue only if you trust that service.',
  send: 'Send token and test',
  notSaved: 'The address was not saved.',
} as const;
