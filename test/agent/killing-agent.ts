/**
 * An agent as a child process: told to rotate, killed, and started again on the same folder.
 *
 * Every child is remembered by its id and ended by it when the test is over, whatever became of the test.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { VaultChoice } from '../../src/agent/vault/open-vault.ts';
import type { HistoryEvent } from '../../src/contract/audit-event.ts';
import type { DeliveryTarget } from '../../src/contract/credential.ts';
import type { Verification } from '../../src/contract/portal.ts';
import type { KillPoint } from './killing-point.ts';

export interface AgentSettings {
  readonly folder: string;
  readonly vault: VaultChoice;
  /** Of the one credential that it keeps. */
  readonly name: string;
  /** How far its clock is ahead of the machine's. */
  readonly aheadMs: number;
}

export interface Kept {
  readonly wish: Readonly<Record<string, unknown>>;
  readonly targets: readonly DeliveryTarget[];
}

export type ToAgent =
  | ({ readonly kind: 'keep' } & Kept)
  | { readonly kind: 'go'; readonly aheadMs: number; readonly point: KillPoint | null }
  | { readonly kind: 'report' | 'forget' };

export type FromAgent =
  | { readonly kind: 'started'; readonly repairs: readonly string[] }
  | { readonly kind: 'settled'; readonly generation: number }
  | { readonly kind: 'failed'; readonly message: string }
  | Report
  | { readonly kind: 'forgotten'; readonly removed: boolean };

export interface Report {
  readonly kind: 'report';
  /** Everything that its ledger remembers, oldest first. */
  readonly events: readonly HistoryEvent[];
  readonly verification: Verification;
}

export interface KillingAgent {
  tell(message: ToAgent): void;
  /** Settles when every target has this generation; fails when an attempt fails or the process ends before. */
  settled(generation: number): Promise<void>;
  hasSettled(generation: number): boolean;
  report(): Promise<Report>;
  /** Takes the credential away, with what the vault has of it. */
  forget(): Promise<boolean>;
  kill(): Promise<void>;
  /** Settles when it is gone, with the signal that ended it. */
  readonly gone: Promise<NodeJS.Signals | null>;
  /** What it said on stdout and stderr. */
  said(): string;
}

const script = join(import.meta.dirname, 'agent-process.ts');

/** Starts it; what the one before left unfinished it takes up at once. */
export async function startKillingAgent(settings: AgentSettings): Promise<KillingAgent> {
  const child = fork(script, [JSON.stringify(settings)], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const gone = once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null);
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);

  const heard: FromAgent[] = [];
  const listeners = new Set<() => void>();
  child.on('message', (message: FromAgent) => {
    heard.push(message);
    for (const look of listeners) look();
  });
  function hear<T extends FromAgent>(isIt: (message: FromAgent) => message is T): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const failed = heard.find((message) => message.kind === 'failed');
        if (failed !== undefined) reject(new Error(`An attempt failed: ${failed.message}`));
        const found = heard.find(isIt);
        if (found === undefined) return;
        // Settled it stays; an answer is for who asked.
        if (found.kind !== 'settled') heard.splice(heard.indexOf(found), 1);
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
      void gone.then((signal) => {
        reject(new Error(`The agent ended with ${child.exitCode ?? signal ?? 'nothing'}: ${said}`));
      });
    });
  }
  const isSettled =
    (generation: number) =>
    (message: FromAgent): message is FromAgent =>
      message.kind === 'settled' && message.generation === generation;
  const agent: KillingAgent = {
    gone,
    kill,
    said: () => said,
    tell: (message) => void child.send(message),
    async settled(generation) {
      await hear(isSettled(generation));
    },
    hasSettled: (generation) => heard.some(isSettled(generation)),
    report() {
      child.send({ kind: 'report' } satisfies ToAgent);
      return hear((message) => message.kind === 'report');
    },
    async forget() {
      child.send({ kind: 'forget' } satisfies ToAgent);
      return (await hear((message) => message.kind === 'forgotten')).removed;
    },
  };
  await hear((message) => message.kind === 'started');
  return agent;
}
