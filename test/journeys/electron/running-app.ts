import { chromium, errors } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** A program to run: its file, what it is told and where it finds its data. */
export interface Launch {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * A packed app that runs, driven from outside.
 *
 * Its fuses keep Playwright's own way into Electron shut (it needs --inspect), so this does what a person does: starts
 * the binary, looks at its windows, sends it a signal. Chromium's debugging port shows the windows.
 */
export class RunningApp {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  #words = '';
  #browser: Browser | undefined;

  constructor({ executablePath, args, env }: Launch) {
    this.#child = spawn(executablePath, [...args, '--remote-debugging-port=0'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own, by which its processes can be counted
    });
    this.#exited = once(this.#child, 'exit').then(([code]) => code as number | null);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream!.setEncoding('utf8').on('data', (chunk: string) => (this.#words += chunk));
  }

  /** What it has printed so far. */
  get words(): string {
    return this.#words;
  }

  /** The pages that its windows show at this moment. */
  async pages(): Promise<Page[]> {
    return (await this.#contexts()).flatMap((context) => context.pages());
  }

  /** The page of its first window, as soon as there is one. */
  async firstPage(): Promise<Page> {
    for (;;) {
      const [page] = await this.pages();
      if (page !== undefined) return page;
      const [context] = await this.#contexts();
      const next = await context!.waitForEvent('page', { timeout: 5_000 }).catch(ignoreTimeout);
      if (next !== undefined) return next;
      // A window that opens while Playwright connects may stay unknown to that connection.
      await this.#browser?.close();
      this.#browser = undefined;
    }
  }

  /** The exit code, once it has ended. */
  get ended(): Promise<number | null> {
    return this.#exited;
  }

  /** The exit code, once it has ended after the signal. */
  async endBy(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return await this.#exited;
  }

  /** Ends it as Ctrl+C in a terminal does: every process of it is told. */
  async interrupt(): Promise<void> {
    process.kill(-this.#child.pid!, 'SIGINT');
    await this.#exited;
  }

  /** The command lines of the processes it consists of; a dead one that nobody has buried yet does not count. */
  processes(): string[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => {
      try {
        // After the name, which may hold anything: state, parent, group.
        const [state, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
        if (Number(group) !== this.#child.pid || state === 'Z') return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return []; // it ended while we looked
      }
    });
  }

  /** Ends whatever a failed journey left. */
  async clearAway(): Promise<void> {
    await this.#browser?.close();
    if (this.processes().length > 0) process.kill(-this.#child.pid!, 'SIGKILL');
    await this.#exited;
  }

  async #contexts() {
    this.#browser ??= await chromium.connectOverCDP(await this.#debuggingAddress());
    return this.#browser.contexts();
  }

  async #debuggingAddress(): Promise<string> {
    for (;;) {
      const address = /^DevTools listening on (\S+)$/m.exec(this.#words)?.[1];
      if (address !== undefined) return address;
      await Promise.race([once(this.#child.stderr!, 'data'), this.#exited.then(() => this.#failToStart())]);
    }
  }

  #failToStart(): never {
    throw new Error(`The app ended before a window could be looked at:\n${this.#words}`);
  }
}

function ignoreTimeout(error: unknown): undefined {
  if (!(error instanceof errors.TimeoutError)) throw error;
  return undefined;
}
