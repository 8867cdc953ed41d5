import type { Command } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { defaultVariable } from '../../contract/credential.ts';
import { execHelp, execText } from '../../text/cli-delivery.ts';
import { addCommand, credentialNameArgument } from '../add-command.ts';
import { CommandRun, handleSignals } from '../command-run.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { targetFields } from '../delivery-target.ts';
import { endAs } from '../end-as.ts';
import { followToken } from '../follow-token.ts';
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
  addCommand(program, 'exec', execHelp)
    .argument(...credentialNameArgument)
    .argument('<command...>', execHelp.command)
    .option('--env <variable>', execHelp.env, valueOf(targetFields.variable), defaultVariable)
    .option('--restart-on-rotate', execHelp.restartOnRotate)
    .option('--no-masking', execHelp.noMasking)
    .action(async (name: string, words: CommandLine, _options, command: Command) => {
      await exec(name, words, command.optsWithGlobals<ExecOptions>());
    });
}

async function exec(name: string, command: CommandLine, options: ExecOptions): Promise<never> {
  const portal = openPortal(options);
  const byName = { params: { name } };
  const credential = options.restartOnRotate ? await portal.ask('readCredential', byName) : null;
  const { value: token } = await portal.ask('readCredentialValue', byName);

  const stopHandling = handleSignals((received) => run.forward(received)); // first: no signal may end us while the command runs
  const run = new CommandRun({ command, variable: options.env, token, isMasked: options.masking });
  const following = new AbortController();
  const followed =
    credential === null
      ? Promise.resolve()
      : restartWithNewTokens(run, { dataDir: portal.dataDir, credential, signal: following.signal });

  const ending = await run.ended();
  following.abort();
  await followed;
  // From now on a signal is for this process: the command may have left something running that still prints.
  stopHandling();
  await run.printed();
  await flushOutput();
  return endAs(ending); // explicitly: nothing that is still open may keep this process running after the command
}

async function restartWithNewTokens(
  run: CommandRun,
  followed: { dataDir: string; credential: CredentialView; signal: AbortSignal },
): Promise<void> {
  const { name } = followed.credential;
  const report = (sentence: string): void => say(execText.line(sentence));
  for await (const token of followToken({ ...followed, onProblem: report })) {
    if (run.restartWith(token)) report(execText.restarting(name));
  }
}
