import type { AssumedExpiry } from '../../contract/credential/credential.ts';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { countWords } from '../count.ts';
import { assumedExpiryTexts } from './credentials.ts';
import { quotedName } from '../names.ts';

/** The page of one credential. */
export const credentialPageText = {
  all: 'All credentials',
  of: (service: string, kind: string, tokenName: string | null) =>
    tokenName === null ? `${kind} of ${service}` : `${kind} ${quotedName(tokenName)} of ${service}`,
  unknown: {
    title: 'There is no credential with this name.',
    text: '{name} was removed, or the link is wrong or was made on another machine. The history shows what happened to it.',
  },
  added: {
    reminder: '{name} is not rotated. You are reminded before it expires.',
    unknown:
      '{name} is now rotated automatically. Rotavox could not find out whether its service supports that; the first rotation will show it.',
    rotated: '{name} is now rotated automatically.',
    next: 'Next: under “Who has the token” add the places where programs read it, or copy the lines for a shell.',
    close: 'Close',
  },
  history: {
    title: 'History of this credential',
    all: 'Full history',
    allOfToken: 'Full history of its token',
    list: 'Latest events',
    tokens: (count: number, differences: readonly string[]) => {
      const tokens = countWords(count, 'token');
      if (differences.length > 0) return `${tokens}. ${differences.join(' ')}`;
      return count === 1 ? `${tokens}, as it was issued` : `${tokens}, nothing changed between them`;
    },
  },
  settings: 'Settings of this credential',
} as const;

/** The card that says in sentences how a credential is and what comes next. */
export const stateCardText = {
  title: 'State',
  neverRotated: 'not rotated yet',
  lastRotated: 'last rotated {at}',
  since: 'since {at}',
  until: 'until {at}',
  rotate: 'Rotate now',
  rotating: 'Rotating …',
  /** The same for a token that is renewed. */
  renewal: {
    never: 'not renewed yet',
    last: 'last renewed {at}',
    until: 'renewed until {at}',
    renew: 'Renew now',
  },
  pause: 'Pause…',
  resume: 'Resume',
  underWay: 'A rotation started {at} and is in progress. Its next steps appear here.',
  underWayAsked: 'A rotation started {at} at your request and is in progress. Its next steps appear here.',
  inTime: ' (in {left})',
  next: {
    rotating: 'The token is being replaced.',
    needsToken: 'No rotation is planned. Retrying will not help. Enter a new token.',
    needsSignIn: 'No rotation is planned. Retrying will not help. Sign in again.',
    suspended: 'No rotation is planned. The token is suspended. Rotation continues when it is resumed.',
    reminder: (why: string) => `Rotavox reminds you before it expires and does not rotate it: ${why}.`,
    paused: 'Paused. It is not rotated until you resume rotation.',
    due: 'The next rotation is due now.',
    dueRenewal: 'The next renewal is due now.',
    rotation: (every: string) => `Rotated about every ${every}; the next rotation is {at}{left}.` as const,
    renewal: (every: string) => `Renewed about every ${every}; the next renewal is {at}{left}.` as const,
    whilePaused: 'Paused until {until}; the next rotation is {at}{left}.',
    serviceWaits: {
      asked: 'Its service got too many calls and asks to wait until {asked}{left}.',
      longer:
        'Its service got too many calls and asks to wait until {asked}. Rotavox waits for a day at most: next attempt {at}{left}.',
      unsaid: 'Its service got too many calls. Next attempt: {at}{left}.',
    },
    retry: (attempts: number, isPaused: boolean) =>
      `Next attempt, after ${countWords(attempts, 'failed attempt')}: {at}{left}.${isPaused ? ' Paused until {until}.' : ''}` as const,
  },
  works: 'The token works until {at}.',
  planned: {
    title: (count: number, isMore: boolean) =>
      `${isMore ? `More than ${count} rotations` : countWords(count, 'rotation')} in the next 90 days`,
    renewals: (count: number, isMore: boolean) =>
      `${isMore ? `More than ${count} renewals` : countWords(count, 'renewal')} in the next 90 days`,
    list: 'Planned rotations',
  },
} as const;

/** The dialog that asks whether to rotate now. */
export const rotateDialogText = {
  question: (name: string) => `Rotate ${name} now?`,
  ends: (ends: string, isAtOnce: boolean) =>
    isAtOnce ? `${ends} Programs that still have it are refused.` : ends,
  looking: 'Looking for programs that use it …',
  users: 'It is used by:',
  usersList: 'Programs that use the current token',
  used: '({at})',
  noUsers: 'No program is known to use the current token.',
  elsewhere: (service: string) => `Which programs use it is not known here: it is a token of ${service}.`,
  targets: 'These targets get the new token:',
  targetsList: 'Targets that get the new token',
  noTargets: 'It has no delivery targets.',
  others: 'All other programs must read the new token.',
  othersCommand: 'All other programs must read the new token, with {command}.',
  cancel: 'Cancel',
  rotate: 'Rotate now',
} as const;

type StepState = 'coming' | 'running' | 'done' | 'failed';

/** The steps of a rotation while it happens. */
export const rotationStepsText = {
  list: 'Steps of the rotation',
  running: 'Rotation in progress.',
  failed: 'This attempt failed. The current token stays in use.',
  rotated: 'Rotated.',
  delivering: 'Rotated. Delivering …',
  delivered: (count: number, all: number) => `Rotated, and delivered to ${count} of ${all}.`,
  removedTarget: 'a target that was removed',
  states: { coming: 'pending', running: 'in progress', done: 'done', failed: 'failed' } satisfies Record<
    StepState,
    string
  >,
  delivery: {
    coming: 'Deliver to',
    running: 'Delivering to',
    done: 'Delivered to',
    failed: 'Not delivered to',
  } satisfies Record<StepState, string>,
} as const;

/** One step of a rotation. `service` and `vault` are what both are called. */
export function rotationStepText(
  step: 'intent' | 'vault_room' | 'reconcile' | 'rotate' | 'vault' | 'verify' | 'record',
  state: StepState,
  { service, vault }: { readonly service: string; readonly vault: string },
): string {
  const texts: Record<typeof step, Record<StepState, string>> = {
    intent: {
      coming: 'Record the intent',
      running: 'Recording the intent',
      done: 'Intent recorded',
      failed: 'The intent could not be recorded',
    },
    vault_room: {
      coming: `Reserve an entry in the ${vault}`,
      running: `Reserving an entry in the ${vault}`,
      done: `Entry reserved in the ${vault}`,
      failed: `No entry could be reserved in the ${vault}`,
    },
    reconcile: {
      coming: `Ask ${service} about the last attempt`,
      running: `Asking ${service} about the last attempt`,
      done: `Asked ${service} about the last attempt`,
      failed: `Not clear what became of the last attempt`,
    },
    rotate: {
      coming: `Request the new token from ${service}`,
      running: `Requesting the new token from ${service}`,
      done: `New token received from ${service}`,
      failed: `No new token from ${service}`,
    },
    vault: {
      coming: `Store it in the ${vault}`,
      running: `Storing it in the ${vault}`,
      done: `Stored in the ${vault} and read back`,
      failed: `It could not be stored in the ${vault}`,
    },
    verify: {
      coming: 'Test it',
      running: 'Testing it',
      done: 'Tested',
      failed: 'It could not be tested',
    },
    record: {
      coming: 'Record the rotation',
      running: 'Recording the rotation',
      done: 'Rotation recorded',
      failed: 'The rotation could not be recorded',
    },
  };
  return texts[step][state];
}

/** The card with who has the token and who uses it. */
export const whoCardText = {
  title: 'Who has the token',
  list: 'Who has the token',
  lead: (ends: string) =>
    `When it rotates, ${lower(ends)} Programs read the new one with {command} or from a target.` as const,
  leadNoCommand: (ends: string) => `When it rotates, ${lower(ends)} Programs read the new one from a target.`,
  renewed: 'When it is renewed, the token stays the same and expires later. Programs can keep a copy of it.',
  empty:
    'Nobody has it yet. Targets, connected tools such as git, apps of the proxy and programs that read it with `get` or `exec` appear here.',
  noTargets:
    'It has no delivery target. Add the places where programs read the token: a line of a dotenv file, a value of a settings file, a file, a keychain entry, or a command that is run with it. Each new token is delivered there.',
  add: 'Add…',
  added: {
    target: 'Target…',
    tool: 'Tool that asks for it…',
    app: 'App with a token of its own…',
    rule: 'Rule for apps…',
    lines: 'Lines for a shell…',
  },
  kinds: { app: 'App', program: 'Program', address: 'Address' },
  address: 'used the current token at its service, last {at}',
} as const;

/** The token that a credential has: copying it, and what is known of it. */
export const tokenCardText = {
  title: 'Token',
  copyCommand: 'Copy command',
  commandCopied: 'Copied. It prints the token that works at that time.',
  copy: 'Copy token',
  copyEnds: 'A copied token stops working at the next rotation, {at}.',
  copyEndsLater: 'A copied token stops working at the rotation after the next one.',
  copyEndsInOverlap:
    'A copied token stops working after the next rotation, {at}, as soon as every target has the new one.',
  /** Of a token that a rotation does not end. */
  copyExpires: 'A copied token works until it expires, {at}.',
  copyEndsUnplanned: 'A copied token stops working at the next rotation.',
  copied: 'the token',
  clipboardRefused: 'The clipboard refused it. Allow this page to use the clipboard and copy again.',
  enterToken: (kind: string | null) => `Enter a new ${kind ?? 'token'}…`,
  secondExpires: 'expires {at}',
  /** An older token that still works at the service. */
  oldWorks: (generation: number, hasTargets: boolean) =>
    hasTargets
      ? (`number ${generation} works until every target has the new one, {at} at the latest` as const)
      : (`number ${generation} works until {at}` as const),
  oldNotDeleted: (generation: number, message: string) => `number ${generation} was not deleted: ${message}`,
  facts: {
    second: 'Second token',
    old: 'Old token',
    from: 'From',
    expires: 'Expires',
    validity: 'Validity',
    token: 'Token',
    storedIn: 'Stored in',
  },
  thisService: 'this service, {url}',
  kindOfService: '{kind}, {url}',
  expiresIn: '{at} (in {countdown})',
  expiresInAbout: (why: AssumedExpiry) => `about {at} (in {countdown}), ${assumedExpiryTexts[why]}` as const,
  noTime: 'less than a minute',
  validity: (days: number | null) => (days === null ? 'not stated by its service' : countWords(days, 'day')),
  number: (generation: number) => `number ${generation}, since {at}` as const,
  keychain: 'the keychain: service {service}, account {account}',
} as const;

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** The notice that says what is wrong with a credential, and the buttons that help. */
export const troubleText = {
  reissue: 'Issue a new token',
  reissuing: 'Issuing …',
  resumeToken: 'Resume token',
  resuming: 'Resuming …',
  remindOnly: 'Only remind me',
  enterToken: (kind: string | null) => `Enter a new ${kind ?? 'token'}…`,
  retry: 'Try again now',
  retrying: 'Trying …',
  open: (origin: string) => `Open ${origin}`,
  address: 'the address of its service',
} as const;

/** Since when something is wrong, how often it was tried, and when it is tried again. */
export function troubleSinceText({ trouble, warning }: Pick<CredentialView, 'trouble' | 'warning'>): string {
  const attempts = trouble?.attempts ?? 0;
  const tried = attempts === 0 ? '' : `, ${countWords(attempts, 'failed attempt')}`;
  const next = (trouble?.next_try_at ?? null) === null ? '' : '; next attempt {next}';
  const left = warning === null ? '' : ` Less than ${warning} % of its lifetime is left.`;
  return `Since {at}${tried}${next}.${left}`;
}

/** The card that changes when a credential is rotated. */
export const policyCardText = {
  title: 'Rotation policy',
  save: 'Save',
  cancel: 'Cancel',
  saved: 'Saved',
  meaning: (wait: string, lifetime: string) => `About ${wait} into a lifetime of ${lifetime}.`,
  meaningNext: (wait: string, lifetime: string) =>
    `About ${wait} into a lifetime of ${lifetime}; the next rotation is {next}.` as const,
  meaningChanged: (wait: string, lifetime: string) =>
    `About ${wait} into a lifetime of ${lifetime}; the next rotation would be {next}.` as const,
} as const;

/** The card and the dialog that remove a credential. */
export const removeCredentialText = {
  title: 'Remove credential',
  lead: (vault: string) => `Rotavox stops rotating it and removes the token from the ${vault}.`,
  open: 'Remove credential…',
  question: (name: string) => `Remove ${name}?`,
  consequences: (
    vault: string,
    { targets, retiring, isRevoked }: { targets: number; retiring: number; isRevoked: boolean },
  ) =>
    [
      `Rotavox stops rotating it and removes its token from the ${vault}.`,
      isRevoked
        ? 'Its tokens are revoked, if its service can do that. Otherwise they work until they expire.'
        : 'The token is not revoked: it keeps working until {expires}.',
      ...(retiring === 0 ? [] : [`${countWords(retiring, 'old token')} beside it: deleted at the service.`]),
      ...(targets === 0
        ? []
        : [`Copies of the token at ${countWords(targets, 'target')} stay there and work until it expires.`]),
      'Programs that read it by this name are refused at once.',
      'Its history is kept.',
    ] as const,
  cancel: 'Cancel',
  remove: 'Remove credential',
  removing: 'Removing …',
  removed: (name: string) => `${name} is removed`,
} as const;

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
