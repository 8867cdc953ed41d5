import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { VaultTrouble } from '../../../src/contract/credential/vault-problem.ts';

export type VaultCommand =
  | { readonly kind: 'contact' }
  | { readonly kind: 'read' | 'remove'; readonly account: string }
  | { readonly kind: 'write'; readonly account: string; readonly value: string };

/** The messages to the child. */
export type Request = { readonly id: number; readonly command: VaultCommand } | 'quit';

export type Answer =
  | { readonly value: string | null }
  | { readonly code: VaultTrouble | 'bug'; readonly message: string };

export interface VaultProcess {
  contact(): Promise<Answer>;
  read(account: string): Promise<Answer>;
  write(account: string, value: string): Promise<Answer>;
  remove(account: string): Promise<Answer>;
  /** Asks it to end with exit code 7; resolves when it has ended, with its code and signal. */
  quit(): Promise<[number | null, NodeJS.Signals | null]>;
}

const script = join(import.meta.dirname, 'vault-child.ts');

/** A keychain vault in a separate process, because libsecret keeps what it learned as long as its process. */
export function startVaultProcess(env: NodeJS.ProcessEnv, limitMs = 60_000): VaultProcess {
  const child = fork(script, [String(limitMs)], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  child.on('message', (reply: Answer & { id: number }) => {
    const { id, ...answer } = reply;
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  void gone.then(([code, signal]) => {
    for (const tell of waiting.values()) tell({ code: 'bug', message: `ended: ${code ?? signal ?? ''}` });
  });
  let lastId = 0;
  function ask(command: VaultCommand): Promise<Answer> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      child.send({ id, command } satisfies Request);
    });
  }
  return {
    contact: () => ask({ kind: 'contact' }),
    read: (account) => ask({ kind: 'read', account }),
    write: (account, value) => ask({ kind: 'write', account, value }),
    remove: (account) => ask({ kind: 'remove', account }),
    quit: () => {
      child.send('quit' satisfies Request);
      return gone;
    },
  };
}
