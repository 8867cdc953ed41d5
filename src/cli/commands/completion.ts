import { Argument, type Command } from 'commander';
import { completionHelp } from '../../text/cli-service.ts';
import { addCommand } from '../add-command.ts';
import { complete } from '../complete.ts';
import { completionScripts, type Shell, shells } from '../completion-scripts.ts';
import { chosenService } from '../chosen-service.ts';
import { createClient } from '../../client/create-client.ts';
import { printDocument } from '../terminal.ts';

/** How long a person who presses Tab waits for names, in milliseconds. */
const namesLimitMs = 1_000;

export function completionCommand(program: Command): void {
  addCommand(program, 'completion', completionHelp)
    .addArgument(new Argument('<shell>', completionHelp.shell).choices(shells))
    .action((shell: Shell) => {
      printDocument(completionScripts[shell]);
    });
  addCommand(program, 'complete', completionHelp.complete, { hidden: true })
    .argument('[words...]', completionHelp.complete.words)
    .action(async (words: string[]) => {
      const { words: found, files } = await complete(program, words, () => credentialNames(words));
      const lines = found.map(({ word, description }) => `${word}\t${firstSentence(description)}`);
      printDocument([...lines, ...(files ? [':files'] : []), ''].join('\n'));
    });
}

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
