import type { TokenConfiguration } from '../../contract/token/token.ts';
import { countWords } from '../count.ts';

/** The page of a token that no credential rotates. */
export const familyText = {
  all: 'All tokens',
  token: 'Token',
  unknown: {
    title: 'There is no token with this id.',
    text: '{name} was never issued here. The link is wrong or was made on another machine.',
  },
} as const;

/** The card with the newest token. */
export const currentTokenText = {
  title: 'Current token',
  generation: (generation: number) => `token ${generation}`,
  facts: {
    expires: 'Expires',
    ended: 'Ended',
    firstUsed: 'First used',
    token: 'Token',
    id: 'Id',
    rotatedBy: 'Rotated by',
  },
  expiresIn: 'in {countdown} ({at})',
  notUsed: 'not yet',
  checked: 'not yet; checked by Rotavox {at}',
  shownOnce: 'shown once, when it was issued; only its fingerprint is stored here',
  copyId: 'the token’s id',
  notRotated: (days: number) =>
    `no credential: the app that uses it has to rotate it, each time for another ${countWords(days, 'day')}.` as const,
  addCredential: 'To have Rotavox rotate it: {link}',
  add: 'Add credential…',
  nobody: 'no credential',
  actions: 'Actions for this token',
  ended: 'This token has ended. Apps that used it need a newly issued one.',
  issue: 'Issue a token…',
} as const;

/** The card with the current and the previous tokens. */
export const generationsText = {
  title: 'Token history',
  neverRotated: 'never rotated',
  count: (generations: number) => `${generations} in all, newest first`,
  generation: (generation: number) => `Token ${generation}`,
  span: '{from} – {to}',
  spanAtMost: '{from} – {to} at the latest',
  issued: 'Issued by the owner',
  rotated: (actor: string) => `Rotated by ${actor}`,
  neverUsed: 'Never used',
  onlyChecked: 'Checked by Rotavox, used by no program',
  stillUsed: (address: string) => `Still used: last {at}, from ${address}` as const,
  compare: 'Compare',
  compareLabel: (generation: number) => `token ${generation} with the issue`,
  showOlder: (count: number) => `Show ${count} older`,
  olderInHistory: (count: number) => `${countWords(count, 'older token')} in the history.`,
} as const;

/** The card that compares what was issued with what each token has. */
export const inheritanceText = {
  title: 'Inheritance',
  aside: 'journal compared with the current state',
  table: 'Settings side by side',
  setting: 'Setting',
  issued: 'As issued',
  event: (seq: number) => `event ${seq.toLocaleString()}`,
  differs: 'differs',
} as const;

export const settingLabels: Record<keyof TokenConfiguration, string> = {
  name: 'Name',
  category: 'Category',
  validity_days: 'Valid for',
  scopes: 'Scopes',
  ip_restrictions: 'Allowed addresses',
};

/** The value of a setting. */
export function settingValue(setting: keyof TokenConfiguration, configuration: TokenConfiguration): string {
  switch (setting) {
    case 'validity_days':
      return countWords(configuration.validity_days, 'day');
    case 'scopes':
      return configuration.scopes.join(', ') || 'full access';
    case 'ip_restrictions':
      return configuration.ip_restrictions.join(', ') || 'any';
    case 'name':
    case 'category':
      return configuration[setting];
  }
}

/** In what a token differs from what was issued. */
export function differenceText(generation: number, settings: readonly (keyof TokenConfiguration)[]): string {
  const labels = settings.map((setting) => settingLabels[setting]);
  const last = labels.at(-1) ?? '';
  const listed = labels.length < 2 ? last : `${labels.slice(0, -1).join(', ')} and ${last}`;
  return `Token ${generation} differs in ${listed}.`;
}

/** That these tokens have what was issued. */
export function noDifferenceText(first: number | undefined, last: number | undefined): string {
  const which = first === last ? `token ${last} has` : `tokens ${first} to ${last} have`;
  return `No difference: ${which} exactly what was issued.`;
}

/** The history of a token. */
export const familyHistoryText = {
  title: 'History',
  all: 'Full history',
  list: 'History of the token',
  older: 'Show older events',
  owner: 'the owner',
  rotavox: 'Rotavox',
  service: 'the service',
} as const;
