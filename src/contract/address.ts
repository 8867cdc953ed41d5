/*
 * Addresses, apart from the schemas: the shell and the first view need them before they need any of those.
 */

/** The port that apps rely on: 7682 spells ROTA on a phone keypad. */
export const defaultPort = 7682;
export const loopbackAddress = '127.0.0.1';
/** Where the service may listen, and under which names it may be called. */
export const loopbackNames: readonly string[] = [loopbackAddress, 'localhost', '::1'];

/**
 * The stream of changes: Server-Sent Events named `change`, each a `ChangeNotice` with its `seq` as the event id.
 *
 * Between them `step`, each a `RotationStep` without an id: told while it happens and never again; and `reset`: everything is
 * to be asked for again.
 */
export const eventStreamPath = '/portal/events';

/** Where the history is had as a file. */
export const historyExportPath = '/portal/history/export';

/** Where the audio of a recording is heard; it can be asked for in parts (`Range`). */
export function recordingAudioPath(id: string): string {
  return `/portal/recordings/${encodeURIComponent(id)}/audio`;
}

/** Where the directories are had as files. */
export const extensionsCsvPath = '/portal/extensions/export';
export const smsTemplatesCsvPath = '/portal/sms-templates/export';

/** The header with which the page of a browser shows that a call comes from its origin, beside the cookie. */
export const pageKeyHeader = 'rotavox-page-key';
/** How the fragment begins in which a sign-in link hands a browser's page its page code. */
export const pageCodeFragment = '#page-code=';

/** Scheme, host and port of a `BaseUrl`, which has no user, query or fragment: everything before the path. */
export function originOf(baseUrl: string): string {
  return /^[a-z]+:\/\/[^/]+/i.exec(baseUrl)?.[0] ?? baseUrl;
}
