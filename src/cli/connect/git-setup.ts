import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckLine } from '../../contract/credential/tool-command.ts';
import type { ToolConnection } from '../../contract/credential/tool-connection.ts';
import { quotedShellWord } from '../../contract/shell-word.ts';
import { checkText, connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import {
  type AddSetting,
  asBytes,
  asText,
  type GivenToken,
  homeFolder,
  type OtherHelper,
  readBytes,
  runProgram,
  type ToolSetup,
  type WantedSetting,
  withFiles,
} from './tool-setting.ts';

/** The first version of git that sends a token alone. */
const bearerVersion = [2, 46] as const;

/** Git: for one address it runs our program alone. */
export const gitSetup: ToolSetup = {
  tool: 'git',
  mark: ({ id }) => id,
  require: ({ scheme }) => requireGit(scheme),
  file: globalGitFile,
  plan: planGit,
  endsBefore: endsSection,
  othersBefore: async (place, launcher) => (await otherHelpers(place, launcher)).before,
  checkPlace: checkHelpers,
  ask: fillGit,
};

/** Where git writes a setting of the account: as it decides itself (git-config(1), FILES). */
function globalGitFile(): string {
  const { env } = commandIo();
  const named = env['GIT_CONFIG_GLOBAL'] ?? '';
  if (named !== '') return named;
  const usual = join(homeFolder(), '.gitconfig');
  const desktop = env['XDG_CONFIG_HOME'] ?? '';
  const ofDesktop = join(desktop === '' ? join(homeFolder(), '.config') : desktop, 'git', 'config');
  return !existsSync(usual) && existsSync(ofDesktop) ? ofDesktop : usual;
}

/**
 * The section that has git ask our program, and nothing else, for one address.
 *
 * Git writes its text, into a file of its own; it is then added at the end of the file of the account. In an earlier section of the same
 * address it would stand before helpers of later sections, and git hands a token that has worked to every helper that follows.
 */
// see decisions/connections.md
async function planGit(
  { origin, path_prefix: prefix }: Pick<ToolConnection, 'origin' | 'path_prefix'>,
  { launcher }: WantedSetting,
): Promise<AddSetting> {
  const name = `credential.${placeAddress({ origin, path_prefix: prefix })}`;
  const folder = withFiles(() => mkdtempSync(join(tmpdir(), 'rotavox-git-')));
  try {
    const own = join(folder, 'config');
    const add = (key: string, value: string) =>
      git(['config', '--file', own, '--add', `${name}.${key}`, value]);
    await add('helper', '');
    await add('helper', `!${quotedShellWord(launcher)}`);
    // Otherwise git does not say which path it needs a token for.
    if (prefix !== undefined) await add('useHttpPath', 'true');
    const section = asText(readBytes(own) ?? '');
    return (content, file) => {
      // It would make our first line a part of the last value.
      if (/(?<!\\)(?:\\\\)*\\\r?\n?$/.test(content))
        throw new CommandFailure(exitCodes.failed, connectProblem.gitContinues(file));
      const isOpenLine = content !== '' && !content.endsWith('\n');
      const text = isOpenLine ? `\n${section}` : section;
      return { text, before: '', becomes: content + asBytes(text) };
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lines that follow ours without a header belong to our section; comments belong to none. */
function endsSection(rest: string): boolean {
  const next = rest.split('\n').find((line) => !/^\s*(?:[#;]|$)/.test(line));
  return next === undefined || next.trimStart().startsWith('[');
}

export function placeAddress({
  origin,
  path_prefix: prefix,
}: Pick<ToolConnection, 'origin' | 'path_prefix'>): string {
  return prefix === undefined ? origin : `${origin}/${prefix.split('/').map(encodeURIComponent).join('/')}`;
}

/** Throws where git is not there, or cannot do what is wanted. */
async function requireGit(scheme: ToolConnection['scheme']): Promise<void> {
  const { stdout } = await git(['version']);
  const [, major = '0', minor = '0'] = /^git version (\d+)\.(\d+)/.exec(stdout) ?? [];
  const [neededMajor, neededMinor] = bearerVersion;
  const isNewer =
    Number(major) > neededMajor || (Number(major) === neededMajor && Number(minor) >= neededMinor);
  if (scheme === 'bearer' && !isNewer)
    throw new CommandFailure(exitCodes.failed, connectProblem.oldGit(`${major}.${minor}`));
}

/** The programs that git asks for this address beside ours, by its configuration here: those before ours, and those after it. */
async function otherHelpers(
  connection: Pick<ToolConnection, 'origin' | 'path_prefix'>,
  launcher: string,
): Promise<{
  readonly before: readonly OtherHelper[];
  readonly after: readonly OtherHelper[];
  isAsked: boolean;
}> {
  const { stdout } = await git(
    ['config', '--show-origin', '--null', '--get-regexp', String.raw`^credential\.(.*\.)?helper$`],
    { mayFail: true },
  );
  // `origin`, then `key` and, after a line break, `value`; each of both ends with NUL.
  const parts = stdout.split('\0');
  const ours = `!${quotedShellWord(launcher)}`;
  const before: OtherHelper[] = [];
  const after: OtherHelper[] = [];
  let isAsked = false;
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [file = '', setting = ''] = [parts[at], parts[at + 1]];
    const [key = '', ...lines] = setting.split('\n');
    const value = lines.join('\n');
    const address = key.slice('credential.'.length, -'.helper'.length);
    if (!mayApply(address, connection)) continue;
    if (value === ours) isAsked = true;
    else if (value === '') {
      // It takes back what is before it.
      if (isAsked) after.push({ value, file });
      isAsked = false;
    } else (isAsked ? after : before).push({ value: firstWord(value), file: file.replace(/^file:/, '') });
  }
  return { before, after, isAsked };
}

/** What follows, or is given to a variable, may be a secret. */
function firstWord(value: string): string {
  return /^[^\s=]*/.exec(value)?.[0] ?? '';
}

/** Whether a section may be for the address. One with a wildcard, or that cannot be read, counts. */
function mayApply(address: string, connection: Pick<ToolConnection, 'origin' | 'path_prefix'>): boolean {
  const section = address.includes('*') ? null : URL.parse(address);
  if (section === null) return true;
  const { origin, pathname } = section;
  if (origin !== connection.origin) return false;
  const prefix = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return prefix === '' || `/${placeAddress(connection).slice(origin.length + 1)}/`.startsWith(`${prefix}/`);
}

/** Git hands a token that has worked to each helper that follows ours. */
async function checkHelpers(connection: ToolConnection, launcher: string): Promise<CheckLine[]> {
  const { after, isAsked } = await otherHelpers(connection, launcher);
  const lines = after.map((one) =>
    one.value === '' ? checkText.switchedOff(one.file) : checkText.after(one),
  );
  if (!isAsked && lines.length === 0) return [checkText.notAsked(connection.tool)];
  return lines.length === 0 ? [checkText.alone(connection.tool)] : lines;
}

/** What git gets for an address by its whole configuration here; null, with what it says, where it gets nothing. Nobody is asked. */
async function fillGit(connection: Pick<ToolConnection, 'origin' | 'path_prefix'>): Promise<GivenToken> {
  const { protocol, host } = new URL(connection.origin);
  const path = connection.path_prefix === undefined ? '' : `path=${connection.path_prefix}\n`;
  const { stdout, stderr } = await git(['-c', 'core.askPass=', 'credential', 'fill'], {
    mayFail: true,
    input: `capability[]=authtype\nprotocol=${protocol.slice(0, -1)}\nhost=${host}\n${path}\n`,
    env: { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '' },
  });
  const [, password = null] = /^(?:password|credential)=(.*)$/m.exec(stdout) ?? [];
  return { password, said: stderr.trim().split('\n')[0] ?? '' };
}

interface GitOptions {
  readonly mayFail?: true;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs git. Throws a failure of the command where it is not there, is late, or fails. */
async function git(
  args: readonly string[],
  { mayFail, env, ...options }: GitOptions = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { end, stdout, stderr } = await runProgram('git', args, { ...options, env: { LC_ALL: 'C', ...env } });
  if (end === 'done' || (end === 'failed' && mayFail === true)) return { stdout, stderr };
  const said = {
    missing: connectProblem.noGit,
    late: connectProblem.programLate('git'),
    failed: connectProblem.gitFailed(stderr.trim()),
  };
  throw new CommandFailure(exitCodes.failed, said[end]);
}
