import type { CredentialOutline, TroubleKind } from '../../contract/credential-view.ts';
import { timeLeft } from '../../text/time.ts';
import { namesOf, textOf, titleAbout, titleThatFits } from './phrases.ts';
import { stageOf } from './troubles.ts';

/** The vault has words of its own: it is not about one service. */
export type ServiceTrouble = Exclude<TroubleKind, 'vault'>;

interface Words {
  /** After the name of one, and after the number of several. */
  readonly title: readonly [one: string, many: string];
  /** What happened and what it means. */
  readonly one: (service: string) => string;
  readonly many: (service: string, names: string) => string;
  /** The next step. */
  readonly next: (members: readonly CredentialOutline[]) => string;
}

const notRotated = ['could not be rotated', 'could not be rotated'] as const;
const needsValue = ['needs a new token', 'need a new token'] as const;

const words: Record<ServiceTrouble, Words> = {
  unreachable: {
    title: notRotated,
    one: (service) => `${service} does not answer.`,
    many: (service) => `${service} does not answer.`,
    next: () => 'Rotavox keeps trying; see whether the network and the service are up.',
  },
  service_failed: {
    title: notRotated,
    one: (service) => `${service} answers with a failure.`,
    many: (service) => `${service} answers with failures.`,
    next: () => 'Rotavox keeps trying; open it to read the answer.',
  },
  unsafe: {
    title: notRotated,
    one: (service) => `${service} could not be trusted, so the token was not sent.`,
    many: (service) => `${service} could not be trusted, so the tokens were not sent.`,
    next: () => 'See whether its address and its certificate are right.',
  },
  refused: {
    title: notRotated,
    one: (service) => `${service} refuses it for now.`,
    many: (service) => `${service} refuses them for now.`,
    next: () => 'Rotavox keeps trying; see whether it is suspended, or this address not allowed.',
  },
  suspended: {
    title: ['is suspended', 'are suspended'],
    one: () => 'It is not rotated, and apps that use it are refused.',
    many: (_, names) => `${names} are not rotated, and apps that use them are refused.`,
    next: (members) =>
      members.length === 1
        ? members[0]?.service === 'embedded'
          ? 'Resume the token in Rotavox.'
          : 'Resume the token at its service.'
        : 'Resume the tokens where they were issued.',
  },
  superseded: {
    title: needsValue,
    one: () => 'Another program rotated the token and received the new one.',
    many: (_, names) => `Other programs rotated ${names} and received the new tokens.`,
    next: (members) =>
      members.length === 1 ? 'Paste the new token or issue another one.' : bringNew(members),
  },
  no_endpoint: {
    title: ['cannot be rotated', 'cannot be rotated'],
    one: (service) => `${service} has no rotate endpoint.`,
    many: (service) => `${service} has no rotate endpoint.`,
    next: () => 'Check base_url.',
  },
  invalid: {
    title: needsValue,
    one: (service) => `${service} does not know the token.`,
    many: (service, names) => `${service} does not know ${names}.`,
    next: bringNew,
  },
  blacklisted: {
    title: needsValue,
    one: (service) => `${service} has blacklisted the token.`,
    many: (service, names) => `${service} has blacklisted ${names}.`,
    next: bringNew,
  },
  expired: {
    title: ['has expired', 'have expired'],
    one: () => 'It could not be replaced in time, and apps that use it are refused.',
    many: (_, names) => `${names} could not be replaced in time, and apps that use them are refused.`,
    next: bringNew,
  },
  reply_lost: {
    title: needsValue,
    one: (service) => `${service} has most likely replaced it, but the new token never arrived.`,
    many: (service, names) =>
      `${service} has most likely replaced ${names}, but the new tokens never arrived.`,
    next: bringNew,
  },
  value_missing: {
    title: needsValue,
    one: () => 'Its token is missing from the vault.',
    many: (_, names) => `The tokens of ${names} are missing from the vault.`,
    next: (members) => (members.length === 1 ? 'Paste the current token.' : 'Paste the current tokens.'),
  },
};

/** Title and text about credentials that are in trouble for one reason: what happened, what it means, the next step. */
export function troubleWords(
  kind: ServiceTrouble,
  members: readonly CredentialOutline[],
  nowMs: number,
): { title: string; body: string } {
  const { title, one, many, next } = words[kind];
  const first = firstToExpire(members);
  const service = serviceOf(first);
  if (members.length === 1) {
    return {
      title: titleAbout(first.name, title[0]),
      body: textOf(one(service), whenFirstExpires(members, nowMs), next(members)),
    };
  }
  const count = `${members.length} tokens`;
  const names = namesOf(members.map(({ name }) => name));
  return {
    title: isOfOneService(members)
      ? titleThatFits(`${count} of ${service} ${title[1]}`, `${count} ${title[1]}`)
      : `${count} ${title[1]}`,
    body: textOf(many(service, names), whenFirstExpires(members, nowMs), next(members)),
  };
}

/** Which of those that live still expires first, and when; null when there is none. */
export function whenFirstExpires(members: readonly CredentialOutline[], nowMs: number): string | null {
  const alive = members.filter((one) => stageOf(one) < 4);
  if (alive.length === 0) return null;
  const first = firstToExpire(alive);
  const left = timeLeft(first.expires_at, nowMs);
  return members.length === 1
    ? `It expires in ${left}.`
    : `${namesOf([first.name])} expires first, in ${left}.`;
}

function firstToExpire(members: readonly CredentialOutline[]): CredentialOutline {
  return members.reduce((first, one) =>
    Date.parse(one.expires_at) < Date.parse(first.expires_at) ? one : first,
  );
}

/** The host only: a path or a query could hold a secret. */
function serviceOf({ service, base_url: baseUrl }: CredentialOutline): string {
  if (service === 'embedded') return 'This machine’s service';
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'The service';
}

function isOfOneService(members: readonly CredentialOutline[]): boolean {
  return members.every(
    ({ service, base_url: baseUrl }) => service === 'remote' && baseUrl === members[0]?.base_url,
  );
}

export function bringNew(members: readonly CredentialOutline[]): string {
  const [only] = members;
  if (members.length > 1 || only === undefined) return 'Open Rotavox to replace them.';
  if (only.service === 'embedded') return 'Issue it again with the same settings.';
  return `Issue a new one at ${serviceOf(only)} and paste it.`;
}
