/**
 * What the commands read and show that need no arguments: `status` and the lists. The commands in `commands/` are made of these, and so
 * is the quick path (`read-quickly.ts`), which loads nothing else. So nothing here may need a schema or commander; see
 * decisions/start-of-the-command-line.md.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { PortalStatus } from '../contract/service/portal.ts';
import { appLogFolder } from '../contract/service/data-dir.ts';
import { connectText } from '../text/cli/cli-connect.ts';
import {
  credentialListHead,
  credentialListRow,
  credentialText,
  vaultProblem,
} from '../text/cli/cli-credential.ts';
import {
  extensionListHead,
  extensionText,
  recordingListHead,
  recordingListRow,
  recordingText,
  smsTemplateListHead,
  smsTemplateText,
} from '../text/cli/cli-directories.ts';
import { hoursCliText } from '../text/cli/cli-hours.ts';
import { draftListHead, draftText, isPublishedText, ivrListHead, ivrText } from '../text/cli/cli-ivr.ts';
import { logRowLabel, otherVersionText, statusRows } from '../text/cli/cli-service.ts';
import { pbxCliText, pbxRow } from '../text/cli/cli-calls.ts';
import { providerListHead, providerListRow } from '../text/cli/cli-provider.ts';
import { localTime } from '../text/time.ts';
import type { Portal } from './open-portal.ts';
import type { ShownAnswer } from './show-answer.ts';

/** What one call of the service answers, and how that is shown. */
interface Reading<R> extends ShownAnswer<{ readonly json: boolean }, never, R> {
  readonly call: (portal: Pick<Portal, 'ask'>) => Promise<R>;
}

/** The same, whatever its answer is. */
export type AnyReading = Reading<never>;

function reading<R>(one: Reading<R>): Reading<R> {
  return one;
}

/** By the words of the command. */
export const readings = {
  status: reading({
    call: (portal) => portal.ask('portalStatus'),
    rows: (status) => [...statusRows(status), ...logRow(status)],
    notes: ({ version }) =>
      version === packageJson.version ? [] : otherVersionText(packageJson.version, version),
  }),
  'credential/list': reading({
    async call(portal) {
      const { credentials, vault } = await portal.ask('listCredentials');
      return { credentials, vault };
    },
    rows: ({ credentials }) => credentials.map((credential) => credentialListRow(credential, Date.now())),
    head: credentialListHead,
    none: credentialText.none,
    notes: ({ vault }) => vaultProblem(vault),
  }),
  'connect/list': reading({
    call: (portal) => portal.ask('listConnections'),
    head: connectText.columns,
    rows: ({ connections }) => connections.map(connectText.row),
    none: connectText.none,
  }),
  'provider/list': reading({
    async call(portal) {
      const { providers } = await portal.ask('listProviders');
      return { providers };
    },
    rows: ({ providers }) => providers.map(providerListRow),
    head: providerListHead,
  }),
  'ivr/list': reading({
    call: (portal) => portal.ask('portalListIvrs'),
    rows: ({ ivrs }) =>
      ivrs.map(({ id, version, updated_at, option, name }) => [
        id,
        String(version),
        localTime(updated_at),
        option.join(' '),
        name,
      ]),
    head: ivrListHead,
    none: ivrText.none,
  }),
  'ivr/draft/list': reading({
    call: (portal) => portal.ask('listDrafts'),
    rows: ({ drafts }) =>
      drafts.map((one) => [
        one.id,
        String(one.revision),
        localTime(one.updated_at),
        String(one.menus),
        String(one.scenarios),
        String(one.errors),
        String(one.warnings),
        isPublishedText(one.publications),
        one.name,
      ]),
    head: draftListHead,
    none: draftText.none,
  }),
  'hours/list': reading({
    call: (portal) => portal.ask('listSchedules'),
    rows: ({ schedules }) => schedules.map((one) => hoursCliText.row(one, Date.now())),
    head: hoursCliText.head,
    none: hoursCliText.none,
  }),
  'recording/list': reading({
    call: (portal) => portal.ask('listRecordings'),
    rows: ({ recordings }) => recordings.map(recordingListRow),
    head: recordingListHead,
    none: recordingText.none,
  }),
  'extension/list': reading({
    call: (portal) => portal.ask('listExtensions'),
    rows: ({ extensions }) => extensions.map(({ id, name }) => [id, name]),
    head: extensionListHead,
    none: extensionText.none,
  }),
  'sms-template/list': reading({
    call: (portal) => portal.ask('listSmsTemplates'),
    rows: (list) => list.sms_templates.map(({ id, name, text }) => [id, name, text]),
    head: smsTemplateListHead,
    none: smsTemplateText.none,
  }),
  'pbx/list': reading({
    call: (portal) => portal.ask('listPbxs'),
    rows: ({ pbxs }) => pbxs.map(pbxRow),
    head: pbxCliText.columns,
    none: pbxCliText.none,
  }),
};

/** Where what the desktop app printed can be read; not that of another machine. */
function logRow({ data_dir: dataDir }: Pick<PortalStatus, 'data_dir'>): string[][] {
  const folder = join(dataDir, appLogFolder);
  return existsSync(folder) ? [[logRowLabel, folder]] : [];
}
