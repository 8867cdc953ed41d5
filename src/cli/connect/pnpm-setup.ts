import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkText, connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { placeAddress } from './git-setup.ts';
import {
  type AddSetting,
  asBytes,
  asText,
  type ConnectedPlace,
  homeFolder,
  linkTarget,
  readBytes,
  runProgram,
  type ToolSetup,
  type WantedSetting,
} from './tool-setting.ts';

/** pnpm: for one registry it runs our program, which it gives neither a word nor input. */
// see decisions/connections.md
export const pnpmSetup: ToolSetup = {
  tool: 'pnpm',
  usualScheme: 'bearer',
  mark: ({ id }) => id,
  require: requirePnpm,
  usualUser: () => Promise.resolve('-'),
  file: userSettingsOfNpm,
  plan: (place, how) => Promise.resolve(planPnpm(place, how)),
  othersBefore: () => Promise.resolve([]),
  link(launcher) {
    const path = programPath(launcher);
    if (path === launcher) return null;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(path, { force: true });
    symlinkSync(launcher, path);
    return path;
  },
  unlink(launcher) {
    const folder = linkFolder();
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      const link = join(folder, name);
      if (dirname(linkTarget(link) ?? '') === dirname(launcher)) rmSync(link);
    }
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  },
  checkPlace(connection, launcher) {
    const helper = valueOf(linesOf(readBytes(userSettingsOfNpm()) ?? ''), keyOf(connection, 'tokenHelper'));
    const isOurs = helper === programPath(launcher) && existsSync(helper);
    const isAsked = isOurs && realpathSync(helper) === realpathSync(launcher);
    return Promise.resolve([isAsked ? checkText.asked('pnpm') : checkText.notAsked('pnpm')]);
  },
  async ask(_connection, launcher) {
    const { end, stdout, stderr } = await runProgram(programPath(launcher), []);
    if (end === 'late') return { password: null, said: checkText.late(launcher) };
    const [, password = null] = /^Bearer (.+)$/m.exec(stdout) ?? [];
    return { password: end === 'done' ? password : null, said: stderr.trim() };
  },
};

async function requirePnpm(): Promise<void> {
  if (process.platform === 'win32')
    throw new CommandFailure(exitCodes.failed, connectProblem.notOnWindows('pnpm'));
  // In a folder of its own: in a project pnpm may fetch the version that is written there.
  const { end } = await runProgram('pnpm', ['--version'], { cwd: homeFolder() });
  if (end === 'missing') throw new CommandFailure(exitCodes.failed, connectProblem.noTool('pnpm'));
}

/** The file of the account with settings of registries, of npm and pnpm. pnpm obeys no token helper in a file of a project. */
export function userSettingsOfNpm(): string {
  const { env } = commandIo();
  const named = env['NPM_CONFIG_USERCONFIG'] ?? env['npm_config_userconfig'] ?? '';
  return named === '' ? join(homeFolder(), '.npmrc') : named;
}

/** A line at the end of the settings, or in the place of another helper. */
function planPnpm(place: ConnectedPlace, { launcher, mayReplace }: WantedSetting): AddSetting {
  const path = programPath(launcher);
  if (!isTaken(path)) throw new CommandFailure(exitCodes.failed, connectProblem.pnpmPath(path));
  const registry = keyOf(place, '');
  const isToken = (key: string) => secretKeys.some((name) => key === keyOf(place, name));
  const line = `${keyOf(place, 'tokenHelper')}=${path}`;
  return (bytes, file) => {
    const content = asText(bytes);
    const lines = linesOf(content);
    if (!mayReplace && lines.some(({ key }) => isToken(key)))
      throw new CommandFailure(exitCodes.failed, connectProblem.pnpmToken(file, registry));
    const [other, ...more] = lines.filter(({ key }) => key === keyOf(place, 'tokenHelper'));
    if (other === undefined) {
      const end = endOfSettings(content);
      const text = `${end > 0 && content[end - 1] !== '\n' ? '\n' : ''}${line}\n`;
      return { text, before: '', becomes: asBytes(content.slice(0, end) + text + content.slice(end)) };
    }
    const [helper = '', ...words] = other.value.split(/\s+/);
    if (words.length > 0)
      throw new CommandFailure(exitCodes.failed, connectProblem.helperArguments(file, registry, helper));
    if (!mayReplace)
      throw new CommandFailure(exitCodes.failed, connectProblem.otherHelper(file, registry, helper));
    if (more.length > 0 || content.split(other.line).length !== 2)
      throw new CommandFailure(exitCodes.failed, connectProblem.pnpmTwice(file, registry));
    const becomes = asBytes(content.replace(other.line, () => line));
    return { text: line, before: other.line, becomes };
  };
}

const secretKeys = ['_authToken', '_auth', '_password'];

/** How a setting of a registry is called: `//npm.example.com/group/:tokenHelper`. */
function keyOf(place: ConnectedPlace, name: string): string {
  const address = placeAddress(place);
  return `${address.slice(address.indexOf('//'))}/${name === '' ? '' : `:${name}`}`;
}

interface Line {
  readonly line: string;
  readonly key: string;
  readonly value: string;
}

/** What is below the header of a section is no setting of pnpm. */
function endOfSettings(content: string): number {
  const header = content.search(/^\[[^\]\r\n]*\][ \t]*$/m);
  return header === -1 ? content.length : header;
}

function linesOf(content: string): readonly Line[] {
  const settings = content.slice(0, endOfSettings(content));
  return settings.split(/\r?\n/).map((line) => {
    const at = line.indexOf('=');
    const [key, value] = at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    return { line, key: key.trim(), value: value.trim() };
  });
}

/** The last one counts. */
function valueOf(lines: readonly Line[], key: string): string | undefined {
  return lines.findLast((one) => one.key === key)?.value;
}

/** Our program, or a link to it where pnpm takes its path for something else. */
function programPath(launcher: string): string {
  return isTaken(launcher) ? launcher : join(linkFolder(), basename(launcher));
}

function linkFolder(): string {
  return join(homeFolder(), '.rotavox');
}

/** pnpm 10 gives the path to a shell, and 12 parts it at its blanks: neither obeys quotes. */
function isTaken(path: string): boolean {
  return /^[\p{L}\p{N}_.+,=@~/-]+$/u.test(path);
}
