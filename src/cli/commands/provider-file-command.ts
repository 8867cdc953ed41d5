import type { Command } from 'commander';
import type { CheckedFile } from '../../host/provider-files.ts';
import {
  exampleProblemText,
  providerFileHelp,
  providerFileLines,
  providerFileText as text,
} from '../../text/cli-provider-file.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

type Options = GlobalOptions & { readonly json?: true };

export function providerTestCommand(provider: Command): void {
  addCommand(provider, 'test', providerFileHelp.test)
    .argument('<file>', providerFileHelp.file)
    .option(...jsonOption)
    .action(async (path: string, _options, command: Command) => {
      const { json = false } = command.optsWithGlobals<Options>();
      const { file, examples } = await check(path, json);
      if (json) printJson({ id: file.id, valid: true, examples: examples.map(exampleForPrograms) });
      else {
        for (const { title, problem } of examples) {
          print(problem === null ? text.passed(title) : text.failed(title, exampleProblemText(problem)));
        }
      }
      failUnlessAllPass(examples);
      if (!json) say(text.allPass(examples.length));
    });
}

export function providerAddCommand(provider: Command): void {
  addCommand(provider, 'add', providerFileHelp.add)
    .argument('<file>', providerFileHelp.file)
    .action(async (path: string, _options, command: Command) => {
      const dataDir = chosenDataDir(command.optsWithGlobals<Options>());
      const { file, examples } = await check(path, false);
      failUnlessAllPass(examples);
      const { storeProviderFile } = await import('../../host/provider-files.ts');
      const stored = await storeProviderFile(dataDir, file);
      say(...text.added(file.id, stored, await reload(command)));
    });
}

export function providerRemoveCommand(provider: Command): void {
  addCommand(provider, 'remove', providerFileHelp.remove)
    .argument('<id>', providerFileHelp.id)
    .action(async (id: string, _options, command: Command) => {
      const dataDir = chosenDataDir(command.optsWithGlobals<Options>());
      const { removeProviderFile, shippedIds } = await import('../../host/provider-files.ts');
      if (!(await removeProviderFile(dataDir, id))) {
        throw new CommandFailure(exitCodes.failed, text.notThere(id));
      }
      const isRunning = await reload(command);
      say(...text.removed(id, { isRunning, isShipped: shippedIds.includes(id) }));
    });
}

/** Has a program that runs read the files again. False: none runs, so that they are read when it starts. */
async function reload(command: Command): Promise<boolean> {
  try {
    await openPortal(command.optsWithGlobals<Options>()).ask('reloadProviders');
    return true;
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === exitCodes.notRunning) return false;
    throw error;
  }
}

async function check(path: string, json: boolean): Promise<CheckedFile> {
  const { checkProviderFile } = await import('../../host/provider-files.ts');
  const checked = await checkProviderFile(path);
  if (checked.ok) return checked.value;
  if (json) printJson({ valid: false, errors: checked.refusal });
  throw new CommandFailure(exitCodes.failed, providerFileLines(path, checked.refusal));
}

function exampleForPrograms({ title, problem }: CheckedFile['examples'][number]) {
  return { title, passes: problem === null, message: problem === null ? null : exampleProblemText(problem) };
}

function failUnlessAllPass(examples: CheckedFile['examples']): void {
  const failing = examples.filter(({ problem }) => problem !== null).length;
  if (failing > 0) throw new CommandFailure(exitCodes.failed, text.someFail(failing, examples.length));
}
