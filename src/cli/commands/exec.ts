import type { Command } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { defaultVariable } from '../../contract/credential.ts';
import { addCommand, credentialNameArgument } from '../add-command.ts';
import { CommandRun, hearSignals } from '../command-run.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { targetFields } from '../delivery-target.ts';
import { endAs } from '../end-as.ts';
import { followValue } from '../follow-value.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import type { CommandLine } from '../start-child.ts';
import { flushOutput, say } from '../terminal.ts';

interface ExecOptions extends GlobalOptions {
  readonly env: string;
  readonly restartOnRotate?: true;
  readonly masking: boolean;
}

export function execCommand(program: Command): void {
  addCommand(program, 'exec', {
    description:
      'Run a command with the value of a credential in its environment, masked in what it prints. ' +
      'Signals, exit code and stdin are those of the command; 127 means that it was not found, 126 that it cannot be run.',
    examples: [
      'rotavox exec pbx -- node server.js',
      'rotavox exec pbx --env PBX_TOKEN --restart-on-rotate -- ./worker --verbose',
    ],
  })
    .argument(...credentialNameArgument)
    .argument('<command...>', 'the program and its arguments, after --; no shell reads them')
    .option(
      '--env <variable>',
      'the variable that has the value',
      valueOf(targetFields.variable),
      defaultVariable,
    )
    .option(
      '--restart-on-rotate',
      'end the command when there is a new value (SIGTERM, after 10 seconds SIGKILL) and start it again with that',
    )
    .option(
      '--no-masking',
      'let it print straight to the terminal: colours and prompts work, the value may show',
    )
    .action(async (name: string, words: CommandLine, _options, command: Command) => {
      await exec(name, words, command.optsWithGlobals<ExecOptions>());
    });
}

async function exec(name: string, command: CommandLine, options: ExecOptions): Promise<never> {
  const portal = openPortal(options);
  const byName = { params: { name } };
  const credential = options.restartOnRotate ? await portal.ask('readCredential', byName) : null;
  const { value } = await portal.ask('readCredentialValue', byName);

  const stopHearing = hearSignals((news) => run.take(news)); // first: nothing may end us while the command runs
  const run = new CommandRun({ command, variable: options.env, value, isMasked: options.masking });
  const following = new AbortController();
  const followed =
    credential === null
      ? Promise.resolve()
      : restartWithNewValues(run, { dataDir: portal.dataDir, credential, signal: following.signal });

  const ending = await run.ended();
  following.abort();
  await followed;
  // From here on a signal is for us: the command may have left something running that still prints.
  stopHearing();
  await run.printed();
  await flushOutput();
  return endAs(ending); // not left to itself: nothing that is still open may outlive the command
}

async function restartWithNewValues(
  run: CommandRun,
  followed: { dataDir: string; credential: CredentialView; signal: AbortSignal },
): Promise<void> {
  const { name } = followed.credential;
  const onTrouble = (sentence: string): void => say(`rotavox: ${sentence}`);
  for await (const value of followValue({ ...followed, onTrouble })) {
    if (run.renew(value)) say(`rotavox: ${name} has a new value; the command is started again with it.`);
  }
}
