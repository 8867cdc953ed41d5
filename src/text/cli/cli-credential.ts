import {
  type CredentialView,
  isDead,
  isTokenRefused,
  type VaultStatus,
} from '../../contract/credential/credential-view.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import { commandAfterFailure, suggestedCommand } from '../window/remedies.ts';
import { countWords } from '../count.ts';
import {
  adviceText,
  assumedExpiryTexts,
  credentialLabel,
  fileVaultCommand,
  policyText,
  vaultTitle,
} from '../credential/credentials.ts';
import { callerText } from '../window/events.ts';
import { nextRotationText } from './cli-rotation.ts';
import { type CommandHelp, toDo } from './cli.ts';
import { inputRows, serviceWithKind } from '../credential/providers.ts';
import { toolWaitText } from '../credential/tool-wait-text.ts';
import { useText } from '../token/reuse-text.ts';
import { localTime, timeLeft } from '../time.ts';

/** What the credential commands say, and `get`. Delivery targets are in `cli-delivery.ts`. */

export const credentialHelp = {
  description:
    'Rotate tokens before they expire, store them in the vault and deliver them to where they are used.',
  examples: ['rotavox credential add pbx --base-url https://api.example.com', 'rotavox credential list'],
  name: 'the name of the credential, as `rotavox credential list` shows it',
  validity: 'validity in days, if the service does not say',
  expiresAt: 'when this token expires, if the service does not say: an instant, a date, or 90d from now',
  takeToken: 'take the token out of what was pasted, such as quotes, NAME=…, Bearer … or JSON',
  add: {
    description:
      'Add a credential: rotate a token automatically. The token is asked for, or read from stdin; it is never an argument.',
    examples: [
      'rotavox credential add pbx --base-url https://api.example.com < token.txt',
      'rotavox credential add nightly-report',
      'rotavox credential add deploy --provider gitlab --input kind=project --input of=group/project < token.txt',
      'rotavox credential add github --provider oauth2 --input service=github --input client_id=Iv1.abc --sign-in device < /dev/null',
    ],
    name: 'the name of the new credential',
    provider: 'the kind of its service, as `rotavox provider list` shows it',
    baseUrl: 'the service that issued the token (default: the one of the provider)',
    input:
      'what the provider has to be told, such as kind=project; repeat it for several (see `rotavox provider show`)',
    signIn:
      'sign in where the tokens are issued (provider oauth2): browser, or device for a code; a client secret is read from stdin',
    clientCertificate:
      'for a service that asks for one: a file with the client certificate (PEM), or with its key as well (PKCS#12)',
    clientKey: 'a file with the key of the client certificate (PEM)',
    remindOnly:
      'for a service without a rotate endpoint: do not rotate, remind before it expires (needs --expires-at or --validity if the service does not say when it expires)',
  },
  list: {
    description: 'List credentials, the most urgent first, with the exact time of their next rotation.',
    examples: ['rotavox credential list', 'rotavox credential list --json'],
  },
  show: {
    description: 'Show one credential: its state, its next rotation, its delivery targets and who uses it.',
    examples: ['rotavox credential show pbx'],
  },
  history: {
    description: 'Show the events of one credential, newest first.',
    examples: ['rotavox credential history pbx'],
  },
  pause: {
    description:
      'Pause the rotation of a credential until you resume it, or for a time. It may expire during the pause.',
    examples: ['rotavox credential pause pbx --for 2h', 'rotavox credential pause pbx'],
    until: 'resume automatically at this instant',
    for: 'resume automatically after this time, such as 30m, 2h or 1d',
  },
  resume: {
    description: 'Resume the rotation of a paused credential.',
    examples: ['rotavox credential resume pbx'],
  },
  remind: {
    description:
      'Only remind before a credential expires. For a service that is known to have no rotate endpoint.',
    examples: ['rotavox credential remind pbx'],
  },
  rotate: {
    description:
      'Rotate a credential now. The current token stops working at once: programs that have it must read the new one with `rotavox get`, or get it from a target. Ends when every target has the new token; exits with 1 if the rotation or a delivery fails. On a terminal it asks first while connected tools run with the current token.',
    yes: 'do not ask first',
    examples: ['rotavox credential rotate pbx'],
  },
  test: {
    description:
      'Check with its service whether the current token works and can be rotated, without rotating it. ' +
      'Exits with 1 unless the token is known to work.',
    examples: ['rotavox credential test pbx'],
  },
  replace: {
    description:
      'Enter a new token for a credential, for example when the current one is lost. It is asked for, or read from stdin.',
    examples: ['rotavox credential replace pbx < token.txt'],
  },
  secondToken: {
    description:
      'Store a second token of the same owner, so that no token in use is ever replaced: a rotation replaces the second one, and ' +
      'the former current token keeps working until the next rotation. For GitLab access tokens. It is asked for, or read from stdin.',
    remove: 'rotate the current token itself again; the second token keeps working',
    examples: ['rotavox credential second-token gitlab < token.txt'],
  },
  signIn: {
    description:
      'Sign in again for a credential whose tokens come from a sign-in (OAuth), for example when the service no longer accepts it.',
    examples: ['rotavox credential sign-in github', 'rotavox credential sign-in github --device'],
    device: 'sign in with a code in any browser, also of another machine',
    clientSecret: 'read a new client secret from stdin, or ask for it (default: the one that is stored)',
    noBrowser: 'print the address only',
  },
  reissue: {
    description:
      'Issue a new token for a credential with the same settings, when the current one has expired or is lost. ' +
      'Only for tokens that this service issued.',
    examples: ['rotavox credential reissue nightly-report'],
  },
  remove: {
    description:
      'Remove a credential: its token is removed from the vault and no longer rotated. The token itself keeps working until it expires; tokens of a sign-in are revoked.',
    examples: ['rotavox credential remove pbx'],
  },
  policy: {
    description: 'Show or change when a credential is rotated, and how long its new tokens are valid.',
    examples: [
      'rotavox credential policy pbx',
      'rotavox credential policy pbx --fraction 0.5 --preferred-hours 02:00-05:00',
      'rotavox credential policy gitlab --validity 90d',
    ],
    fraction: 'rotate after this share of the lifetime, 0.1 to 0.9, such as 0.5 or 2/3',
    preferredHours: 'local hours for rotations, such as 22:00-04:00, or any',
    validity:
      'how long the service is asked to make new tokens valid at most, such as 90d, or default: as long as the one before; the service may give less',
  },
  address: {
    description:
      'Show the address of the service of a credential, or change it. The current token is tested at the new address first; the address is saved only if the token works there.',
    examples: [
      'rotavox credential address pbx',
      'rotavox credential address pbx https://api.example.com/v2',
      'rotavox credential address pbx https://api.example.org --send-token-to https://api.example.org',
    ],
    url: 'the new address, up to /v1',
    sendTokenTo:
      'required if the new address is of another server: its origin, to confirm that the token may be sent there',
  },
  set: {
    description:
      'Set the client certificate that a credential presents to a service that asks for one. Certificate and key go into the vault; the files are not needed afterwards.',
    examples: [
      'rotavox credential set pbx client_certificate client.pem client.key',
      'rotavox credential set pbx client_certificate client.p12',
      'rotavox credential set pbx client_certificate none',
    ],
    what: 'client_certificate',
    certificate:
      'a file with the certificate in PEM, followed by those between it and its root; or one in PKCS#12 (.p12, .pfx) with the key; or none',
    key: 'a file with its key in PEM; not with PKCS#12',
    passphraseFile:
      'for an encrypted key or PKCS#12: a file whose first line is the passphrase (default: it is asked for)',
  },
} as const satisfies CommandHelp & Record<string, unknown>;

/** What `credential set` and `credential add` say about a client certificate. */
export const clientCertificateCliText = {
  unknown: (what: string) => `"${what}" cannot be set. What can be set is client_certificate.`,
  keyMissing: 'The key is missing. Name its file as well, or one file in PKCS#12 (.p12, .pfx) that has both.',
  bothNeeded:
    '--client-key needs --client-certificate. Give both, or one file in PKCS#12 as the certificate.',
  keyInside: (file: string, keyFile: string) =>
    `${file} is in PKCS#12 and has its own key. Leave ${keyFile} out.`,
  /** What a passphrase opens. */
  keyIn: (file: string) => `The key in ${file}`,
  file: (file: string) => file,
  question: (what: string) => `${what} is encrypted. Passphrase (is not shown): `,
  passphraseNeeded: (what: string) =>
    `${what} is encrypted. Name a file with its passphrase: --key-passphrase-file FILE`,
  /** Why a file in PKCS#12 cannot be used. */
  pkcs12: {
    wrong_passphrase: (file: string) => `The passphrase does not open ${file}, or the file is damaged.`,
    old_cipher: (file: string) =>
      `${file} is encrypted in an old way (RC2 or RC4). Convert it, and name client.pem as the certificate and as the key: openssl pkcs12 -legacy -in ${shellWord(file)} -out client.pem`,
    other_kind: (file: string) =>
      `${file} is in a form of PKCS#12 that is not known. Convert it, and name client.pem as the certificate and as the key: openssl pkcs12 -in ${shellWord(file)} -out client.pem`,
    no_key: (file: string) => `${file} has no private key. Export it together with its key.`,
    no_certificate: (file: string) => `${file} has no certificate. Export it together with its certificate.`,
  },
  invalid: (field: string, rule: string | undefined) => `The ${field} ${rule ?? 'is not valid'}.`,
  stored: (name: string) => `${name} presents this client certificate from now on.`,
  removed: (name: string) => `${name} presents no client certificate any more.`,
} as const;

/** The answers of `credential address`. */
export const credentialAddressText = {
  saved: (name: string, url: string) => `The service of ${name} is now ${url}.`,
  notSaved: (found: string) => `${found} The address was not saved.`,
  notConfirmed: (
    name: string,
    url: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): string[] => [
    `Until now the token was sent only to ${from}. Whoever runs ${to} can read and use it. Nothing was sent.`,
    `If you trust that service: rotavox credential address ${name} ${url} --send-token-to ${to}`,
  ],
} as const;

export const getHelp = {
  description:
    'Print the current token of a credential, and nothing else. Exits with 1 and the reason if the token is known not to work. ' +
    'The use is recorded with the name of the program that called it, where the system tells it.',
  examples: ['rotavox get pbx', 'curl -H "Authorization: Bearer $(rotavox get pbx)" https://…'],
} as const satisfies CommandHelp;

export const credentialText = {
  none: 'No credentials yet. Add one with `rotavox credential add`.',
  /** What was found out about its service, and what follows. */
  added(view: CredentialView, nowMs: number): string[] {
    const { name, can_rotate: canRotate, base_url: service } = view;
    if (canRotate === false) {
      return [
        `${name} is added as a reminder: it is not rotated, and you are reminded before it expires ${expiryInstant(view)}.`,
      ];
    }
    const unknown = `Whether ${service} can rotate tokens is not known until the first rotation.`;
    return [
      `${name} is added. Its token ${expiryText(view, nowMs)}`,
      ...(canRotate === null ? [unknown] : []),
    ];
  },
  paused: ({ name, paused }: CredentialView) => `${name} is paused ${pauseEnd(paused?.until ?? null)}.`,
  resumed: (view: CredentialView, nowMs: number) =>
    `${view.name} is resumed; next rotation: ${nextRotationText(view, nowMs)}.`,
  remindOnly: (view: CredentialView) =>
    `${view.name} is not rotated; you are reminded before it expires ${expiryInstant(view)}.`,
  rotated: (view: CredentialView, nowMs: number) =>
    providerFacts(view.provider.id).traits.shape === 'renew'
      ? `${view.name} is renewed. Its token stays the same and ${expiryText(view, nowMs)}`
      : `${view.name} has a new token, which ${expiryText(view, nowMs)}`,
  secondToken: ({ name, standby }: CredentialView) =>
    standby === null
      ? `${name} has one token, which a rotation replaces.`
      : `${name} has a second token, which expires ${localTime(standby.expires_at)}. A rotation replaces that one, and the token in use keeps working.`,
  notRotated: ({ message, trouble }: CredentialView) => message ?? trouble?.message ?? 'The rotation failed.',
  removed: (name: string) => `${name} is removed. Delivered copies of its token stay where they are.`,
  policy: (view: CredentialView, nowMs: number) =>
    `${view.name} is rotated ${policyText(view.policy)}; next: ${nextRotationText(view, nowMs)}.`,
} as const;

/** Reading a token that a person types, pastes or pipes. */
export const tokenInput = {
  question: (name: string) => `Token for ${name} (not shown while you type or paste it): `,
  missing: (name: string) =>
    `No token was entered for ${name}. Pipe it in, or paste it when asked; it is never an argument.`,
  invalid: (rule: string | undefined) => `The token ${rule ?? 'is not valid'}.`,
  cannotTell:
    'It cannot be told which part of this is the token, and nothing was stored. Enter the token alone; without --take-token it is stored as it is.',
  takeApart: 'Use the token alone? [y/N] ',
  takeOption: 'repeat this command with --take-token, which uses the token alone',
  password: (email: string) =>
    `Password of ${email}, to log in when the token is lost (not shown while you type; empty to store none): `,
  badPassword: (rule: string | undefined) => `The password ${rule ?? 'is not valid'}.`,
  clientSecret: (name: string) =>
    `Client secret for ${name} (not shown while you type or paste it; empty if it has none): `,
  badClientSecret: 'The client secret must be at most 4000 printable ASCII characters.',
  tooLarge: 'More than 256 KB came on stdin, which cannot be a token.',
  notUtf8: 'What came on stdin is not UTF-8, so letters would be lost. Nothing was stored. Send it in UTF-8.',
} as const;

export const credentialListHead = ['name', 'state', 'left', 'next rotation', 'last result'];

export function credentialListRow(credential: CredentialView, nowMs: number): string[] {
  const {
    name,
    state,
    trouble,
    provider,
    expires_at: expiresAt,
    next_rotation_at: next,
    waits_for_tools: waits,
  } = credential;
  return [
    name,
    credentialLabel(state, trouble?.kind ?? null, provider.id),
    `${about(credential)}${timeLeft(expiresAt, nowMs)}`,
    next === null
      ? '-'
      : `${localTime(next)}${waits === undefined ? '' : ` at the latest, ${toolWaitText.short(waits.tools)}`}`,
    lastResult(credential),
  ];
}

/** How many of the coming rotations are shown; `--json` has all of the next 90 days. */
const shownRotations = 5;

/** What becomes of the token that was replaced, where Rotavox ends it. */
export function oldTokenLine({ generation, retiring, targets }: CredentialView): string | null {
  const old = retiring.find((one) => one.generation === generation - 1);
  if (old === undefined) return null;
  const by = localTime(old.retire_by);
  return targets.length > 0
    ? `Rotavox revokes the old token when every target has the new one, and at ${by} at the latest.`
    : `Rotavox revokes the old token at ${by}, because no target shows who has the new one.`;
}

/** An older token that still works at its service. */
function retiringText(
  { generation, retire_by: retireBy, message }: CredentialView['retiring'][number],
  hasTargets: boolean,
): string {
  if (message !== null) return `number ${generation} was not deleted: ${message}`;
  const by = localTime(retireBy);
  return hasTargets
    ? `number ${generation} works until every target has the new one, ${by} at the latest`
    : `number ${generation} works until ${by}`;
}

/** Everything about one credential but its token, each with its label. */
export function credentialRows(credential: CredentialView, nowMs: number): string[][] {
  const { message, trouble, paused, still_used: stillUsed } = credential;
  const later = credential.planned.filter((at) => at !== credential.next_rotation_at);
  const optional = (label: string, value: string | null): string[][] =>
    value === null ? [] : [[label, value]];
  return [
    ['Credential', credential.name],
    ['Id', credential.id],
    [
      'Service',
      credential.service === 'embedded'
        ? `this one (${credential.base_url})`
        : serviceWithKind(credential.base_url, credential.provider),
    ],
    ...inputRows(credential.provider),
    ['State', credentialLabel(credential.state, trouble?.kind ?? null, credential.provider.id)],
    ...optional('', message),
    ...optional('', adviceText(credential)),
    ...optional('To do', suggestedCommand(credential)),
    [
      'Token',
      `number ${credential.generation}, since ${localTime(credential.held_since ?? credential.obtained_at)}`,
    ],
    [
      isDead(credential) ? 'Would expire' : 'Expires',
      expiryInstant(credential, ` (${timeLeft(credential.expires_at, nowMs)} left)`),
    ],
    ...credential.retiring.map((old) => ['Old token', retiringText(old, credential.targets.length > 0)]),
    ...optional(
      'Validity',
      credential.validity_days === null ? null : countWords(credential.validity_days, 'day'),
    ),
    ['Policy', policyText(credential.policy)],
    ...optional('Paused', paused === null ? null : pauseEnd(paused.until)),
    ['Next rotation', nextRotationText(credential, nowMs)],
    ...optional('Then', later.length === 0 ? null : laterText(later)),
    ['Last rotated', credential.last_rotated_at === null ? 'not yet' : localTime(credential.last_rotated_at)],
    ...optional('Problem', trouble === null ? null : troubleText(trouble)),
    ...optional(
      'Warning',
      credential.warning === null ? null : `less than ${credential.warning} % of its lifetime is left`,
    ),
    ...optional(
      'Still used',
      stillUsed === null
        ? null
        : `${stillUsed.token_id} at ${localTime(stillUsed.at)} from ${callerText(stillUsed)}`,
    ),
    ...(stillUsed?.uses ?? []).map((use) => ['', useText(use, 0, localTime)]),
    ...optional('All rotations', credential.family_id),
  ];
}

function troubleText({ since, attempts, message }: NonNullable<CredentialView['trouble']>): string {
  const failed = attempts === 0 ? '' : `, ${countWords(attempts, 'failed attempt')}`;
  return `since ${localTime(since)}${failed}: ${message}`;
}

/** The end of a sentence: `expires 2026-…; next rotation: 2026-… (in 4 d 16 h).` */
function expiryText(credential: CredentialView, nowMs: number): string {
  return `expires ${expiryInstant(credential)}; next rotation: ${nextRotationText(credential, nowMs)}.`;
}

type Expiry = Pick<CredentialView, 'expires_at' | 'expiry_assumed'>;

function about({ expiry_assumed: assumed }: Expiry): string {
  return assumed === undefined ? '' : 'about ';
}

/** When a token expires, and why that is assumed. */
function expiryInstant(credential: Expiry, left = ''): string {
  const { expires_at: at, expiry_assumed: assumed } = credential;
  const why = assumed === undefined ? '' : `, ${assumedExpiryTexts[assumed]}`;
  return `${about(credential)}${localTime(at)}${left}${why}`;
}

function pauseEnd(until: string | null): string {
  return until === null ? 'until it is resumed' : `until ${localTime(until)}`;
}

function laterText(later: readonly string[]): string {
  const shown = later.slice(0, shownRotations).map(localTime).join(', ');
  return later.length > shownRotations
    ? `${shown} and ${later.length - shownRotations} more in 90 days`
    : shown;
}

function lastResult({ trouble, targets, last_rotated_at: rotatedAt }: CredentialView): string {
  if (trouble !== null) return isTokenRefused(trouble.kind) ? trouble.message : `failed: ${trouble.message}`;
  const rotated = rotatedAt === null ? 'not rotated yet' : `rotated ${localTime(rotatedAt)}`;
  const missing = targets.filter(({ status }) => status !== 'delivered').length;
  return missing === 0 ? rotated : `${rotated}, not delivered to ${missing} of ${targets.length}`;
}

/** A vault that does not work, for stderr; nothing while it works. */
export function vaultProblem({ kind, status, description, message }: VaultStatus): string[] {
  if (status === 'ok') return [];
  const withFile = fileVaultCommand({ kind, status });
  return [
    `${vaultTitle({ kind, status })} (${description}).${message === null ? '' : ` ${message}`}`,
    ...(withFile === null ? [] : toDo(`rotavox ${withFile}`)),
  ];
}

/** The command that helps a credential after a failure that is about its token, as a line; none where no command does. */
export function credentialToDo(credential: CredentialView): string[] {
  const command = commandAfterFailure(credential);
  return command === null ? [] : toDo(command);
}
