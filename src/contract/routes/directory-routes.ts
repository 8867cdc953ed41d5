import {
  ChangeExtensions,
  ChangeSmsTemplates,
  DirectoryImported,
  ExtensionList,
  ImportDirectory,
  SmsTemplateList,
} from '../directory.ts';
import type { Route } from './route.ts';
import { largeBodyProblems, portalProblems } from './route-parts.ts';

/** A directory may have 10,000 entries, in bytes. */
const directoryLimitBytes = 4 * 1024 * 1024;

/** Extensions and SMS templates. */
export const directoryRoutes = {
  listExtensions: {
    method: 'GET',
    path: '/portal/extensions',
    title: 'List extensions',
    summary: 'List the extensions that this service knows, by id.',
    family: 'portal',
    auth: 'portal',
    reply: ExtensionList,
    problems: portalProblems,
  },
  changeExtensions: {
    method: 'PATCH',
    path: '/portal/extensions',
    title: 'Change extensions',
    summary: 'Add, change and remove extensions: all of it, or nothing.',
    family: 'portal',
    auth: 'portal',
    body: ChangeExtensions,
    limitBytes: directoryLimitBytes,
    reply: ExtensionList,
    problems: [...portalProblems, ...largeBodyProblems],
  },
  importExtensions: {
    method: 'POST',
    path: '/portal/extensions/import',
    title: 'Import extensions',
    summary: 'Add and change extensions from a CSV text with the columns id and name.',
    family: 'portal',
    auth: 'portal',
    body: ImportDirectory,
    limitBytes: directoryLimitBytes,
    reply: DirectoryImported,
    problems: [...portalProblems, ...largeBodyProblems],
  },
  listSmsTemplates: {
    method: 'GET',
    path: '/portal/sms-templates',
    title: 'List SMS templates',
    summary: 'List the SMS templates that this service knows, by id.',
    family: 'portal',
    auth: 'portal',
    reply: SmsTemplateList,
    problems: portalProblems,
  },
  changeSmsTemplates: {
    method: 'PATCH',
    path: '/portal/sms-templates',
    title: 'Change SMS templates',
    summary: 'Add, change and remove SMS templates: all of it, or nothing.',
    family: 'portal',
    auth: 'portal',
    body: ChangeSmsTemplates,
    limitBytes: directoryLimitBytes,
    reply: SmsTemplateList,
    problems: [...portalProblems, ...largeBodyProblems],
  },
  importSmsTemplates: {
    method: 'POST',
    path: '/portal/sms-templates/import',
    title: 'Import SMS templates',
    summary: 'Add and change SMS templates from a CSV text with the columns id, name and text.',
    family: 'portal',
    auth: 'portal',
    body: ImportDirectory,
    limitBytes: directoryLimitBytes,
    reply: DirectoryImported,
    problems: [...portalProblems, ...largeBodyProblems],
  },
} as const satisfies Record<string, Route>;
