import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable, Writable } from 'node:stream';

/** What a command reads and where it prints: the process, or what a test or another program passes in. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

const current = new AsyncLocalStorage<CommandIo>();

/** Runs a command with these streams and this environment. */
export function withIo<T>(io: CommandIo, command: () => T): T {
  return current.run(io, command);
}

/** The streams and the environment of the running command. */
export function commandIo(): CommandIo {
  return current.getStore() ?? process;
}
