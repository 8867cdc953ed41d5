import type { ConnectionOutcome } from '../../contract/credential/credential-checks.ts';
import type { RotationPolicy } from '../../contract/credential/credential.ts';
import { policyText } from './credentials.ts';

/** The dialog that adds a credential. */
export const addCredentialText = {
  title: 'Add credential',
  name: {
    label: 'Name',
    subject: 'The name',
    missing: 'Enter a name for the credential.',
    hint: 'Used in commands and in this window.',
  },
  token: {
    label: 'Token',
    subject: 'This',
    missing: (label: string) => `${label} is missing. Paste it here.`,
    /** `what` says which, where it is no token. */
    hint: (vault: string, what?: string) =>
      `${what === undefined ? '' : `${what} `}Stored in the ${vault} of this machine. It is not shown again.`,
  },
  password: {
    label: 'Password',
    subject: 'This',
    hint: (email: string) => `Of ${email}. Rotavox logs in with it when the token is lost or has expired.`,
  },
  /** The first step: which service issued the token. */
  service: {
    lead: 'Paste the token, or search for the service that issued it by name or address.',
    label: 'Service that issued the token',
    placeholder: 'Token, name or address',
    /** A token is there already. */
    leadWithToken: 'Now choose the service that issued the token. Search by name or address.',
    placeholderWithToken: 'Name or address',
    /** A token that is there and not shown. */
    held: {
      label: 'Token',
      length: (count: number) => `${count} characters, hidden`,
      next: 'It is filled in at the next step. Nothing is sent yet.',
      unknown:
        'Its beginning does not say which service issued it. If its service is not listed, search for its address or choose one of the last entries.',
      typed: 'This looks like a token, so it is hidden. It is filled in at the next step.',
      remove: 'Remove token',
    },
    likely: (host: string) => `Likely at ${host}`,
    anyAddress: 'Any service at an address of its own',
    list: 'Services',
    chosenBefore: 'Chosen before',
    all: 'All services',
    none: 'No matches. For a service that is not listed, enter its address, or clear the search and choose one of the last entries: by its API, by OAuth, or reminders only.',
    chosen: 'Service',
    change: 'Change…',
    /** The two kinds of services with this program's own API. */
    embedded: { name: 'This program', summary: 'Tokens that were issued here.' },
    remote: {
      name: 'Another service with the Rotavox API',
      summary: 'A service whose tokens rotate at /v1/auth/rotate.',
    },
    other: (name: string) => `This looks like a token of another service: ${name}.`,
    use: (name: string) => `Choose ${name}`,
    notIssuedHere:
      'This program did not issue the token. If another service with the Rotavox API did, choose that and enter its address.',
    useRemote: 'Choose another service with this API',
  },
  /** Where what is entered comes from. */
  creation: {
    title: (what: string) => `Where to get the ${what}`,
    token: 'token',
    clientId: 'client ID',
    redirect: 'Redirect address to register there:',
    redirectAddress: 'redirect address',
  },
  /** Asked where the usual server and others give tokens that look the same. */
  where: {
    title: (service: string) => `Which ${service} server issued the token?`,
    consequence: 'Rotavox sends the token to the server that you choose, and to no other.',
    other: 'Another server…',
  },
  /** Of a token that was pasted for a service that people sign in to. */
  notNeeded: {
    title: (service: string) => `${service} needs a sign-in instead of the pasted token.`,
    text: 'A pasted token cannot obtain the next one. After the sign-in, Rotavox obtains its own tokens and refreshes them. The pasted token was not sent anywhere.',
    keep: 'Keep the pasted token, reminders only',
  },
  address: {
    label: 'Address of the service',
    subject: 'The address',
    missing: 'Enter the address of the service.',
    usual: (address: string) => `Where the tokens are used. Default: ${address}.`,
  },
  input: {
    subject: 'This',
    missing: (label: string) => `${label} is missing.`,
    chooseFirst: 'Choose a credential. If there is none, add one with this address first.',
    none: 'None',
    choose: (count: number) =>
      count === 0 ? 'Add a credential with this address first' : 'Choose a credential',
    endpoints: { label: 'Enter its addresses', hint: 'Only for a server without metadata.' },
  },
  remindOnly: {
    label: 'Only remind me before it expires',
    hint: 'Its service cannot rotate it. Rotavox reminds you when 20, 10 and 2 % of its lifetime are left.',
  },
  policy: {
    label: 'Choose when it is rotated',
    hint: (usual: RotationPolicy) =>
      `Otherwise the default applies: ${policyText(usual)}. You can change it later.`,
    meaning: 'A little earlier or later, so that tokens added together are not rotated together.',
  },
  cancel: 'Cancel',
  add: 'Add credential',
  addReminder: 'Add reminder',
  adding: 'Adding …',
} as const;

/** The dialog that replaces the token of a credential by one that a person enters. */
export const replaceTokenText = {
  title: (name: string) => `Enter a new token for ${name}`,
  lead: (vault: string) =>
    `It replaces the current token in the ${vault} and is delivered to all targets. The current token is not revoked: if it still works, it works until it expires.`,
  /** Where Rotavox revokes the old token. */
  leadRevoked: (vault: string) =>
    `It replaces the current token in the ${vault} and is delivered to all targets. Rotavox revokes the current token when every target has the new one, and after 24 hours at the latest.`,
  /** A secret that obtains tokens. */
  secret: (kind: string) => ({
    title: (name: string) => `Enter a new ${kind} for ${name}`,
    lead: (vault: string) =>
      `It replaces the ${kind} in the ${vault} and obtains an access token at once, which is delivered to all targets. The old ${kind} is not revoked.`,
    label: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    replace: `Replace ${kind}`,
  }),
  token: {
    label: 'Token',
    subject: 'This',
    hint: (service: string) => `Issued by ${service}. It is not shown again.`,
  },
  cancel: 'Cancel',
  replace: 'Replace token',
  replacing: 'Replacing …',
} as const;

/** The dialog that stores a second token beside the current one. */
export const secondTokenText = {
  title: (name: string) => `Enter a second token for ${name}`,
  lead: (vault: string) =>
    `Create it with the same owner and the same scopes. It is stored in the ${vault}. From then on a rotation replaces the token that is not in use, and programs have until the next rotation to take the new one.`,
  token: replaceTokenText.token,
  cancel: 'Cancel',
  replace: 'Save second token',
  replacing: 'Saving …',
} as const;

/** The fields of a token that a person enters. */
export const tokenFieldsText = {
  show: 'Show',
  hide: 'Hide',
  takeToken: 'Use the token alone',
  hasExpiry: { label: 'Set when it expires', hint: 'Only needed if its service does not say.' },
  expiry: {
    label: 'Expires on',
    subject: 'The expiry',
    hint: 'In your time zone. One of the two is enough.',
  },
  validity: {
    label: 'Valid for, in days',
    subject: 'The validity',
    hint: 'How long its service makes each new token valid.',
  },
} as const;

/** The fields of a rotation policy. */
export const policyFieldsText = {
  share: 'Rotate after this share of the lifetime',
  percent: (fraction: number) => `${Math.round(fraction * 100)} %`,
  hasHours: {
    label: 'Prefer certain hours',
    hint: 'Rotates during these hours when there is time; otherwise on schedule.',
  },
  hours: 'Preferred hours',
  ends: { from: 'From', to: 'To' },
  hasValidity: {
    label: 'Limit how long new tokens are valid',
    hint: 'Its service is asked for it at each rotation, and may give less. Otherwise new tokens are valid as long as the one before.',
  },
  validity: 'Days at most',
  noValidity: 'Its service decides how long new tokens are valid, and cannot be asked for less.',
  subjects: { fraction: 'The share', hours: 'Each of the two times', validity: 'The validity' },
  invalid: 'is not valid',
} as const;

/** What came of testing a token with its service. */
export const connectionTestText = {
  test: 'Test connection',
  testing: 'Testing …',
  titles: {
    works: 'It works.',
    refused: 'It is refused.',
    unreachable: 'The service could not be reached.',
    unknown: 'The service does not say whether it works.',
    busy: 'Not tested.',
  } satisfies Record<ConnectionOutcome, string>,
  canRotate: 'It can be rotated.',
  cannotRotate: 'It cannot be rotated.',
  expires: 'Expires {at}',
  facts: '{facts}, expires {at}',
  took: (ms: number) => `answered in ${ms} ms` as const,
} as const;

/** Where a client certificate is given in the windows. */
export const clientCertificateText = {
  label: 'The service asks for a client certificate',
  optionalHint: 'Some companies have this (mutual TLS).',
  choose: 'Choose files…',
  files: 'Files with the client certificate and its key',
  lead: 'The certificate and its key in PEM, as one file or as several. They are stored beside the token.',
  passphrase: 'Passphrase of the key',
  passphraseHint: 'Only if the key is encrypted.',
  chosen: (names: readonly string[]) => `Certificate and key found in ${names.join(', ')}.`,
  noCertificate: (names: readonly string[]) =>
    `There is no certificate in ${names.join(', ')}. Choose the file that begins with BEGIN CERTIFICATE together with that of the key.`,
  noKey: (names: readonly string[]) =>
    `There is no private key in ${names.join(', ')}. Choose the file of the key together with that of the certificate.`,
  noPem: (names: readonly string[]) =>
    `${names.join(', ')}: this is not PEM. Convert a .p12 or .pfx file first: openssl pkcs12 -in FILE -out client.pem (with -legacy where that does not know its encryption)`,
  missing: 'Choose the files of the certificate and its key.',
  /** On the page of a credential. */
  has: 'Client certificate',
  none: 'Client certificate: none',
  open: 'Client certificate…',
  heading: (name: string) => `Client certificate of ${name}`,
  save: 'Save',
  saving: 'Saving …',
  remove: 'Remove',
  removing: 'Removing …',
  cancel: 'Cancel',
} as const;
