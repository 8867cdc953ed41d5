import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Voice } from '../contract/menu/speech.ts';
import type { Sound } from '../core/recording/sound.ts';
import {
  EngineFailure,
  speakingLimitMs,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
} from '../core/speech/speaker.ts';
import { soundOfWav } from '../core/speech/speech-sound.ts';
import { invariant } from '../core/unreachable.ts';
import { removeFolder } from '../system/replace-path.ts';
import { asTree, signalTree } from '../system/start-program.ts';

/** What a program is started with. What is said is only ever in `input`, its stdin: an argument could be an option. */
export interface SpeechCommand {
  readonly args: readonly string[];
  readonly input: string;
}

/** A voice, and how its program calls it. */
export interface ProgramVoice {
  readonly voice: Voice;
  readonly native: string;
}

/** A program of the system that makes speech: what differs between them. */
export interface SpeechProgram {
  /** The file that is run; null: this machine does not have it. */
  find(): Promise<string | null>;
  /** `ask` runs it, or another program of the system, and resolves with its stdout. May reject. */
  voices(program: string, ask: AskProgram): Promise<readonly ProgramVoice[]>;
  /** Writes the sound to a WAV file in a folder of its own. */
  command(part: SpeechPart, native: string, file: string): SpeechCommand;
}

export type AskProgram = (program: string, command: SpeechCommand) => Promise<string>;

export interface ProgramEngineOptions {
  readonly limitMs?: (text: string) => number;
}

/** A voice may be installed or removed while this program runs. */
const voicesKeptMs = 60_000;
/** Windows PowerShell takes some seconds for its first start. */
const askLimitMs = 20_000;
const longestAnswer = 4 * 1024 * 1024;

/**
 * Speech by a program of the system: a process for each part, which gets the text on stdin and writes to a private folder.
 *
 * Invariants: at most one process speaks; it is ended with what it started when it is aborted, takes too long or the engine closes;
 * its folder is removed.
 */
// see decisions/speech-made-beforehand.md
export class ProgramEngine implements SpeechEngine {
  readonly #program: SpeechProgram;
  readonly #limitMs: (text: string) => number;
  readonly #running = new Set<ChildProcess>();
  #known: {
    readonly file: string;
    readonly at: number;
    readonly list: Promise<readonly ProgramVoice[]>;
  } | null = null;
  #isSpeaking = false;

  constructor(program: SpeechProgram, { limitMs = speakingLimitMs }: ProgramEngineOptions = {}) {
    this.#program = program;
    this.#limitMs = limitMs;
  }

  async voices(): Promise<readonly Voice[]> {
    const file = await this.#program.find();
    return file === null ? [] : (await this.#list(file)).map(({ voice }) => voice);
  }

  async speak(part: SpeechPart, signal: StopSignal): Promise<Sound> {
    invariant(!this.#isSpeaking, 'an engine speaks one part at a time');
    signal.throwIfAborted();
    this.#isSpeaking = true;
    try {
      const program = await this.#program.find();
      if (program === null) throw new EngineFailure('ended');
      const found = (await this.#list(program)).find(({ voice }) => voice.id === part.voice);
      if (found === undefined) throw new EngineFailure('ended');
      return await this.#sound(program, part, found.native, signal);
    } finally {
      this.#isSpeaking = false;
    }
  }

  close(): Promise<void> {
    for (const child of this.#running) signalTree(child, 'SIGKILL');
    return Promise.resolve();
  }

  #list(file: string): Promise<readonly ProgramVoice[]> {
    const now = performance.now();
    if (this.#known === null || this.#known.file !== file || now - this.#known.at > voicesKeptMs) {
      const ask: AskProgram = (program, command) =>
        this.#run(program, command, { cwd: tmpdir(), limitMs: askLimitMs, signal: null });
      // One that does not answer has no voices, until it is asked again.
      this.#known = { file, at: now, list: this.#program.voices(file, ask).catch(() => []) };
    }
    return this.#known.list;
  }

  async #sound(program: string, part: SpeechPart, native: string, signal: StopSignal): Promise<Sound> {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-speech-'));
    try {
      const file = join(folder, 'sound.wav');
      const command = this.#program.command({ ...part, text: withoutCommands(part.text) }, native, file);
      await this.#run(program, command, { cwd: folder, limitMs: this.#limitMs(part.text), signal });
      return soundOfWav(await readFile(file).catch(emptyWhereMissing));
    } finally {
      await removeFolder(folder);
    }
  }

  /** Resolves with its stdout when it has ended well, and rejects otherwise: then it has ended, too. */
  #run(
    program: string,
    { args, input }: SpeechCommand,
    { cwd, limitMs, signal }: { cwd: string; limitMs: number; signal: StopSignal | null },
  ): Promise<string> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env['PATH'], LANG: process.env['LANG'] ?? 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'ignore'],
      ...asTree,
    });
    this.#running.add(child);
    let cut: { readonly reason: unknown } | null = null;
    const end = (reason: unknown) => {
      cut ??= { reason };
      signalTree(child, 'SIGKILL');
    };
    const onAbort = () => end(signal?.reason);
    const timer = setTimeout(() => end(new EngineFailure('too_late')), limitMs);
    signal?.addEventListener('abort', onAbort);

    let answer = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
      if (answer.length > longestAnswer) end(new EngineFailure('ended'));
    });
    child.stdin.on('error', () => undefined); // it ended without reading all: its status says so
    child.stdin.end(input);
    let trouble: unknown;
    child.on('error', (error) => (trouble = error));
    // What it left running, which may hold its stdout.
    child.on('exit', () => signalTree(child, 'SIGKILL'));
    child.on('close', (status) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#running.delete(child);
      if (cut !== null) reject(cut.reason);
      else if (status === 0) resolve(answer);
      else reject(new EngineFailure('ended', trouble ?? `${program}: status ${String(status)}`));
    });
    return promise;
  }
}

/** The file that PATH names first. Only folders that are named in full: the working folder is nobody's choice. */
export async function onPath(name: string, path = process.env['PATH'] ?? ''): Promise<string | null> {
  const program = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of path.split(delimiter)) {
    const file = join(folder, program);
    if (isAbsolute(folder) && (await isProgram(file))) return file;
  }
  return null;
}

/** Whether there is a file that may be run. */
export async function isProgram(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true && (process.platform === 'win32' || (found.mode & 0o111) !== 0);
}

/**
 * What programs obey in a text: tags, `[[slnc 500]]` of macOS, `[[phonemes]]` and control characters of espeak-ng. The core has taken
 * these out (`plainWords`); a program of the system is not to depend on that.
 */
function withoutCommands(text: string): string {
  return text.replace(/[<>&[\]{}|\\]|\p{Cc}/gu, ' ');
}

/** Of a text that has nothing to say, some write no file. */
function emptyWhereMissing(error: unknown): Uint8Array {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Uint8Array(0);
  throw new EngineFailure('ended', error);
}
