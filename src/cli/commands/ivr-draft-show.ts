import type { Command } from 'commander';
import type { IvrDraft, Publication } from '../../contract/ivr-draft.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../moments.ts';
import { openPortal } from '../portal.ts';
import { print, printJson } from '../terminal.ts';

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
