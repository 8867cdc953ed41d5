import type { Command } from 'commander';
import type { PublishExchange } from '../../contract/ivr-draft.ts';
import { IvrCreated } from '../../contract/ivr.ts';
import {
  draftHelp,
  draftListHead,
  draftRows,
  draftText,
  isPublishedText,
  publishedWithText,
  versionListHead,
  warningLines,
} from '../../text/cli-ivr.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../../text/time.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrDraftListCommand(draft: Command): void {
  addCommand(draft, 'list', draftHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listDrafts');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.drafts.length === 0) {
        say(draftText.none);
        return;
      }
      const rows = list.drafts.map((one) => [
        one.id,
        String(one.revision),
        localTime(one.updated_at),
        String(one.menus),
        String(one.scenarios),
        String(one.errors),
        String(one.warnings),
        isPublishedText(one.publications),
        one.name,
      ]);
      for (const line of formatTable(rows, draftListHead)) print(line);
    });
}

export function ivrDraftShowCommand(draft: Command): void {
  addCommand(draft, 'show', draftHelp.show)
    .argument('<id>', draftHelp.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const shown = await openPortal(options).ask('readDraft', { params: { id } });
      if (options.json) printJson(shown);
      else for (const line of formatTable(draftRows(shown))) print(line);
    });
}

type PublishOptions = GlobalOptions & { readonly credential?: string; readonly json?: true };

export function ivrDraftPublishCommand(draft: Command): void {
  addCommand(draft, 'publish', draftHelp.publish)
    .argument('<id>', draftHelp.id)
    .option('--credential <name>', draftHelp.publish.credential)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const { credential = null, ...options } = command.optsWithGlobals<PublishOptions>();
      const portal = openPortal(options);
      // Publishes what is stored now; if it is saved in between, the service refuses.
      const { revision } = await portal.ask('readDraft', { params: { id } });
      const reply = await portal.ask('publishDraft', { params: { id }, body: { revision, credential } });
      if (options.json) printJson(reply);
      else for (const exchange of reply.exchanges) print(draftText.exchange(exchange));
      if (reply.outcome !== 'published') throw new CommandFailure(exitCodes.failed, reply.message);
      if (options.json) return;
      for (const line of publishWarnings(reply.exchanges)) say(line);
      say(reply.message);
    });
}

const WithWarnings = IvrCreated.pick({ warnings: true });

/** What the service says about each menu in its last reply: while others are not created yet, it does not know their ids. */
function publishWarnings(exchanges: readonly PublishExchange[]): string[] {
  const last = new Map<string, string[]>();
  for (const { menu, name, reply } of exchanges) {
    const read = WithWarnings.safeParse(reply);
    if (read.success) last.set(menu, warningLines(read.data.warnings, name));
  }
  return [...last.values()].flat();
}

export function ivrDraftVersionsCommand(draft: Command): void {
  addCommand(draft, 'versions', draftHelp.versions)
    .argument('<id>', draftHelp.versions.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('draftVersions', { params: { id } });
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.versions.length === 0) {
        say(draftText.noVersions(id));
        return;
      }
      const rows = list.versions.map(({ version, revision, published_at, credential, base_url, menus }) => [
        String(version),
        String(revision),
        localTime(published_at),
        publishedWithText(credential),
        base_url,
        Object.values(menus).join(' '),
      ]);
      for (const line of formatTable(rows, versionListHead)) print(line);
    });
}

export function ivrDraftDeleteCommand(draft: Command): void {
  addCommand(draft, 'delete', draftHelp.delete)
    .argument('<id>', draftHelp.id)
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const deleted = await portal.ask('deleteDraft', { params: { id } });
      say(draftText.deleted(deleted.id));
    });
}
