/**
 * The service as a child process: started, called, killed and started again.
 *
 * Every child is recorded by its id and ended when the test is over, whatever the result.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ReadyLine, RuntimeFile } from '../../src/contract/service/portal.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import type { ProgramFiles } from '../fixtures/copy-program.ts';
import type { FilePolicy } from '../../src/store/open-store.ts';
import { type Answer, type Call, sendCall } from '../fixtures/send-call.ts';

export interface ServeSettings {
  readonly policy?: Partial<FilePolicy>;
  readonly logEverything?: boolean;
}

export interface StartOptions extends ServeSettings {
  /** The user that the process runs as, and a program that this one can read; only root may choose. */
  readonly as?: { readonly uid: number; readonly program: ProgramFiles };
}

export interface ServiceProcess {
  readonly pid: number;
  readonly port: number;
  readonly portalKey: string;
  isRunning(): boolean;
  /** Its output so far, on stdout and on stderr. */
  said(): string;
  call(call: Call): Promise<Answer>;
  /** A call as the owner; every answer except 200 throws. */
  owner(method: string, path: string, body?: unknown): Promise<unknown>;
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** It ended before it was ready. */
export class DidNotStart extends Error {
  readonly exitCode: number | null;
  readonly said: string;

  constructor(exitCode: number | null, said: string) {
    super(`The service ended with ${exitCode ?? 'a signal'} before it was ready: ${said}`);
    this.name = 'DidNotStart';
    this.exitCode = exitCode;
    this.said = said;
  }
}

const script = join(import.meta.dirname, 'serve.ts');

/** Starts the service on a data folder: with `rotavox serve` if its options are enough, otherwise with `serve.ts`. */
export async function startService(dataDir: string, options: StartOptions = {}): Promise<ServiceProcess> {
  const { as, ...settings } = options;
  const isPlain = Object.keys(settings).length === 0;
  const { node, script: cli } = as?.program ?? {
    node: process.execPath,
    script: builtFile('cli/index.js'),
  };
  const args = isPlain
    ? [cli, 'serve', '--port', '0', '--data-dir', dataDir, '--json']
    : [script, JSON.stringify({ dataDir, ...settings })];
  const child = spawn(node, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(as === undefined ? {} : { uid: as.uid, gid: as.uid, cwd: '/' }),
  });
  const exited = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let said = '';
  let ready = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      ready += chunk.toString();
      if (ready.includes('\n')) resolve();
    });
    // It rejects when there is no process at all.
    exited.then(() => {
      reject(new DidNotStart(child.exitCode, said));
    }, reject);
  });
  const { base_url: baseUrl } = ReadyLine.parse(JSON.parse(ready.slice(0, ready.indexOf('\n'))));
  const runtime = RuntimeFile.parse(JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')));
  return serviceOf(child, {
    port: Number(new URL(baseUrl).port),
    portalKey: runtime.portal_key,
    said: () => said,
  });
}

function serviceOf(
  child: ChildProcess,
  { port, portalKey, said }: { port: number; portalKey: string; said: () => string },
): ServiceProcess {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'close');
      child.kill(signal);
      await gone;
    }
    agent.destroy();
    return child.exitCode;
  };
  const call = (one: Call) => sendCall(port, { agent, ...one });
  return {
    pid: child.pid ?? 0,
    port,
    portalKey,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    said,
    call,
    async owner(method, path, body) {
      const answer = await call({ method, path, body, bearer: portalKey });
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return JSON.parse(answer.text) as unknown;
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}
