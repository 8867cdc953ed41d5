import type { Ending } from './end-as.ts';
import type { SignalNews } from './hear-signals.ts';
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
