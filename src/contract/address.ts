/*
 * Addresses, apart from the schemas: the shell and the first view need them before they need any of those.
 */

/** The port that apps rely on: 7682 spells ROTA on a phone keypad. */
export const defaultPort = 7682;
export const loopbackAddress = '127.0.0.1';
/**
 * Where the browser is sent back to after a sign-in. Always the same, because services such as Atlassian compare the whole address
 * with the registered one; another port is taken where this one is in use.
 */
export const signInPort = 7684;
export const signInPath = '/callback';
/** Where the service may listen, and under which names it may be called. */
export const loopbackNames: readonly string[] = [loopbackAddress, 'localhost', '::1'];

/** What load balancers ask of a host: whether it is well, and whether it takes calls. */
export const probePaths: readonly string[] = ['/v1/health', '/v1/ready'];

/**
 * The stream of changes: Server-Sent Events named `change`, each a `ChangeNotice` with its `seq` as the event id.
 *
 * Between them come `step` events, each a `RotationStep` without an id, which are not repeated, and `reset`: everything
 * has to be requested again. So do `calls` events, each a `CallsNotice`, and `pbx` events with `{}`: a connection to a telephone
 * system was made or broke.
 */
export const eventStreamPath = '/portal/events';

/** Ends this host, for the owner of its computer. A host of a team never passes it on. */
export const stopPath = '/portal/stop';

/** For Prometheus, with an owner's key. */
export const metricsPath = '/metrics';

/** The history as a file. */
export const historyExportPath = '/portal/history/export';

/** The audio of a recording; parts can be requested (`Range`). */
export function recordingAudioPath(id: string): string {
  return `/portal/recordings/${encodeURIComponent(id)}/audio`;
}

/** Everything as one encrypted file. */
export const backupPath = '/portal/backup';
/** The header with the passphrase of a backup that is sent, in base64url (UTF-8). */
export const backupPassphraseHeader = 'rotavox-backup-passphrase';

/** The directories as files. */
export const extensionsCsvPath = '/portal/extensions/export';
export const smsTemplatesCsvPath = '/portal/sms-templates/export';
export const callsCsvPath = '/portal/calls/export';
/** Every file that a window asks for by its address. */
export const exportPaths: readonly string[] = [
  historyExportPath,
  extensionsCsvPath,
  smsTemplatesCsvPath,
  callsCsvPath,
];

/** Prompts of calls, for telephone systems; guarded by the signature in the path alone. */
export const promptPathStart = '/prompts/';

/** The header with which a browser's page proves that a call comes from its origin, in addition to the cookie. */
export const pageKeyHeader = 'rotavox-page-key';
/** The beginning of the fragment with which a sign-in link passes the page code to the browser's page. */
export const pageCodeFragment = '#page-code=';

/** What a browser signs to sign in again. The first words keep a signature from meaning anything elsewhere. */
export function signInStatement(challenge: string): string {
  return `Sign in to Rotavox again: ${challenge}`;
}

/** Scheme, host and port of a `BaseUrl`, which has no user, query or fragment: everything before the path. */
export function originOf(baseUrl: string): string {
  return /^[a-z]+:\/\/[^/]+/i.exec(baseUrl)?.[0] ?? baseUrl;
}
