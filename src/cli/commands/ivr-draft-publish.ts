import type { Command } from 'commander';
import type { PublishExchange } from '../../contract/ivr-draft.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { exitCodes } from '../exit-codes.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

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
