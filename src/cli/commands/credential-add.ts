import type { Command } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { AddCredential } from '../../contract/credential.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { lifeWords } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { localTime } from '../../text/time.ts';
import { addLifeOptions, lifeFields, type LifeOptions, valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readTokenValue } from '../read-token-value.ts';
import { printJson, say } from '../terminal.ts';

interface AddOptions extends GlobalOptions, LifeOptions {
  readonly baseUrl?: string;
  readonly remindOnly?: true;
  readonly json?: true;
}

const { name: nameSchema, base_url: baseUrl } = AddCredential.shape;

export function credentialAddCommand(credential: Command): void {
  const command = addCommand(credential, 'add', {
    description:
      'Keep a token fresh from now on. Its value is asked for, or comes on stdin; it is never an argument.',
    examples: [
      'rotavox credential add pbx --base-url https://api.example.com < token.txt',
      'rotavox credential add nightly-report',
    ],
  })
    .argument('<name>', 'how you will call it', valueOf(nameSchema))
    .option('--base-url <url>', 'the service that issued the token (default: this one)', valueOf(baseUrl));
  addLifeOptions(command)
    .option(
      '--remind-only',
      'where its service has no rotate endpoint: do not rotate it, remind before it expires (needs --expires-at or --validity where the service does not tell the end)',
    )
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<AddOptions>();
      const portal = openPortal(options); // first: nobody pastes a token for a service that does not run
      const value = await readTokenValue(name);
      const view = await portal.ask('addCredential', {
        body: {
          name,
          value,
          ...(options.baseUrl === undefined ? {} : { base_url: options.baseUrl }),
          ...lifeFields(options),
          ...(options.remindOnly ? { remind_only: true } : {}),
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(addedWords(view));
      if (view.message !== null) say(view.message);
    });
}

/** What was found out about its service, and what follows. */
function addedWords(view: CredentialView): string {
  const { name, can_rotate: canRotate, base_url: service } = view;
  if (canRotate === false) {
    return `${name} is added as a reminder: it is not rotated, and you are reminded before it expires ${localTime(view.expires_at)}.`;
  }
  const kept = `${name} is kept fresh. This value ${lifeWords(view, Date.now())}`;
  return canRotate === null
    ? `${kept}\nWhether ${service} can rotate tokens could not be found out: the first rotation shows it.`
    : kept;
}
