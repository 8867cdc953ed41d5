import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { CheckLine } from '../../contract/credential/tool-command.ts';
import { programNameOf, toolsFolder } from '../../contract/credential/connected-tools.ts';
import type { ToolConnection } from '../../contract/credential/tool-connection.ts';
import { checkText } from '../../text/cli/cli-connect.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Portal } from '../open-portal.ts';
import { askingProcess } from './asking-process.ts';
import type { HandSetup } from './hand-setups.ts';
import { settingState, type ToolSetup } from './tool-setting.ts';
import { placeAddress } from './git-setup.ts';
import { setupOf } from './tool-setups.ts';

/**
 * Whether a connection does what it is for: a line for each thing that can be wrong. `onlyTool`: only whether the tool gets the token. Otherwise
 * the service is asked about it, too, and programs that use the configuration of the tool are looked at.
 */
export async function checkConnection(
  portal: Portal,
  connection: ToolConnection,
  {
    setup,
    launcher,
    onlyTool = false,
  }: {
    readonly setup: ToolSetup | HandSetup;
    readonly launcher: string;
    readonly onlyTool?: boolean;
  },
): Promise<CheckLine[]> {
  return [
    checkLauncher(connection, launcher),
    ...('lines' in setup ? [] : await checkFile(connection, { setup, launcher, onlyTool })),
    ...(await checkToken(portal, connection, { setup, launcher, onlyTool })),
  ];
}

/** What can be seen without a start of the tool: what of it is broken, a line each. */
export function brokenFiles(connection: ToolConnection, launcher: string): readonly string[] {
  try {
    const setup = setupOf(connection);
    const lines = [
      checkLauncher(connection, launcher),
      ...('lines' in setup ? [] : [checkSetting(connection, { setup, launcher })]),
    ];
    return lines.flatMap(({ passes, text }) => (passes === false ? [text] : []));
  } catch (error) {
    if (error instanceof CommandFailure) return error.lines;
    throw error;
  }
}

/** The program that the tool runs. */
export function launcherOf(
  connection: { readonly tool: string; readonly id: string },
  options: GlobalOptions,
): string {
  return join(chosenDataDir(options), toolsFolder, programNameOf(connection));
}

async function checkFile(
  connection: ToolConnection,
  {
    setup,
    launcher,
    onlyTool,
  }: { readonly setup: ToolSetup; readonly launcher: string; readonly onlyTool: boolean },
): Promise<CheckLine[]> {
  return [
    ...(await unlessRefused(() => [checkSetting(connection, { setup, launcher })])),
    ...(await unlessRefused(() => setup.checkPlace(connection, launcher))),
    ...(onlyTool ? [] : await unlessRefused(() => setup.checkOthers?.(connection) ?? [])),
  ];
}

/** What is found, or the failure of the command that finds it. */
async function unlessRefused(
  find: () => readonly CheckLine[] | Promise<readonly CheckLine[]>,
): Promise<readonly CheckLine[]> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof CommandFailure) return [checkText.failed(error.lines)];
    throw error;
  }
}

function checkLauncher({ id }: ToolConnection, launcher: string): CheckLine {
  try {
    accessSync(launcher, constants.X_OK);
    return checkText.launcher(launcher);
  } catch {
    return checkText.noLauncher(launcher, id);
  }
}

function checkSetting(
  connection: ToolConnection,
  { setup, launcher }: { readonly setup: ToolSetup; readonly launcher: string },
): CheckLine {
  const { id, setting } = connection;
  const state = settingState(connection, setup);
  if (state === 'made')
    return namesAnother(connection, launcher)
      ? checkText.otherFolder(setting.file, launcher, id)
      : checkText.setting(setting.file);
  return state === 'edited' ? checkText.edited(setting.file) : checkText.noSetting(setting.file, id);
}

/** Whether it names the program as it was called in another data folder. Each tool has its own marks of quoting, which are left out. */
function namesAnother({ id, setting }: ToolConnection, launcher: string): boolean {
  const plain = (text: string) => text.replaceAll(/["'\\]/g, '');
  const text = plain(setting.text);
  return text.includes(plain(join(toolsFolder, id))) && !text.includes(plain(launcher));
}

async function checkToken(
  portal: Portal,
  connection: ToolConnection,
  {
    setup,
    launcher,
    onlyTool,
  }: {
    readonly setup: ToolSetup | HandSetup;
    readonly launcher: string;
    readonly onlyTool: boolean;
  },
): Promise<CheckLine[]> {
  const { tool, credential } = connection;
  const url = placeAddress(connection);
  try {
    // With this process, so that no rotation waits for the tool when the check is over.
    const asking = askingProcess(setup.tool, process.pid);
    const expected = await portal.ask('askConnection', { body: { tool: setup.tool, url, process: asking } });
    const { password, said } = await setup.ask(connection, launcher);
    const given = givenText(tool, { password, said, expected: expected.value });
    if (onlyTool) return [given];
    const { outcome, message } = await portal.ask('testCredential', { params: { name: credential } });
    return [given, checkText.tested(outcome, message)];
  } catch (error) {
    if (error instanceof CommandFailure) return [checkText.getsNone(tool, error.lines.join(' '))];
    throw error;
  }
}

function givenText(
  tool: string,
  { password, said, expected }: { password: string | null; said: string; expected: string },
): CheckLine {
  if (password === null) return checkText.getsNone(tool, said);
  return password === expected ? checkText.gets(tool) : checkText.getsOther(tool);
}
