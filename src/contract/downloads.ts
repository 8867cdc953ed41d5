import { NewBackup } from './service/backup.ts';
import {
  backupPath,
  callsCsvPath,
  extensionsCsvPath,
  historyExportPath,
  smsTemplatesCsvPath,
} from './address.ts';
import { CallFilters } from './calls/call.ts';
import { SpeakText } from './menu/recording.ts';
import { HistoryExportQuery } from './history/history.ts';
import { bodyProblems, portalRoute, portalProblems, type Route } from './route.ts';

/** A download, written while it is read: no reply that a client could check as one value, so it is not in the table. */
export const historyExport = {
  ...portalRoute('GET', historyExportPath),
  title: 'Export the history',
  summary: 'The events that match as a file, newest first: CSV for a spreadsheet, or a JSON array.',
  query: HistoryExportQuery,
  problems: [...portalProblems, 'bad_request'],
} as const satisfies Omit<Route, 'reply'>;

/** The audio of a recording, whole or in parts: bytes, so it is not in the table either. */
export const recordingAudio = {
  ...portalRoute('GET', '/portal/recordings/:id/audio'),
  title: 'Hear a recording',
  summary: 'The audio of a recording, whole or the part that `Range` asks for.',
  problems: [...portalProblems, 'not_found', 'range_not_satisfiable'],
} as const satisfies Omit<Route, 'reply'>;

export const extensionsExport = {
  ...portalRoute('GET', extensionsCsvPath),
  title: 'Export extensions',
  summary: 'The extensions as a CSV file, which can be imported again.',
  problems: portalProblems,
} as const satisfies Omit<Route, 'reply'>;

export const smsTemplatesExport = {
  ...portalRoute('GET', smsTemplatesCsvPath),
  title: 'Export SMS templates',
  summary: 'The SMS templates as a CSV file, which can be imported again.',
  problems: portalProblems,
} as const satisfies Omit<Route, 'reply'>;

export const callsExport = {
  ...portalRoute('GET', callsCsvPath),
  title: 'Export calls',
  summary: 'The records of calls that match as a CSV file, newest first.',
  query: CallFilters,
  problems: [...portalProblems, 'bad_request'],
} as const satisfies Omit<Route, 'reply'>;

/** Not in the table either: bytes. Asked for by POST, because a passphrase is in no address. */
export const backupDownload = {
  ...portalRoute('POST', backupPath),
  title: 'Make a backup',
  summary:
    'Everything of this host as one file that a passphrase opens: tokens, history, settings, recordings, records of calls. It is a file of age.',
  body: NewBackup,
  problems: [...portalProblems, ...bodyProblems, 'conflict'],
} as const satisfies Omit<Route, 'reply'>;

/** Not in the table either: bytes. What a text sounds like; nothing is stored. */
export const speechPreview = {
  ...portalRoute('POST', '/portal/speech/preview'),
  title: 'Hear a text',
  summary: 'The audio of a text as WAV: what callers hear once it is stored.',
  body: SpeakText,
  problems: [...portalProblems, ...bodyProblems, 'conflict'],
} as const satisfies Omit<Route, 'reply'>;

/** All that is had as a file. */
export const downloads = {
  historyExport,
  recordingAudio,
  extensionsExport,
  smsTemplatesExport,
  callsExport,
} as const;
