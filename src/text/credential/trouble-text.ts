import type { CredentialOutline, TroubleKind } from '../../contract/credential/credential-view.ts';
import { isSignedIn, tokenPageIfAssisted } from '../../providers/catalogue.ts';

/** The vault has words of its own (`vaultTitle`): it does not depend on a service. */
export type ServiceTrouble = Exclude<TroubleKind, 'vault'>;

interface TroubleWords {
  /** The state of the credential, in lists and menus. */
  readonly label: string;
  /** After the name of one, and after the number of several. */
  readonly title: readonly [one: string, many: string];
  /** After the name of one, where there is more space than in a notice. */
  readonly longTitle?: string;
  /** What happened and what it means. */
  readonly one: (service: string) => string;
  readonly many: (service: string, names: string) => string;
  /** What to do. */
  readonly next: (members: readonly CredentialOutline[]) => string;
}

export const newTokenLabel = 'Needs a new token';
const notRotatedLabel = 'Rotation failed';
const notRotated = ['could not be rotated', 'could not be rotated'] as const;
export const needsToken = ['needs a new token', 'need a new token'] as const;

/** What is said of each reason why a credential cannot be rotated: in lists, the tray, notices and the command line. */
export const troubleWords: Readonly<Record<ServiceTrouble, TroubleWords>> = {
  unreachable: {
    label: notRotatedLabel,
    title: notRotated,
    one: (service) => `${service} does not answer.`,
    many: (service) => `${service} does not answer.`,
    next: () => 'Rotavox keeps trying. Check the network and the service.',
  },
  service_failed: {
    label: notRotatedLabel,
    title: notRotated,
    one: (service) => `${service} answers with an error.`,
    many: (service) => `${service} answers with errors.`,
    next: () => 'Rotavox keeps trying. Open it to read the answer.',
  },
  unsafe: {
    label: notRotatedLabel,
    title: notRotated,
    one: (service) => `${service} could not be trusted, so the token was not sent.`,
    many: (service) => `${service} could not be trusted, so the tokens were not sent.`,
    next: () => 'Check its address and its certificate.',
  },
  refused: {
    label: 'Refused',
    title: notRotated,
    longTitle: 'is refused at the moment',
    one: (service) => `${service} refuses it at the moment.`,
    many: (service) => `${service} refuses them at the moment.`,
    next: () => 'Rotavox keeps trying. Check whether it is suspended, or this address is not allowed.',
  },
  suspended: {
    label: 'Suspended',
    title: ['is suspended', 'are suspended'],
    one: () => 'It is not rotated, and apps that use it are refused.',
    many: (_, names) => `${names} are not rotated, and apps that use them are refused.`,
    next: ([first, ...others]) => {
      if (others.length > 0) return 'Resume the tokens where they were issued.';
      return first?.service === 'embedded'
        ? 'Resume the token in Rotavox.'
        : 'Resume the token at its service.';
    },
  },
  superseded: {
    label: newTokenLabel,
    title: needsToken,
    one: () => 'Another program rotated the token and received the new one.',
    many: (_, names) => `Other programs rotated ${names} and received the new tokens.`,
    next: (members) =>
      members.length === 1 && !members.some(({ provider }) => isSignedIn(provider))
        ? 'Enter the new token or issue another one.'
        : newTokenText(members),
  },
  no_endpoint: {
    label: 'Cannot be rotated',
    title: ['cannot be rotated', 'cannot be rotated'],
    one: (service) => `${service} has no rotate endpoint.`,
    many: (service) => `${service} has no rotate endpoint.`,
    next: () => 'Check base_url.',
  },
  invalid: {
    label: newTokenLabel,
    title: needsToken,
    one: (service) => `${service} does not know the token.`,
    many: (service, names) => `${service} does not know ${names}.`,
    next: newTokenText,
  },
  blacklisted: {
    label: 'Blacklisted',
    title: needsToken,
    longTitle: 'is blacklisted and needs a new token',
    one: (service) => `${service} has blacklisted the token.`,
    many: (service, names) => `${service} has blacklisted ${names}.`,
    next: newTokenText,
  },
  expired: {
    label: 'Expired',
    title: ['has expired', 'have expired'],
    one: () => 'It could not be replaced in time, and apps that use it are refused.',
    many: (_, names) => `${names} could not be replaced in time, and apps that use them are refused.`,
    next: newTokenText,
  },
  reply_lost: {
    label: newTokenLabel,
    title: needsToken,
    one: (service) => `${service} has most likely replaced it, but the new token never arrived.`,
    many: (service, names) =>
      `${service} has most likely replaced ${names}, but the new tokens never arrived.`,
    next: newTokenText,
  },
  value_missing: {
    label: newTokenLabel,
    title: needsToken,
    one: () => 'Its token is missing from the vault.',
    many: (_, names) => `The tokens of ${names} are missing from the vault.`,
    next: (members) => {
      const [first] = members;
      if (first !== undefined && isSignedIn(first.provider)) return newTokenText(members);
      return members.length === 1 ? 'Enter the current token.' : 'Enter the current tokens.';
    },
  },
};

/** How to get a new token. */
export function newTokenText(members: readonly CredentialOutline[]): string {
  const [only] = members;
  if (members.length > 1 || only === undefined) return 'Open Rotavox to replace them.';
  if (isSignedIn(only.provider)) return 'Sign in again.';
  if (only.service === 'embedded') return 'Issue a new token with the same settings.';
  const page = tokenPageIfAssisted(only.provider, only.base_url);
  return `Issue a new token at ${page ?? serviceName(only)} and enter it.`;
}

/** The host only: a path or a query could contain a secret. */
export function serviceName({ service, base_url: baseUrl }: CredentialOutline): string {
  if (service === 'embedded') return 'The service on this machine';
  const [, host] = /^https?:\/\/(?:[^/?#]*@)?([^/?#@]+)/i.exec(baseUrl) ?? [];
  return host ?? 'The service';
}
