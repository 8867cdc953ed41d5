import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { commandIo } from './command-io.ts';
import type { Ending } from './command-failure.ts';
import { OutputMask } from './mask-output.ts';
import { type Child, type CommandLine, startChild } from './start-child.ts';

/** Tokens by the names of environment variables. */
export type Tokens = Readonly<Record<string, string>>;

export interface CommandRunOptions {
  readonly command: CommandLine;
  /** The tokens, by the environment variables that contain them. */
  readonly tokens: Tokens;
  /** Where the service is, for `ROTAVOX_URL`. */
  readonly baseUrl: string;
  /** Whether tokens are masked in its output. */
  readonly isMasked: boolean;
  /** When it does not end within this time before a restart, it is killed. In milliseconds. */
  readonly killAfterMs?: number;
}

const usualKillAfterMs = 10_000;

/**
 * Runs a command with one or more tokens, and again with each newer token.
 *
 * Invariants: 1. At most one child runs. 2. A token is masked before a child gets it, and from then on in all output of
 * this run. 3. A child that ends on its own, or because of a signal to us, is not started again.
 */
export class CommandRun {
  readonly #options: CommandRunOptions;
  readonly #mask: OutputMask | null;
  readonly #printed: Promise<unknown>[] = [];
  #tokens: Tokens;
  #child: Child;
  #isRestarting = false;
  #killing: NodeJS.Timeout | undefined;

  constructor(options: CommandRunOptions) {
    this.#options = options;
    this.#mask = options.isMasked ? new OutputMask() : null;
    this.#tokens = options.tokens;
    this.#child = this.#start();
  }

  /** How the command ended, the last time that it ran. */
  async ended(): Promise<Ending> {
    for (;;) {
      const ending = await this.#child.ended;
      clearTimeout(this.#killing);
      if (!this.#isRestarting) return ending;
      this.#isRestarting = false;
      this.#child = this.#start();
    }
  }

  /** When all output was passed on, also that of what the command left running. */
  async printed(): Promise<void> {
    await Promise.all(this.#printed);
  }

  /** Restarts the command with newer tokens in some of its variables; false if it already has them. */
  restartWith(newer: Tokens): boolean {
    if (Object.entries(newer).every(([variable, token]) => this.#tokens[variable] === token)) return false;
    this.#tokens = { ...this.#tokens, ...newer };
    if (this.#isRestarting) return true; // it is ending already and starts again with these tokens
    this.#isRestarting = true;
    this.#child.signal('SIGTERM');
    this.#killing = setTimeout(
      () => this.#child.signal('SIGKILL'),
      this.#options.killAfterMs ?? usualKillAfterMs,
    );
    return true;
  }

  /** Forwards a signal, unless the child has received it already. After a signal that ends programs there is no restart. */
  forward({ signal, isReceived }: ReceivedSignal): void {
    if (endings.has(signal)) this.#isRestarting = false;
    if (!isReceived) this.#child.signal(signal);
  }

  #start(): Child {
    for (const token of Object.values(this.#tokens)) this.#mask?.hide(token);
    const child = startChild(this.#options.command, {
      env: { ...commandIo().env, ROTAVOX_URL: this.#options.baseUrl, ...this.#tokens },
      mask: this.#mask,
    });
    this.#printed.push(child.printed);
    return child;
  }
}

/** Signals by which a person asks a program to end. */
const endings = new Set<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const;
export type ForwardedSignal = (typeof forwarded)[number];

/** Signals that a terminal sends to all its foreground processes: after a key, or when its size changed. */
const sentByTerminals = new Set<NodeJS.Signals>(['SIGINT', 'SIGQUIT', 'SIGWINCH']);

/** `isReceived`: the child has received it from the terminal already. */
interface ReceivedSignal {
  readonly signal: ForwardedSignal;
  readonly isReceived: boolean;
}

/**
 * Handles every signal for the command instead of ending because of it, until the returned function is called.
 *
 * A key of the terminal also reaches a child in our process group; forwarded, it would arrive twice, and many programs
 * end immediately at a second Ctrl-C. Node does not say who sent a signal, so in the foreground of a terminal these
 * signals count as keys.
 */
export function handleSignals(act: (news: ReceivedSignal) => void): () => void {
  const listeners = forwarded.map((signal) => {
    const listener = (): void => act({ signal, isReceived: reachesAll(signal) });
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

function reachesAll(signal: ForwardedSignal): boolean {
  // On Windows these come from the console, to all its processes; sending one would end the child immediately.
  if (process.platform === 'win32') return true;
  return sentByTerminals.has(signal) && isInForeground();
}

/**
 * Whether our process group is in the foreground of its terminal, so that keys reach it.
 *
 * Exact on Linux. Elsewhere: whether any of the three standard streams is a terminal.
 */
function isInForeground(): boolean {
  if (process.platform !== 'linux') return [0, 1, 2].some((fd) => isatty(fd));
  // proc_pid_stat(5): pid (name) state ppid pgrp session tty_nr tpgid …; the name may contain brackets.
  const [, , group, , , foreground] = afterName(readFileSync('/proc/self/stat', 'utf8'));
  return group === foreground;
}

function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
