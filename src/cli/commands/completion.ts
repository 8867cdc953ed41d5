import { completionHelp } from '../../text/cli/cli-service.ts';
import { customCommand } from '../command-table.ts';
import { complete } from '../complete.ts';
import { completionScripts, shells } from '../completion-scripts.ts';
import { chosenService } from '../chosen-service.ts';
import { createClient } from '../../client/create-client.ts';
import { printDocument } from '../terminal.ts';

/** How long a person who presses Tab waits for names, in milliseconds. */
const namesLimitMs = 1_000;

export const completionCommand = customCommand({
  help: completionHelp,
  arguments: { '<shell>': { help: completionHelp.shell, choices: shells } },
  json: false,
  run: ({ shell }) => printDocument(completionScripts[shell]),
});

export const completeCommand = customCommand({
  help: completionHelp.complete,
  arguments: { '[words...]': completionHelp.complete.words },
  json: false,
  hidden: true,
  async run({ words }, command) {
    const { words: found, files } = await complete(command.parent ?? command, words, () =>
      credentialNames(words),
    );
    const lines = found.map(({ word, description }) => `${word}\t${firstSentence(description)}`);
    printDocument([...lines, ...(files ? [':files'] : []), ''].join('\n'));
  },
});

/** The names of the credentials of the service that the words choose; none where they cannot be read quickly. */
async function credentialNames(words: readonly string[]): Promise<string[]> {
  const chosen = (option: string): string | undefined =>
    words.includes(option) ? words[words.indexOf(option) + 1] : undefined;
  const host = chosen('--host');
  const options = { dataDir: chosen('--data-dir'), ...(host === undefined ? {} : { host }) };
  try {
    const client = createClient(await chosenService(options).connect());
    const listed = await client.call('listCredentials', {
      query: { planned: 'false' },
      signal: AbortSignal.timeout(namesLimitMs),
    });
    return listed.ok ? listed.value.credentials.map(({ name }) => name) : [];
  } catch {
    return []; // it does not run, or is busy: a shell that completes says nothing
  }
}

function firstSentence(text: string): string {
  return /^.+?(?=\.(?:\s|$))/.exec(text)?.[0] ?? text;
}
