import type { Command } from 'commander';
import { AddCredential } from '../../contract/credential.ts';
import { credentialHelp, credentialText } from '../../text/cli-credential.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { addValidityOptions, validityFields, type ValidityOptions, valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readToken } from '../read-token.ts';
import { printJson, say } from '../terminal.ts';

interface AddOptions extends GlobalOptions, ValidityOptions {
  readonly baseUrl?: string;
  readonly remindOnly?: true;
  readonly json?: true;
}

const { name: nameSchema, base_url: baseUrl } = AddCredential.shape;
const help = credentialHelp.add;

export function credentialAddCommand(credential: Command): void {
  const command = addCommand(credential, 'add', help)
    .argument('<name>', help.name, valueOf(nameSchema))
    .option('--base-url <url>', help.baseUrl, valueOf(baseUrl));
  addValidityOptions(command)
    .option('--remind-only', help.remindOnly)
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<AddOptions>();
      const portal = openPortal(options); // first: no token is asked for when the service does not run
      const value = await readToken(name);
      const view = await portal.ask('addCredential', {
        body: {
          name,
          value,
          ...(options.baseUrl === undefined ? {} : { base_url: options.baseUrl }),
          ...validityFields(options),
          ...(options.remindOnly ? { remind_only: true } : {}),
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(...credentialText.added(view, Date.now()));
      if (view.message !== null) say(view.message);
    });
}
