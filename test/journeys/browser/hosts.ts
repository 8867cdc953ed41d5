import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { HostVault } from '../../../src/host/open-vault-choice.ts';

export type HostOrder = { readonly id: number; readonly dataDir: string } & (
  | { readonly kind: 'start'; readonly port: number; readonly vault: HostVault }
  | { readonly kind: 'stop' }
);

export type HostReport = { readonly id: number } & (
  | { readonly baseUrl: string }
  | { readonly failure: string }
);

/** Only ends what hangs: a keychain that does not answer takes 15 s by itself. */
const orderLimitMs = 90_000;

/** A process in which services are started and stopped; each takes some 20 ms there, instead of a start of Node. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<string>>();
  #orders = 0;

  constructor(env: NodeJS.ProcessEnv = {}) {
    this.#child = fork(join(import.meta.dirname, 'host-process.ts'), {
      env: { ...process.env, ...env },
      execArgv: [],
    });
    this.#child.on('message', (report: HostReport) => {
      const waiting = this.#waiting.get(report.id);
      this.#waiting.delete(report.id);
      if ('failure' in report) waiting?.reject(new Error(report.failure));
      else waiting?.resolve(report.baseUrl);
    });
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values())
        reject(new Error('The process of the services ended.'));
    });
  }

  /** Starts a service on a folder; its address. */
  start(dataDir: string, vault: HostVault, port: number): Promise<string> {
    return this.#order({ id: (this.#orders += 1), kind: 'start', dataDir, vault, port });
  }

  /** Ends it as `rotavox serve` does when it is told to end. */
  async stop(dataDir: string): Promise<void> {
    await this.#order({ id: (this.#orders += 1), kind: 'stop', dataDir });
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }

  async #order(order: HostOrder): Promise<string> {
    const answer = Promise.withResolvers<string>();
    const { id, kind } = order;
    const timer = setTimeout(
      () => answer.reject(new Error(`The service did not ${kind} in time.`)),
      orderLimitMs,
    );
    this.#waiting.set(id, answer);
    this.#child.send(order);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A service on a data folder, which a test may stop and start again. */
export class Server {
  readonly dataDir: string;
  readonly #process: HostProcess;
  readonly #vault: HostVault;

  constructor(process: HostProcess, dataDir: string, vault: HostVault = { kind: 'keychain' }) {
    this.#process = process;
    this.dataDir = dataDir;
    this.#vault = vault;
  }

  /** Starts it, on any free port unless told otherwise; its address. */
  start(port = 0): Promise<string> {
    return this.#process.start(this.dataDir, this.#vault, port);
  }

  async stop(): Promise<void> {
    await this.#process.stop(this.dataDir);
  }
}
