/**
 * What commands read and show: `status`, the lists and one thing of a kind. The commands in `commands/` are made of these, and so
 * is the quick path (`read-quickly.ts`), which loads nothing else. So nothing here may need a schema or commander; see
 * decisions/start-of-the-command-line.md.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { HistoryFilters } from '../contract/history/history.ts';
import type { HistoryPage, PortalStatus } from '../contract/service/portal.ts';
import { appLogFolder } from '../contract/service/data-dir.ts';
import type { TokenQuery } from '../contract/token/token-list.ts';
import { connectText } from '../text/cli/cli-connect.ts';
import {
  credentialListHead,
  credentialListRow,
  credentialRows,
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
import {
  historyText,
  logRowLabel,
  otherVersionText,
  settingText,
  statusRows,
} from '../text/cli/cli-service.ts';
import { targetListHead, targetListRow } from '../text/cli/cli-delivery.ts';
import { tokenListHead, tokenListRow, tokenRows, tokenText } from '../text/cli/cli-token.ts';
import { linesOfUse, userListHead, userListRow } from '../text/credential/use-text.ts';
import { pbxCliText, pbxRow } from '../text/cli/cli-calls.ts';
import { providerListHead, providerListRow } from '../text/cli/cli-provider.ts';
import { localTime } from '../text/time.ts';
import { eventsLine, groupedSaves } from '../text/window/events.ts';
import { formatTable } from './format-table.ts';
import type { Portal } from './open-portal.ts';
import { asCalledHere } from './own-command.ts';
import type { ShownAnswer } from './show-answer.ts';

type Asking = Pick<Portal, 'ask'>;

/** What calls of the service answer, and how that is shown. */
interface Reading<I, R> extends ShownAnswer<I & { readonly json: boolean }, never, R> {
  readonly call: (portal: Asking, input: I) => Promise<R>;
}

/** One of a thing: what its input calls the word after those of the command. */
interface ReadingOfOne<K extends string, R> extends Reading<Readonly<Record<K, string>>, R> {
  readonly argument: K;
}

/** The same, whatever it takes and answers. */
export type AnyReading = Reading<never, never> & { readonly argument?: string };

function reading<R, I = object>(one: Reading<I, R>): Reading<I, R> {
  return one;
}

function readingOfOne<K extends string, R>(one: ReadingOfOne<K, R>): ReadingOfOne<K, R> {
  return one;
}

/** Which tokens are listed, and how many at most. */
interface ListedTokens extends Omit<TokenQuery, 'newest' | 'offset' | 'limit' | 'family_id'> {
  readonly family?: string | undefined;
  readonly newest?: boolean | undefined;
  readonly limit?: number;
}

/** How many rows a long list has where nothing else is asked for, and how many events the history. */
export const usualRows = 100;
export const usualEvents = 50;

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
  'credential/show': readingOfOne({
    argument: 'name',
    async call(portal, { name }) {
      const view = await portal.ask('readCredential', { params: { name } });
      return { view, use: await portal.ask('readCredentialUse', { params: { name } }) };
    },
    asJson: ({ view, use }) => ({ ...view, use }),
    lines: ({ view, use }) => [
      ...formatTable(credentialRows(view, Date.now())).map((line) => asCalledHere(line)),
      ...partLines(view.targets.map(targetListRow), targetListHead),
      ...partLines(
        linesOfUse(use).map((line) => userListRow(line, use.generation)),
        userListHead,
      ),
    ],
  }),
  'token/list': reading({
    async call(portal, { status, category, text, sort, order, ...input }: ListedTokens) {
      const newest = input.newest === undefined ? undefined : 'true';
      let total = 0;
      const { items, next } = await collectPages(
        { limit: input.limit ?? usualRows, from: input.after },
        async (limit, after) => {
          const page = await portal.ask('listTokens', {
            query: { status, category, text, sort, order, family_id: input.family, newest, limit, after },
          });
          ({ total } = page);
          return { items: page.tokens, next: page.next_after };
        },
      );
      return { tokens: items, next_after: next, total };
    },
    rows: ({ tokens }) => tokens.map((one) => tokenListRow(one, Date.now())),
    head: tokenListHead,
    none: tokenText.none,
    words: ({ next_after: next, total }) => (next === null ? [] : tokenText.more(total, next)),
  }),
  'token/show': readingOfOne({
    argument: 'id',
    call: (portal, { id }) => portal.ask('readToken', { params: { id } }),
    rows: (view) => tokenRows(view, Date.now()),
  }),
  history: reading({
    call: (portal, { limit = usualEvents, ...selection }: Partial<HistorySelection>) =>
      readHistory(portal, { ...selection, limit }),
    lines: ({ events, names }) => groupedSaves(events).map((saves) => eventsLine(saves, names, Date.now())),
    words: ({ next_before: next }) => (next === null ? [] : historyText.olderHere(next)),
  }),
  'settings/list': reading({
    call: (portal) => portal.ask('readSettings'),
    rows: (current) => Object.entries(current).map(([key, value]) => [key, settingText(value)]),
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

/** A table after an empty line; nothing without rows. */
function partLines(rows: readonly string[][], head: readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', ...formatTable(rows, head)];
}

interface HistorySelection {
  readonly filters?: HistoryFilters;
  readonly limit: number;
  /** Only events before this one. */
  readonly before?: number | undefined;
}

/** A subject with a separate history. */
type HistoryOwner = { readonly tokenId: string } | { readonly credential: string };

/** Reads the selected part of the history, newest first; of one token or credential if given. */
export async function readHistory(
  portal: Asking,
  { filters, limit, before }: HistorySelection,
  owner?: HistoryOwner,
): Promise<HistoryPage> {
  const from = before === undefined ? undefined : String(before);
  const names: Record<string, string> = {};
  const { items, next } = await collectPages({ limit, from }, async (limit, before) => {
    const page = await readPage({ limit, before });
    Object.assign(names, page.names);
    return { items: page.events, next: page.next_before === null ? null : String(page.next_before) };
  });
  return {
    events: items,
    next_before: next === null ? null : Number(next),
    ...(Object.keys(names).length === 0 ? {} : { names }),
  };

  function readPage(page: { limit: string; before: string | undefined }): Promise<HistoryPage> {
    if (owner === undefined) return portal.ask('readHistory', { query: { ...filters, ...page } });
    if ('tokenId' in owner) return portal.ask('tokenHistory', { params: { id: owner.tokenId }, query: page });
    return portal.ask('credentialHistory', { params: { name: owner.credential }, query: page });
  }
}

/** A page of a long list, and where the next one begins. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** The largest page of the service. */
const pageSize = 1000;

/** Reads as many items as asked for, page by page, from a place on. */
async function collectPages<T>(
  { limit, from }: { limit: number; from?: string | undefined },
  readPage: (limit: string, from: string | undefined) => Promise<Page<T>>,
): Promise<{ items: T[]; next: string | null }> {
  const items: T[] = [];
  let next: string | null | undefined = from;
  do {
    const page: Page<T> = await readPage(String(Math.min(pageSize, limit - items.length)), next);
    items.push(...page.items);
    next = page.next;
  } while (next !== null && items.length < limit);
  return { items, next };
}

/** Where what the desktop app printed can be read; not that of another machine. */
function logRow({ data_dir: dataDir }: Pick<PortalStatus, 'data_dir'>): string[][] {
  const folder = join(dataDir, appLogFolder);
  return existsSync(folder) ? [[logRowLabel, folder]] : [];
}
