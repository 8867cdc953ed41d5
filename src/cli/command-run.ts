import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Ending } from './end-as.ts';
import { OutputMask } from './mask-output.ts';
import { type Child, type CommandLine, startChild } from './start-child.ts';

export interface CommandRunOptions {
  readonly command: CommandLine;
  /** The variable of its environment that has the value. */
  readonly variable: string;
  readonly value: string;
  /** Whether values are masked in what it prints. */
  readonly isMasked: boolean;
  /** How long it may take to end when it is to start again; then it is killed. */
  readonly patienceMs?: number;
}

const usualPatienceMs = 10_000;

/**
 * A command that runs with a value, and again with each newer one.
 *
 * Invariants: 1. At most one child runs. 2. A value is hidden before a child gets it, and from then on in all that this
 * run prints. 3. A child that ends by itself, or is told by a signal to end, is not started again.
 */
export class CommandRun {
  readonly #options: CommandRunOptions;
  readonly #mask: OutputMask | null;
  readonly #printed: Promise<unknown>[] = [];
  #value: string;
  #child: Child;
  #isRestarting = false;
  #killing: NodeJS.Timeout | undefined;

  constructor(options: CommandRunOptions) {
    this.#options = options;
    this.#mask = options.isMasked ? new OutputMask() : null;
    this.#value = options.value;
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

  /** When all that was printed has been passed on, also by what the command left running. */
  async printed(): Promise<void> {
    await Promise.all(this.#printed);
  }

  /** Ends the command and starts it again with a newer value; says whether that is so. */
  renew(value: string): boolean {
    if (value === this.#value) return false;
    this.#value = value;
    if (this.#isRestarting) return true; // it is on its way down already, and gets this one
    this.#isRestarting = true;
    this.#child.signal('SIGTERM');
    this.#killing = setTimeout(
      () => this.#child.signal('SIGKILL'),
      this.#options.patienceMs ?? usualPatienceMs,
    );
    return true;
  }

  /** Hands a signal on, unless it has arrived; one that asks for an end is not answered with another start. */
  take({ signal, isReceived }: SignalNews): void {
    if (endings.has(signal)) this.#isRestarting = false;
    if (!isReceived) this.#child.signal(signal);
  }

  #start(): Child {
    const { command, variable } = this.#options;
    this.#mask?.hide(this.#value);
    const child = startChild(command, {
      env: { ...process.env, [variable]: this.#value },
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

/** Signals that a terminal sends to everybody in its foreground: by a key, or because it changed its size. */
const sentByTerminals = new Set<NodeJS.Signals>(['SIGINT', 'SIGQUIT', 'SIGWINCH']);

/** What a signal is for the one who handles it: `isReceived` when the child has had it from the terminal already. */
interface SignalNews {
  readonly signal: ForwardedSignal;
  readonly isReceived: boolean;
}

/**
 * Hears every signal that is meant for the command instead of ending by it, until the returned function is called.
 *
 * A key of the terminal reaches a child in our process group without us; sent on, it would arrive twice, and many programs
 * take a second Ctrl-C as “at once”. Who sent a signal cannot be seen from Node, so in the foreground of a terminal these
 * count as keys.
 */
export function hearSignals(act: (news: SignalNews) => void): () => void {
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
  // On Windows these come from the console, to everybody in it; sending one would end the child without a word.
  if (process.platform === 'win32') return true;
  return sentByTerminals.has(signal) && isInForeground();
}

/**
 * Whether our process group is the one in the foreground of its terminal, the one that its keys reach.
 *
 * Linux says so exactly. Elsewhere having a terminal at any of the three standard streams has to do.
 */
function isInForeground(): boolean {
  if (process.platform !== 'linux') return [0, 1, 2].some((fd) => isatty(fd));
  // proc_pid_stat(5): pid (name) state ppid pgrp session tty_nr tpgid …; the name may hold anything, also brackets.
  const [, , group, , , foreground] = afterName(readFileSync('/proc/self/stat', 'utf8'));
  return group === foreground;
}

function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
