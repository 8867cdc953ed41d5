import type { Connection } from '../client/create-client.ts';
import type { ChosenService } from './chosen-service.ts';

// Not imported: an import reads all its exports, and one of them loads what `fetch` needs.
const http = process.getBuiltinModule('node:http');

export interface RunningCommandOptions {
  readonly service: ChosenService;
  readonly credential: string;
  readonly program: string | null;
}

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Tells the service which token a command runs with, as long as this process exists.
 *
 * By a connection that stays open: the system ends it with the process, also after SIGKILL. It is opened again when the service
 * has restarted. Nothing waits for it, and a service that does not know the call is not asked again.
 */
export class RunningReport {
  readonly #options: RunningCommandOptions;
  #token: { readonly generation: number; readonly since: string };
  #end: () => void = () => undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  /** Changes with each report, so that one that was ended while it looked for the service is not sent. */
  #current = 0;

  constructor(options: RunningCommandOptions, generation: number) {
    this.#options = options;
    this.#token = { generation, since: new Date().toISOString() };
    void this.#report();
  }

  /** The command was started again with another token. */
  change(generation: number): void {
    this.#token = { generation, since: new Date().toISOString() };
    this.#failures = 0;
    this.close();
    void this.#report();
  }

  close(): void {
    this.#current += 1;
    clearTimeout(this.#retry);
    this.#end();
  }

  async #report(): Promise<void> {
    const current = (this.#current += 1);
    let connection: Connection | null;
    try {
      connection = await this.#options.service.connect();
    } catch {
      connection = null;
    }
    if (current !== this.#current) return;
    if (connection === null) this.#reportLater(); // it does not run at the moment
    else this.#send(connection);
  }

  #send(connection: Connection): void {
    const { request } = connection.baseUrl.startsWith('https:')
      ? process.getBuiltinModule('node:https')
      : http;
    const { credential, program } = this.#options;
    const asking = request(`${connection.baseUrl}/portal/running`, {
      method: 'POST',
      agent: false,
      headers: { authorization: connection.authorization ?? '', 'content-type': 'application/json' },
    });
    let isOver = false;
    const again = (): void => {
      if (isOver) return;
      isOver = true;
      this.#reportLater();
    };
    this.#end = () => {
      isOver = true;
      asking.destroy();
    };
    asking.on('socket', (socket) => socket.unref());
    asking.on('response', (response) => {
      response.resume();
      // The credential was removed, or an older service does not know the call.
      if (response.statusCode === 404) isOver = true;
      else if (response.statusCode === 200) this.#failures = 0;
    });
    asking.on('error', again);
    asking.on('close', again);
    asking.end(JSON.stringify({ credential, program, ...this.#token }));
  }

  #reportLater(): void {
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#report(), waitMs).unref();
  }
}
