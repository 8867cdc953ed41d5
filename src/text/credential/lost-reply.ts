/** The card that protects a token against a reply that is lost. */
export const lostReplyText = {
  title: 'Protection against a lost reply',
  lead: (service: string) =>
    `A rotation ends the current token at once. If the reply of ${service} with the new token is lost, nobody has it, and you have to create another one. Either of these prevents that.`,
  none: 'None',
  recovery:
    'Another token of the same person with the scope api. After a lost reply it obtains the new token, and nothing else.',
  noOther: (service: string) =>
    `Another token of the same person with the scope api can obtain the new token. Add it as a credential of ${service} first, then choose it here.`,
  save: 'Save',
  saving: 'Saving …',
  saved: 'Saved',
  second: {
    title: 'Second token',
    none: 'With a second token of the same owner and scopes, a rotation replaces the one that is not in use. The token in use keeps working until the next rotation.',
    there:
      'A rotation replaces the second token and makes it the current one. The token in use keeps working until the rotation after that. The second token expires {at}.',
    enter: 'Enter a second token…',
    change: 'Enter another second token…',
    remove: 'Remove second token',
    removing: 'Removing …',
  },
} as const;
