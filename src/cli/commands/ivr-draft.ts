import type { Command } from 'commander';
import type { IvrDraft, Publication, PublishExchange } from '../../contract/ivr-draft.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../../text/time.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrDraftListCommand(draft: Command): void {
  addCommand(draft, 'list', {
    description: 'List the drafts of the designer, the one changed last first.',
    examples: ['rotavox ivr draft list', 'rotavox ivr draft list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listDrafts');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.drafts.length === 0) {
        say('There is no draft. Draw one in the designer, or make one with `rotavox ivr import FILE`.');
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
        one.publications.some(({ version }) => version !== null) ? 'yes' : 'no',
        one.name,
      ]);
      const counts = ['menus', 'scenarios', 'errors', 'warnings'];
      const head = ['id', 'revision', 'changed', ...counts, 'published', 'name'];
      for (const line of formatTable(rows, head)) print(line);
    });
}

export function ivrDraftShowCommand(draft: Command): void {
  addCommand(draft, 'show', {
    description: 'Show a draft: its menus, its scenarios and where it was published.',
    examples: ['rotavox ivr draft show draft_…', 'rotavox ivr draft show draft_… --json'],
  })
    .argument('<id>', "the draft's id, as `rotavox ivr draft list` shows it")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const shown = await openPortal(options).ask('readDraft', { params: { id } });
      if (options.json) printJson(shown);
      else for (const line of draftLines(shown)) print(line);
    });
}

function draftLines({ id, revision, updated_at, document, publications }: IvrDraft): string[] {
  const menus = Object.values(document.nodes).filter((node) => node.kind === 'menu');
  return formatTable([
    ['Draft', id],
    ['Name', document.name],
    ['Revision', `${revision}, saved ${localTime(updated_at)}`],
    ...menus.map((menu) => [
      `Menu ${menu.id}`,
      `${menu.name || 'without a name'}, keys ${menu.keys.map(({ key }) => key).join(' ') || 'none'}`,
    ]),
    ...Object.values(document.scenarios).map((scenario) => [
      `Scenario ${scenario.id}`,
      `${scenario.name}: ${scenario.inputs.join(' ') || 'nothing is pressed'}`,
    ]),
    ...publications.map((publication) => ['Published', publicationWords(publication)]),
  ]);
}

function publicationWords({
  base_url: baseUrl,
  credential,
  version,
  published_at: at,
  menus,
}: Publication): string {
  const where = credential === null ? 'here' : `${baseUrl} (${credential})`;
  const what =
    version === null ? 'not whole yet' : `version ${version}${at === null ? '' : `, ${localTime(at)}`}`;
  return `${where}: ${what}; ${Object.values(menus).join(', ')}`;
}

type PublishOptions = GlobalOptions & { readonly credential?: string; readonly json?: true };

export function ivrDraftPublishCommand(draft: Command): void {
  addCommand(draft, 'publish', {
    description: 'Prove a draft, then store its menus here or in the service of a credential.',
    examples: ['rotavox ivr draft publish draft_…', 'rotavox ivr draft publish draft_… --credential pbx'],
  })
    .argument('<id>', "the draft's id, as `rotavox ivr draft list` shows it")
    .option('--credential <name>', 'publish to the service of this credential, with its current token')
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const { credential = null, ...options } = command.optsWithGlobals<PublishOptions>();
      const portal = openPortal(options);
      // What is stored now is what is meant; a save in between is refused by the service.
      const { revision } = await portal.ask('readDraft', { params: { id } });
      const reply = await portal.ask('publishDraft', { params: { id }, body: { revision, credential } });
      if (options.json) printJson(reply);
      else for (const exchange of reply.exchanges) print(exchangeLine(exchange));
      if (reply.outcome !== 'published') throw new CommandFailure(exitCodes.failed, reply.message);
      if (!options.json) say(reply.message);
    });
}

function exchangeLine({ method, url, name, status, message }: PublishExchange): string {
  return `${method} ${url}  ${status ?? 'no answer'}  ${name}: ${message}`;
}

export function ivrDraftVersionsCommand(draft: Command): void {
  addCommand(draft, 'versions', {
    description: 'List the versions of a draft that were published, newest first.',
    examples: ['rotavox ivr draft versions draft_…', 'rotavox ivr draft versions draft_… --json'],
  })
    .argument('<id>', "the draft's id; a deleted one has its versions too")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('draftVersions', { params: { id } });
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.versions.length === 0) {
        say(`No version yet. Publish one with \`rotavox ivr draft publish ${id}\`.`);
        return;
      }
      const rows = list.versions.map(({ version, revision, published_at, credential, base_url, menus }) => [
        String(version),
        String(revision),
        localTime(published_at),
        credential ?? 'here',
        base_url,
        Object.values(menus).join(' '),
      ]);
      const head = ['version', 'revision', 'published', 'credential', 'service', 'menus'];
      for (const line of formatTable(rows, head)) print(line);
    });
}

export function ivrDraftDeleteCommand(draft: Command): void {
  addCommand(draft, 'delete', {
    description: 'Delete a draft. What was published of it stays, and so do its versions.',
    examples: ['rotavox ivr draft delete draft_…'],
  })
    .argument('<id>', "the draft's id, as `rotavox ivr draft list` shows it")
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const deleted = await portal.ask('deleteDraft', { params: { id } });
      say(`${deleted.id} is deleted.`);
    });
}
