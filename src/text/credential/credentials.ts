import type { CredentialProblem } from '../../contract/credential/rotation-trouble.ts';
import type { AssumedExpiry, RotationPolicy, TargetPart } from '../../contract/credential/credential.ts';
import { shellWord } from '../../contract/shell-word.ts';
import type { TokenStatus } from '../../contract/token/token.ts';
import type {
  CredentialState,
  CredentialView,
  TargetView,
  TroubleKind,
  VaultStatus,
} from '../../contract/credential/credential-view.ts';
import { defaultProvider } from '../../contract/credential/provider.ts';
import { isSignedIn } from '../../providers/catalogue.ts';
import { countWords } from '../count.ts';
import { isolated, quotedName } from '../names.ts';
import { lostReplyAdvice, serviceWithKind } from './providers.ts';
import { asksToWaitText } from './rotation-trouble-text.ts';
import { newTokenLabel, troubleWords } from './trouble-text.ts';

export const signInAgain = 'Sign in again';

const stateLabels: Record<CredentialState, string> = {
  reply_lost: troubleWords.reply_lost.label,
  value_missing: troubleWords.value_missing.label,
  expired: troubleWords.expired.label,
  refused: troubleWords.refused.label,
  vault_unavailable: 'Vault not available',
  failing: troubleWords.unreachable.label,
  rotating: 'Rotating',
  due: 'Due now',
  delivery_failing: 'Delivery failed',
  reminder: 'Reminder only',
  paused: 'Paused',
  fine: 'OK',
};

/** The state of a credential: the same label in every list, menu and window. `provider`: its id. */
export function credentialLabel(
  state: CredentialState,
  trouble: TroubleKind | null,
  provider: string = defaultProvider.id,
): string {
  const label = labelOf(state, trouble);
  // Nobody can enter a token there.
  return label === newTokenLabel && isSignedIn({ id: provider }) ? signInAgain : label;
}

function labelOf(state: CredentialState, trouble: TroubleKind | null): string {
  const isOfTrouble = state === 'failing' || state === 'refused';
  return isOfTrouble && trouble !== null && trouble !== 'vault'
    ? troubleWords[trouble].label
    : stateLabels[state];
}

/** Why the expiry of a token is assumed. */
export const assumedExpiryTexts = {
  not_said: 'assumed: the service does not say',
  never: 'assumed: the service says that it never expires',
  not_usable: 'assumed: what the service says cannot be right',
} as const satisfies Record<AssumedExpiry, string>;

/** What is wrong with a credential. What a person can do about it is a `Remedy`, derived from its state. */
export function credentialProblemText(problem: CredentialProblem): string {
  switch (problem.code) {
    case 'recorded':
      return problem.message;
    case 'suspended':
      return 'The token is suspended. It is not rotated, and calls with it are refused. Resume it before it expires.';
    case 'blacklisted':
      return 'The token is blacklisted. It cannot be used again.';
    case 'superseded':
      return `Another program has rotated the token (${problem.tokenId}) and received the new one. Enter the new token, or issue another one with the same settings.`;
    case 'expired':
      return [
        ...(problem.after === null ? [] : [credentialProblemText(problem.after)]),
        problem.canRotate ? 'The token expired before it could be replaced.' : 'The token has expired.',
      ].join(' ');
    case 'access_ended':
      return [
        'The access token has expired and could not be refreshed yet.',
        ...(problem.after === null ? [] : [credentialProblemText(problem.after)]),
      ].join(' ');
    case 'asked_to_wait':
      return `${asksToWaitText(problem.service, problem)} Rotavox rotates after that.`;
    case 'not_stored':
      return [
        'A rotation has replaced the token, and the new one is not stored yet.',
        ...(problem.after === null ? [] : [credentialProblemText(problem.after)]),
      ].join(' ');
  }
}

type Target = TargetView['target'];

export const targetKindLabels: Record<Target['kind'], string> = {
  keychain: 'Keychain entry',
  file: 'File',
  dotenv: 'Dotenv file',
  setting: 'Settings file',
  hook: 'Command',
};

/** What a target gets of a sign-in. */
export const targetPartLabels: Record<TargetPart, string> = {
  access_token: 'Access token',
  refresh_token: 'Refresh token',
  both: 'Both, as JSON',
};

/** The kind of a target, and what it gets where that is more than the token. */
export function targetKindText({ kind, part = 'access_token' }: Target): string {
  const kindLabel = targetKindLabels[kind];
  return part === 'access_token' ? kindLabel : `${kindLabel} · ${targetPartLabels[part]}`;
}

/** The place of a target, on one line: what a person would look for there. */
export function placeText(target: Target): string {
  switch (target.kind) {
    case 'keychain':
      return `${target.service} / ${target.account}`;
    case 'file':
      return target.path;
    case 'dotenv':
      return `${target.path} (${target.variable})`;
    case 'setting':
      return `${target.path} (${target.key})`;
    case 'hook':
      return target.command.map(shellWord).join(' ');
  }
}

/** What a removed target leaves behind. */
export function removedTargetText(target: Target): string {
  switch (target.kind) {
    case 'keychain':
      return 'The entry stays in the keychain. The token in it stops working with the next rotation.';
    case 'file':
    case 'dotenv':
    case 'setting':
      return 'The file stays as it is. The token in it stops working with the next rotation.';
    case 'hook':
      return 'The command is not run again. What it did stays as it is.';
  }
}

/** Whether a target has the current token. */
export const receiptLabels: Record<TargetView['status'], string> = {
  delivered: 'Delivered',
  owed: 'Not delivered yet',
  failing: 'Delivery failed',
};

/** Why a command has not run yet: what waits, as the end of a sentence. */
export function waitsForText(targets: readonly Target[]): string {
  return `it runs when ${listed(targets.map(placeText))} ${targets.length === 1 ? 'has' : 'have'} the current token`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** When a policy rotates, as the end of a sentence: `after 67 % of its lifetime, at any hour`. */
export function policyText({
  fraction,
  preferred_hours: hours,
  validity_days: days,
}: RotationPolicy): string {
  const when = hours === null ? 'at any hour' : `between ${hours.from} and ${hours.to} when there is time`;
  const validity = days === undefined ? '' : `, new tokens for ${countWords(days, 'day')} at most`;
  return `after ${Math.round(fraction * 100)} % of its lifetime, ${when}${validity}`;
}

/** What the place is called in which the tokens of credentials are stored, as in “in the keychain”. */
export function storeName(kind: VaultStatus['kind'] | undefined): string {
  if (kind === 'keychain') return 'keychain';
  return kind === 'file' ? 'encrypted file' : 'vault';
}

/** What to run instead where this machine has no keychain, without the name of the program; null where the vault is not missing. */
export function fileVaultCommand({ kind, status }: Pick<VaultStatus, 'kind' | 'status'>): string | null {
  return kind === 'keychain' && status === 'absent' ? 'serve --vault file' : null;
}

/** A vault that does not work. */
export function vaultTitle({ kind, status }: Pick<VaultStatus, 'kind' | 'status'>): string {
  const vault = `The ${storeName(kind)}`;
  if (status === 'locked') return `${vault} is locked`;
  return status === 'absent' ? `${vault} is missing` : `${vault} does not work`;
}

/** What each status of a token means, in the order of a life. */
export const statusMeanings: Record<TokenStatus, string> = {
  Active: 'works',
  Superseded: 'replaced by a newer token',
  Expired: 'no longer valid',
  Suspended: 'paused by the owner',
  Blacklisted: 'permanently refused',
};

/** “a”, “b” and 3 more. `write` shortens a name where there is little space. */
export function namesText(names: readonly string[], write = (name: string) => name): string {
  const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => quotedName(write(name)));
  const others = names.length - shown.length;
  if (others > 0) return `${shown.join(', ')} and ${others} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}` : (shown[0] ?? '');
}

/** The service that issued the token of a credential: this one, or the host of another. */
export function serviceText({
  service,
  base_url: baseUrl,
}: Pick<CredentialView, 'service' | 'base_url'>): string {
  if (service === 'embedded') return 'this service';
  return /^\w+:\/\/([^/?#]+)/.exec(baseUrl)?.[1] ?? baseUrl;
}

/** The same with the kind of service where that says more, for a line of its own: `GitLab · gitlab.com`. */
export function serviceLine(one: Pick<CredentialView, 'service' | 'base_url' | 'provider'>): string {
  return serviceWithKind(serviceText(one), one.provider);
}

/** What can be done about a lost reply at its service; null where nothing was lost, or the remedies say it. */
export function adviceText({
  trouble,
  provider,
  base_url: baseUrl,
}: Pick<CredentialView, 'trouble' | 'provider' | 'base_url'>): string | null {
  return trouble?.kind === 'reply_lost' ? lostReplyAdvice(provider, baseUrl) : null;
}

/** What a token is called, with both names where its credential has another. */
export function tokenNameText({
  name,
  kept_fresh_by: credential,
}: {
  readonly name: string;
  readonly kept_fresh_by: string | null;
}): string {
  return credential === null || credential === name ? name : `${credential} (${isolated(name)})`;
}
