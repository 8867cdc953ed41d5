import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type DeliveryTargetOf, isHookVariable } from '../../contract/credential/credential.ts';
import type { HookEnd } from '../../contract/credential/delivery-problem.ts';
import { OpenEnd } from '../../core/token/open-end.ts';
import type { Vault } from '../../core/vault.ts';
import { asTree, isStartFailure, isTreeAlive, signalTree, startProgram } from '../../system/start-program.ts';
import {
  delivered,
  type DeliveryOutcome,
  systemCodeOf,
  undeliverable,
  undelivered,
} from './delivery-outcome.ts';
import type { OwnPlaces } from './own-places.ts';

const keptOutputBytes = 2048;

/**
 * Runs a command with the token on its stdin or in its environment; the exit code says whether it succeeded.
 *
 * The token is never an argument, because every user of the machine can see those. It is masked in the kept output.
 */
export async function deliverToHook(
  target: DeliveryTargetOf<'hook'>,
  token: string,
  context: DeliveryContext,
): Promise<DeliveryOutcome> {
  const [program = '', ...args] = target.command;
  if (target.pass === 'env' && !isHookVariable(target.variable)) {
    return undeliverable({ code: 'variable_not_allowed', program, variable: target.variable });
  }
  // Checked here because Node's error would quote the token.
  if (target.pass === 'env' && token.includes('\0')) {
    return undeliverable({ code: 'nul_in_token', program });
  }
  const output = new MaskedTail([token, ...(context.masked ?? [])], keptOutputBytes);
  const end = await runHook({
    program,
    args,
    env: environmentOf(target, token, context),
    input: target.pass === 'stdin' ? `${token}\n` : '',
    timeLimitMs: target.time_limit_seconds * 1000,
    signal: context.signal,
    onOutput: (stream, chunk) => output.add(stream, chunk),
  });
  const printed = output.end();
  if (end.kind === 'exited' && end.exitCode === 0) return delivered(printed === '' ? null : printed);
  return undelivered({ code: 'hook', program, end: endOf(end, target.time_limit_seconds), output: printed });
}

/**
 * What a hook gets of the environment of this process: where programs and the home folder are, the language, and what reaches the session
 * of the person (`systemctl --user`, an SSH agent). Nothing else, because it may have secrets, or variables that load code.
 */
const passedOn =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TERM|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TEMP|TMP|USERPROFILE|USERNAME|USERDOMAIN|COMPUTERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|PROGRAMFILES\(X86\)|PROGRAMW6432|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE|OS)$/;

/** The listed part of the environment of this process, and the variables for the hook. */
function environmentOf(
  { pass, variable }: DeliveryTargetOf<'hook'>,
  token: string,
  { credential, generation }: DeliveryContext,
): NodeJS.ProcessEnv {
  // Names are not case-sensitive on Windows.
  const inherited = Object.entries(process.env).filter(([name]) =>
    passedOn.test(process.platform === 'win32' ? name.toUpperCase() : name),
  );
  return {
    ...Object.fromEntries(inherited),
    ROTAVOX_CREDENTIAL: credential,
    ROTAVOX_GENERATION: String(generation),
    ...(pass === 'env' ? { [variable]: token } : {}),
  };
}

function endOf(end: RunEnd, seconds: number): HookEnd {
  return end.kind === 'time_limit' ? { kind: 'time_limit', seconds } : end;
}

export interface HookRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The content of its stdin. */
  readonly input: string;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

type RunEnd = Exclude<HookEnd, { kind: 'time_limit' }> | { readonly kind: 'time_limit' };

/** The time to finish after it was asked to end. */
const tidyUpMs = 2_000;
/** The time for the rest of its output, if it left something running that holds the pipes open. */
const drainMs = 250;

type Hook = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs a program until it ends, or ends it with everything it started: SIGTERM, then SIGKILL.
 *
 * Without a shell. Programs that it leaves running stay: a hook may start a service.
 */
function runHook(run: HookRun): Promise<RunEnd> {
  return new Promise((resolve) => {
    let hook: Hook;
    try {
      hook = startHook(run);
    } catch (error) {
      // Some failures to start are thrown, others arrive as an event.
      const code = systemCodeOf(error);
      if (code === null) throw error;
      return resolve({ kind: 'not_started', systemCode: code });
    }

    let cutShort: 'time_limit' | 'stopped' | null = null;
    let ended: RunEnd | null = null;
    let afterward: NodeJS.Timeout | undefined;
    const cut = (reason: 'time_limit' | 'stopped'): void => {
      if (cutShort !== null || ended !== null) return;
      cutShort = reason;
      signalTree(hook, 'SIGTERM');
      afterward = setTimeout(() => {
        signalTree(hook, 'SIGKILL');
        settle({ kind: reason });
      }, tidyUpMs);
    };
    const stop = (): void => cut('stopped');
    const settle = (end: RunEnd): void => {
      clearTimeout(limit);
      clearTimeout(afterward);
      run.signal?.removeEventListener('abort', stop);
      hook.stdout.destroy();
      hook.stderr.destroy();
      resolve(end);
    };

    const limit = setTimeout(() => cut('time_limit'), run.timeLimitMs);
    run.signal?.addEventListener('abort', stop);
    hook.on('error', (error) => {
      if (isStartFailure(hook, error))
        settle({ kind: 'not_started', systemCode: systemCodeOf(error) ?? 'unknown' });
    });
    hook.on('exit', (exitCode, signal) => {
      if (cutShort === null) {
        ended = signal === null ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'killed', signal };
        afterward = setTimeout(settle, drainMs, ended);
      } else if (!isTreeAlive(hook)) {
        // Otherwise the processes that it started are still finishing and get the rest of the time.
        settle({ kind: cutShort });
      }
    });
    hook.on('close', () => {
      if (ended !== null) settle(ended);
    });
    if (run.signal?.aborted === true) stop();
  });
}

function startHook({ program, args, env, input, onOutput }: HookRun): Hook {
  const hook = startProgram(program, args, { env, stdio: 'pipe', ...asTree }) as Hook;
  hook.stdout.on('data', (chunk: Buffer) => onOutput('stdout', chunk));
  hook.stderr.on('data', (chunk: Buffer) => onOutput('stderr', chunk));
  hook.stdin.on('error', () => {
    // It may ignore its stdin (EPIPE). Its exit code says whether it succeeded.
  });
  hook.stdin.end(input);
  return hook;
}

/** Replaces a token in output. */
const mask = '••••';
/** An end of this length that begins the token is masked; a shorter one is shown, since it may be a public prefix. */
const tellingBytes = 8;

/**
 * The last bytes of a program's output, with the token masked.
 *
 * The token is replaced before the output is shortened, even if it arrives in pieces; otherwise a part of it could
 * remain. Bytes are kept as latin1, one character each, until they are read.
 */
export class MaskedTail {
  readonly #limitBytes: number;
  readonly #streams: Readonly<Record<'stdout' | 'stderr', MaskedStreams>>;
  #tail = '';

  constructor(secrets: readonly string[], limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#streams = { stdout: new MaskedStreams(secrets), stderr: new MaskedStreams(secrets) };
  }

  add(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this.#keep(this.#streams[stream].pass(chunk.toString('latin1')));
  }

  /** The text so far; ends both streams. */
  end(): string {
    this.#keep(this.#streams.stdout.end() + this.#streams.stderr.end());
    // Shortening may have left the last bytes of a character.
    const whole = this.#tail.replace(/^[\x80-\xBF]{1,3}/, '');
    return Buffer.from(whole, 'latin1').toString().trim();
  }

  #keep(text: string): void {
    this.#tail = (this.#tail + text).slice(-this.#limitBytes);
  }
}

/** Masks several secrets in one stream: what one has passed on goes through the next. */
class MaskedStreams {
  readonly #streams: readonly MaskedStream[];

  constructor(secrets: readonly string[]) {
    const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
    this.#streams = longestFirst.map((secret) => new MaskedStream(secret));
  }

  pass(text: string): string {
    return this.#streams.reduce((passed, stream) => stream.pass(passed), text);
  }

  end(): string {
    return this.#streams.reduce((rest, stream) => stream.pass(rest) + stream.end(), '');
  }
}

/** Masks the token in one stream; holds back an end that may begin the token. */
class MaskedStream {
  readonly #token: string;
  readonly #openEnd: OpenEnd;
  readonly #mask = Buffer.from(mask).toString('latin1');
  #kept = '';

  constructor(token: string) {
    const bytes = Buffer.from(token);
    this.#token = bytes.toString('latin1');
    this.#openEnd = new OpenEnd(bytes);
  }

  pass(text: string): string {
    if (this.#token === '') return text;
    const pieces = (this.#kept + text).split(this.#token);
    const last = pieces.pop() ?? '';
    this.#kept = last.slice(last.length - this.#openEnd.lengthIn(Buffer.from(last, 'latin1')));
    return [...pieces, last.slice(0, last.length - this.#kept.length)].join(this.#mask);
  }

  end(): string {
    const rest = this.#kept.length >= tellingBytes ? this.#mask : this.#kept;
    this.#kept = '';
    return rest;
  }
}

/** What a delivery needs apart from its target and the token. */
export interface DeliveryContext {
  /** The name of the credential. */
  readonly credential: string;
  /** How often it was rotated; passed to hooks as `ROTAVOX_GENERATION`. */
  readonly generation: number;
  /** More than the token that must not be in its output. */
  readonly masked?: readonly string[];
  readonly vault: Vault;
  readonly ownPlaces: OwnPlaces;
  /** Aborted when the program stops. */
  readonly signal?: AbortSignal;
}
