/**
 * An agent that is told to rotate, killed, and restarted on the same folder: as a child process, or in this process.
 *
 * Every child is recorded by its id and ended when the test is over, whatever the result.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { VaultChoice } from '../../../src/agent/vault/open-vault.ts';
import type { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import type { Verification } from '../../../src/contract/service/portal.ts';
import type { Vault } from '../../../src/core/vault.ts';
import { startKillableAgent } from './killable-agent.ts';
import { Killer, type KillPoint } from './kill-point.ts';

export interface AgentSettings {
  readonly folder: string;
  readonly vault: VaultChoice;
  /** The name of its one credential. */
  readonly name: string;
  /** How far its clock is ahead of the machine's. */
  readonly aheadMs: number;
}

export type EndSignal = 'SIGKILL' | 'SIGTERM';

export interface Kept {
  readonly wanted: Readonly<Record<string, unknown>>;
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
  /** All events in its ledger, oldest first. */
  readonly events: readonly HistoryEvent[];
  readonly verification: Verification;
}

export interface KillingAgent {
  tell(message: ToAgent): void;
  /** Settles when every target has this generation; fails when an attempt fails or the process ends before that. */
  settled(generation: number): Promise<void>;
  hasSettled(generation: number): boolean;
  report(): Promise<Report>;
  /** Removes the credential with its entries in the vault. */
  forget(): Promise<boolean>;
  kill(): Promise<void>;
  /** Settles when the process has ended, with the signal that ended it. */
  readonly gone: Promise<NodeJS.Signals | null>;
  /** Its output on stdout and stderr. */
  said(): string;
}

/** The message channel of an agent. */
interface Link {
  send(message: ToAgent): void;
  onMessage(hear: (message: FromAgent) => void): void;
  kill(): Promise<void>;
  readonly gone: Promise<NodeJS.Signals | null>;
  said(): string;
}

const script = join(import.meta.dirname, 'agent-process.ts');

/** Starts it as a process; it continues unfinished work of the previous one at once. */
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
  return agentOver({
    gone,
    kill,
    said: () => said,
    send: (message) => void child.send(message),
    onMessage: (hear) => child.on('message', hear),
  });
}

/** Starts it in this process, with a vault that survives it. With SIGTERM it is asked to stop instead of being killed. */
export async function startAgentHere(
  settings: Omit<AgentSettings, 'vault'>,
  vault: Vault,
  signal: EndSignal,
): Promise<KillingAgent> {
  const end = Promise.withResolvers<EndSignal>();
  const killer =
    signal === 'SIGKILL'
      ? new Killer(() => end.resolve(signal))
      : new Killer(
          () =>
            void agent
              .stop()
              .then(() => end.resolve(signal))
              .catch(end.reject),
          { cutsOff: false },
        );
  const heard: FromAgent[] = [];
  let hear = (message: FromAgent): void => void heard.push(message);
  const agent = await startKillableAgent({ ...settings, vault, killer, say: (message) => hear(message) });
  onTestFinished(async () => {
    killer.kill();
    await agent.close();
  });
  return agentOver({
    gone: end.promise,
    kill: async () => killer.kill(),
    said: () => '',
    send: (message) => void agent.take(message),
    onMessage(listener) {
      hear = listener;
      heard.forEach(listener);
    },
  });
}

async function agentOver({ send, onMessage, kill, gone, said }: Link): Promise<KillingAgent> {
  const heard: FromAgent[] = [];
  const listeners = new Set<() => void>();
  onMessage((message) => {
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
        // Stays settled: the answer is for the caller.
        if (found.kind !== 'settled') heard.splice(heard.indexOf(found), 1);
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
      void gone.then((signal) => {
        reject(new Error(`The agent ended with ${signal ?? 'no signal'}: ${said()}`));
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
    said,
    tell: send,
    async settled(generation) {
      await hear(isSettled(generation));
    },
    hasSettled: (generation) => heard.some(isSettled(generation)),
    report() {
      send({ kind: 'report' });
      return hear((message) => message.kind === 'report');
    },
    async forget() {
      send({ kind: 'forget' });
      return (await hear((message) => message.kind === 'forgotten')).removed;
    },
  };
  await hear((message) => message.kind === 'started');
  return agent;
}
