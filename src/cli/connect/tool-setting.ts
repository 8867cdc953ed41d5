import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { getSystemErrorMessage } from 'node:util';
import type { CheckLine } from '../../contract/credential/tool-command.ts';
import type { ConnectedTool } from '../../contract/credential/connected-tools.ts';
import type { ToolConnection, ToolSetting } from '../../contract/credential/tool-connection.ts';
import { checkText, connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { replacePathSync } from '../../system/replace-path.ts';
import { signalChild, startProgram } from '../../system/start-program.ts';

/** Where a tool needs a token. */
export type ConnectedPlace = Pick<ToolConnection, 'origin' | 'path_prefix'>;

/** Another program that a tool asks. */
export interface OtherHelper {
  readonly value: string;
  readonly file: string;
}

export interface WantedSetting {
  readonly launcher: string;
  readonly username: string;
  /** Whether it may take the place of another helper. */
  readonly mayReplace: boolean;
}

/**
 * Adds a setting to the content of a file. It is called while the file is locked, with what is there then. Throws where the setting has no
 * place there.
 */
export type AddSetting = (content: string, file: string) => SettingChange;

interface SettingChange extends Pick<ToolSetting, 'text' | 'before'> {
  /** The whole content, as bytes. */
  readonly becomes: string;
}

/** How one tool is connected: what is written where, and what it gets then. */
export interface ToolSetup {
  readonly tool: ConnectedTool;
  /** One setting is for all connections: it is taken back with the last one. */
  readonly isShared?: true;
  /** The address where it is written in another way in the files of the tool. */
  address?(written: string): string;
  /** How it sends the token. Default: basic. */
  readonly usualScheme?: ToolConnection['scheme'];
  /** The user that its configuration has for a place; null where it has none, or several. */
  usualUser?(place: ConnectedPlace): Promise<string | null>;
  /** What nobody else writes into its file, whatever blanks it is written with. */
  mark(connection: Pick<ToolConnection, 'id' | 'origin'>): string;
  /** Rejects where the tool is not there, or cannot do what is wanted. */
  require(
    wanted: Pick<ToolConnection, 'scheme' | 'origin' | 'path_prefix'> & { readonly mayReplace: boolean },
  ): Promise<void>;
  /** The file where it has its setting. */
  file(): string;
  /** How the setting is added to its file; nothing is written. */
  plan(place: ConnectedPlace, how: WantedSetting): Promise<AddSetting>;
  /** Whether the setting ends where something follows it in its file. Default: it does. */
  endsBefore?(rest: string, setting: ToolSetting): boolean;
  /** The programs that it will not ask for this place. */
  othersBefore(place: ConnectedPlace, launcher: string): Promise<readonly OtherHelper[]>;
  /** Has the tool find our program by its name; returns the link that it needs, null for none that can be made. */
  link?(launcher: string): string | null;
  unlink?(launcher: string): void;
  /** The file without our setting where the tool has written it anew since; null where that cannot be told. */
  withoutEdited?(content: string, connection: ToolConnection): string | null;
  /** Whether the tool comes to our program, and to no other. */
  checkPlace(connection: ToolConnection, launcher: string): Promise<readonly CheckLine[]>;
  /** What keeps other programs with the configuration of the tool from coming to ours. */
  checkOthers?(connection: ToolConnection): readonly CheckLine[];
  /** What the tool gets, by its own way. */
  ask(connection: ToolConnection, launcher: string): Promise<GivenToken>;
}

/** What a tool gets; null, with what is said about it, where it gets nothing. */
export interface GivenToken {
  readonly password: string | null;
  readonly said: string;
}

/** What is with a setting in a file now: as it was made, not there, or there and changed by somebody. */
export type SettingState = 'made' | 'missing' | 'edited';

/** A file as a text of which each character is one byte, so that what is not changed stays as it is; null: there is none. */
export function readBytes(file: string): string | null {
  return withFiles(() => {
    try {
      return readFileSync(file, 'latin1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }, file);
}

/** Does what needs a file. Where the system refuses that, the command fails with the file and the reason. */
export function withFiles<T>(act: () => T, file?: string): T {
  try {
    return act();
  } catch (error) {
    const { errno, path = '', dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
    if (errno === undefined) throw error;
    const said = connectProblem.fileRefused(file ?? dest ?? path, getSystemErrorMessage(errno));
    throw new CommandFailure(exitCodes.failed, said, { cause: error });
  }
}

/** What tells a setting of ours from others. */
type OurSetting = Pick<ToolConnection, 'id' | 'origin' | 'setting'>;

export function settingState(
  connection: OurSetting,
  setup: ToolSetup,
  content = readBytes(connection.setting.file) ?? '',
): SettingState {
  if (madeAt(connection, setup, content) !== null) return 'made';
  return withoutBlanks(content).includes(withoutBlanks(asBytes(setup.mark(connection))))
    ? 'edited'
    : 'missing';
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/[ \t\r\n]/g, '');
}

/** Where the setting stands as it was made: once, as lines of its own, and with nothing after it that would belong to it. */
function madeAt({ setting }: OurSetting, setup: ToolSetup, content: string): number | null {
  const text = asBytes(setting.text);
  const at = content.indexOf(text);
  if (at === -1 || content.includes(text, at + 1)) return null;
  const isLine = at === 0 || content[at - 1] === '\n' || /^\r?\n/.test(text);
  const ends = setup.endsBefore?.(content.slice(at + text.length), setting) ?? true;
  return isLine && ends ? at : null;
}

/** The setting that would be made in a file now, in the place of one that is replaced; nothing is written. */
export function plannedSetting(
  setup: ToolSetup,
  { file, add, replaced }: { file: string; add: AddSetting; replaced: ToolConnection | undefined },
): ToolSetting {
  const content = readBytes(file);
  const rest =
    content === null || replaced?.setting.file !== file
      ? content
      : withoutSetting(replaced, setup, content).rest;
  const { text, before } = add(rest ?? '', file);
  return { file, text, before, is_new_file: rest === null };
}

/**
 * Makes a setting, in the place of one that is replaced. Twice is harmless.
 *
 * `record` is called while the files are locked and what they become is written beside them: what can fail has been done then, and after a
 * crash `check` says what is missing.
 */
export async function makeSetting<T>(
  wanted: OurSetting,
  setup: ToolSetup,
  {
    add,
    replaced,
    record,
  }: {
    readonly add: AddSetting;
    readonly replaced: ToolConnection | undefined;
    readonly record: () => Promise<T>;
  },
): Promise<T> {
  const { file } = wanted.setting;
  const isHere = replaced !== undefined && endOfLinks(replaced.setting.file) === endOfLinks(file);
  const changes: FileChange[] = [];
  try {
    if (replaced !== undefined && !isHere && settingState(replaced, setup) !== 'missing')
      changes.push(
        prepareChange(replaced.setting.file, (content) =>
          content === null ? null : withoutSetting(replaced, setup, content).rest,
        ),
      );
    changes.push(
      prepareChange(file, (content) => {
        const rest = isHere && content !== null ? withoutSetting(replaced, setup, content).rest : content;
        if (settingState(wanted, setup, rest ?? '') !== 'missing') return content;
        return add(rest ?? '', file).becomes;
      }),
    );
    const recorded = await record();
    try {
      for (const change of changes) change.make();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const lines = [...error.lines, connectProblem.recordedOnly(wanted.id)];
      throw new CommandFailure(error.exitCode, lines, { cause: error });
    }
    return recorded;
  } finally {
    for (const change of changes) change.drop();
  }
}

/** What `undoSetting` would find; nothing is written. */
export function undoneState(connection: ToolConnection, setup: ToolSetup): SettingState {
  return withoutSetting(connection, setup, readBytes(connection.setting.file) ?? '').state;
}

/**
 * Takes it back, byte by byte, if it is there as it was made; otherwise only where the tool itself has written the file anew. Returns what was
 * found, `made` for what was taken back.
 */
export function undoSetting(connection: ToolConnection, setup: ToolSetup): SettingState {
  let state = settingState(connection, setup);
  if (state === 'missing') return state;
  changeFile(connection.setting.file, (content) => {
    const taken = withoutSetting(connection, setup, content ?? '');
    ({ state } = taken);
    return content === null ? null : taken.rest;
  });
  return state;
}

/** Changes a file of a tool, with the lock that git and others obey. `change` gets what is there then; null is no file. */
export function changeFile(path: string, change: (content: string | null) => string | null): void {
  const prepared = prepareChange(path, change);
  try {
    prepared.make();
  } finally {
    prepared.drop();
  }
}

/** A content without a setting; null: no file was there before. */
function withoutSetting(
  connection: ToolConnection,
  setup: ToolSetup,
  content: string,
): { readonly state: SettingState; readonly rest: string | null } {
  const { text, before, is_new_file: isNewFile } = connection.setting;
  const at = madeAt(connection, setup, content);
  if (at !== null) {
    const [head, tail] = [content.slice(0, at), content.slice(at + asBytes(text).length)];
    // What was added since must not join a last line that had no line break, which came with ours.
    const isLineLeft = /^\n[^]*\n$/.test(text) && /[^\n]$/.test(head) && /^[^\n]/.test(tail);
    const rest = head + asBytes(before) + (isLineLeft ? '\n' : '') + tail;
    return { state: 'made', rest: rest === '' && isNewFile ? null : rest };
  }
  const state = settingState(connection, setup, content);
  const rest = state === 'edited' ? (setup.withoutEdited?.(content, connection) ?? null) : null;
  return rest === null ? { state, rest: content } : { state: 'made', rest };
}

/** A file that is locked, and what it becomes, which is written already. */
interface FileChange {
  make(): void;
  /** Unlocks the file as it was. Harmless once the change is made. */
  drop(): void;
}

/**
 * Replaces a file as git does: what it becomes is written to `<file>.lock`, which nobody else can have meanwhile, and renamed. A link stays,
 * and so does the mode. `change` gets what is there then; null is no file.
 */
function prepareChange(path: string, change: (content: string | null) => string | null): FileChange {
  return withFiles(() => {
    const file = endOfLinks(path);
    const lock = `${file}.lock`;
    mkdirSync(dirname(file), { recursive: true });
    takeLock(file, lock);
    let isLocked = true;
    const drop = () => {
      // Later it may be the lock of another program.
      if (isLocked) rmSync(lock, { force: true });
      isLocked = false;
    };
    let content: string | null = null;
    let becomes: string | null = null;
    const write = () => {
      content = readBytes(file);
      becomes = change(content);
      if (becomes === content || becomes === null) return;
      writeFileSync(lock, becomes, 'latin1');
      if (content !== null) chmodSync(lock, statSync(file).mode & 0o777);
    };
    const make = () => {
      // Most programs do not obey the lock. What they have written meanwhile stays.
      if (readBytes(file) !== content) write();
      if (becomes === content) return drop();
      if (becomes === null) {
        rmSync(file);
        return drop();
      }
      replacePathSync(lock, file);
      isLocked = false;
    };
    try {
      write();
      return { make: () => withFiles(make, path), drop };
    } catch (error) {
      drop();
      throw error;
    }
  }, path);
}

function takeLock(file: string, lock: string): void {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandFailure(exitCodes.failed, connectProblem.locked(file, lock), { cause: error });
  }
}

/** Where a path leads over all its links, also if no file is there yet. */
export function endOfLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const target = linkTarget(path);
  return target === null ? path : endOfLinks(resolve(realpathSync(dirname(path)), target));
}

/** The home of the account: where `HOME` is empty, too, which programs take for unset, and `homedir` does not. */
export function homeFolder(): string {
  const { HOME: named = homedir() } = commandIo().env;
  return named === '' ? userInfo().homedir : named;
}

export function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // no link
  }
}

/** A program that a tool runs in the place of ours. */
export interface OtherProgram {
  readonly found: string;
  /** Where its links lead. */
  readonly program: string;
}

/** A file that a tool finds, which is there; null where it is our program, or a link to it. */
export function anotherThan(launcher: string, found: string): OtherProgram | null {
  const program = realpathSync(found);
  return existsSync(launcher) && program === realpathSync(launcher) ? null : { found, program };
}

export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

/** How long a program may take, in milliseconds. */
const programLimitMs = 20_000;

interface ProgramOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  readonly limitMs?: number;
}

interface ProgramEnd {
  /** `missing`: it is not there, or cannot be run. `late`: its time was over, and it was ended. */
  readonly end: 'done' | 'failed' | 'missing' | 'late';
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, or to the end of its time; then what it has started itself is not waited for. */
export async function runProgram(
  file: string,
  args: readonly string[],
  { input = '', env = {}, cwd, limitMs = programLimitMs }: ProgramOptions = {},
): Promise<ProgramEnd> {
  const options = { cwd, env: { ...commandIo().env, ...env }, stdio: 'pipe' } as const;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = startProgram(file, args, options) as ChildProcessWithoutNullStreams;
  } catch {
    return { end: 'missing', stdout: '', stderr: '' };
  }
  const { promise: ended, resolve: end } = Promise.withResolvers<ProgramEnd['end']>();
  child.once('error', () => end('missing'));
  child.once('close', (code) => end(code === 0 ? 'done' : 'failed'));
  // One that ends before it has read all says so by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const timer = setTimeout(() => {
    end('late');
    signalChild(child, 'SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }, limitMs);
  // Closed before its end: its time was over.
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => text(stream).catch(() => '')),
  );
  const how = await ended;
  clearTimeout(timer);
  return { end: how, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** Asks a program that answers in JSON, as a tool does. `read` finds the token in the answer. */
export async function askProgram(
  file: string,
  args: readonly string[],
  { read, ...options }: ProgramOptions & { readonly read: (answer: object) => unknown },
): Promise<GivenToken> {
  const { end, stdout, stderr } = await runProgram(file, args, options);
  if (end === 'late') return { password: null, said: checkText.late(file) };
  if (end !== 'done') return { password: null, said: stdout.trim() || stderr.trim() };
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    return { password: null, said: checkText.notJson(file) };
  }
  const password = typeof answer === 'object' && answer !== null ? read(answer) : null;
  return typeof password === 'string'
    ? { password, said: '' }
    : { password: null, said: checkText.notJson(file) };
}
