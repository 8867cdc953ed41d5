import type { CheckedFile } from '../../host/provider-files.ts';
import {
  exampleProblemText,
  providerFileHelp,
  providerFileLines,
  providerFileText as text,
  providerCommandText,
  providerHelp,
  providerRows,
} from '../../text/cli/cli-provider.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { type CommandGroup, customCommand, routeCommand } from '../command-table.ts';
import { readings } from '../readings.ts';
import { formatTable } from '../format-table.ts';
import { openPortal } from '../open-portal.ts';
import { asCalledHere } from '../own-command.ts';
import { print, printJson, say } from '../terminal.ts';

export const providerCommands: CommandGroup = {
  help: providerHelp,
  commands: {
    list: routeCommand({
      help: providerHelp.list,
      ...readings['provider/list'],
    }),
    show: routeCommand({
      help: providerHelp.show,
      arguments: { '<id>': providerHelp.id },
      async call(portal, { id }) {
        const { providers } = await portal.ask('listProviders');
        const found = providers.find((one) => one.id === id);
        if (found !== undefined) return found;
        const ids = providers.map((one) => one.id);
        throw new CommandFailure(exitCodes.failed, providerCommandText.unknown(id, ids));
      },
      lines: (provider) => formatTable(providerRows(provider)).map((line) => asCalledHere(line)),
    }),
    test: customCommand({
      help: providerFileHelp.test,
      arguments: { '<file>': providerFileHelp.file },
      async run({ file: path, json }) {
        const { file, examples } = await check(path, json);
        if (json) printJson({ id: file.id, valid: true, examples: examples.map(exampleForPrograms) });
        else {
          for (const { title, problem } of examples) {
            print(problem === null ? text.passed(title) : text.failed(title, exampleProblemText(problem)));
          }
        }
        failUnlessAllPass(examples);
        if (!json) say(text.allPass(examples.length));
      },
    }),
    add: customCommand({
      help: providerFileHelp.add,
      arguments: { '<file>': providerFileHelp.file },
      json: false,
      async run({ file: path, ...options }) {
        const dataDir = chosenDataDir(options);
        const { file, examples } = await check(path, false);
        failUnlessAllPass(examples);
        const { storeProviderFile } = await import('../../host/provider-files.ts');
        const stored = await storeProviderFile(dataDir, file);
        say(...text.added(file.id, stored, await reload(options)));
      },
    }),
    remove: customCommand({
      help: providerFileHelp.remove,
      arguments: { '<id>': providerFileHelp.id },
      json: false,
      async run({ id, ...options }) {
        const dataDir = chosenDataDir(options);
        const { removeProviderFile, shippedIds } = await import('../../host/provider-files.ts');
        if (!(await removeProviderFile(dataDir, id))) {
          throw new CommandFailure(exitCodes.failed, text.notThere(id));
        }
        const isRunning = await reload(options);
        say(...text.removed(id, { isRunning, isShipped: shippedIds.includes(id) }));
      },
    }),
  },
};

/** Has a program that runs read the files again. False: none runs, so that they are read when it starts. */
async function reload(options: GlobalOptions): Promise<boolean> {
  try {
    await openPortal(options).ask('reloadProviders');
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
