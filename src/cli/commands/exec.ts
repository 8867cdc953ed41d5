import type { Command } from 'commander';
import { CredentialName, defaultVariable } from '../../contract/credential.ts';
import { programName, useHeader, writeUse } from '../../contract/use-header.ts';
import { execHelp, execText } from '../../text/cli-delivery.ts';
import { addCommand, credentialNameArgument } from '../add-command.ts';
import { CommandRun, handleSignals } from '../command-run.ts';
import { CommandFailure, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { targetFields } from '../delivery-target.ts';
import { endAs } from '../end-as.ts';
import { type FollowTokenOptions, followToken } from '../follow-token.ts';
import { valueOf } from '../option-values.ts';
import { openPortal, type Portal } from '../portal.ts';
import { RunningReport } from '../report-running.ts';
import { type CommandLine, notFoundCode } from '../start-child.ts';
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
  const program = programName(command[0]);
  const { value: token, generation } = await portal.ask('readCredentialValue', {
    ...byName,
    headers: { [useHeader]: writeUse({ way: 'exec', program }) },
  });

  const stopHandling = handleSignals((received) => run.forward(received)); // first: no signal may end us while the command runs
  const run = new CommandRun({ command, variable: options.env, token, isMasked: options.masking });
  const report = new RunningReport({ service: portal.service, credential: name, program }, generation);
  const following = new AbortController();
  const followed =
    credential === null
      ? Promise.resolve()
      : restartWithNewTokens(
          { run, report },
          { service: portal.service, credential, program, generation, signal: following.signal },
        );

  const ending = await run.ended();
  following.abort();
  report.close();
  await followed;
  // From now on a signal is for this process: the command may have left something running that still prints.
  stopHandling();
  await run.printed();
  if (ending.kind === 'exited' && ending.code === notFoundCode && (await isCredential(portal, command[0]))) {
    throw wrongUsage(execText.oneCredential(name, command[0]));
  }
  await flushOutput();
  return endAs(ending); // explicitly: nothing that is still open may keep this process running after the command
}

/** Whether what stands before the command is another credential, of which there may be one only. */
async function isCredential(portal: Portal, word: string): Promise<boolean> {
  if (!CredentialName.safeParse(word).success) return false;
  try {
    await portal.ask('readCredential', { params: { name: word } });
    return true;
  } catch (error) {
    if (error instanceof CommandFailure) return false;
    throw error;
  }
}

async function restartWithNewTokens(
  { run, report }: { run: CommandRun; report: RunningReport },
  followed: Omit<FollowTokenOptions, 'onProblem'>,
): Promise<void> {
  const { name } = followed.credential;
  const tell = (sentence: string): void => say(execText.line(sentence));
  for await (const { value, generation } of followToken({ ...followed, onProblem: tell })) {
    if (!run.restartWith(value)) continue;
    report.change(generation);
    tell(execText.restarting(name));
  }
}
