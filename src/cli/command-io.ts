import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable, Writable } from 'node:stream';

/** What a command reads and where it prints: of the process, or of who runs the command inside another process. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

const current = new AsyncLocalStorage<CommandIo>();

/** Runs a command with this; what it starts has the same. */
export function withIo<T>(io: CommandIo, command: () => T): T {
  return current.run(io, command);
}

/** That of the running command. */
export function commandIo(): CommandIo {
  return current.getStore() ?? process;
}
