import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { CredentialView } from '../../src/contract/credential/credential-view.ts';
import type { CredentialUse } from '../../src/contract/credential/use.ts';
import { eventStreamPath } from '../../src/contract/address.ts';
import { freshDataDir, removeDataDir } from './rotavox.ts';
import { quietCredential } from '../fixtures/quiet-credential.ts';

/** The parts of a call that the command line chooses. */
export interface Call {
  readonly call: string;
  readonly body: unknown;
}

/** Bytes are sent unchanged, anything else as JSON. */
export type Answer = readonly [status: number, body: unknown];

/** A credential without news. */
export const fine: CredentialView = {
  ...quietCredential,
  id: 'crd_1',
  name: 'pbx',
  service: 'remote',
  base_url: 'https://api.example.com',
  generation: 1,
  obtained_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2126-11-28T12:00:00.000Z',
  validity_days: 7,
  can_rotate: null,
  next_rotation_at: '2126-11-26T04:05:06.000Z',
  planned: ['2126-11-26T04:05:06.000Z', '2126-11-30T20:05:06.000Z'],
} as unknown as CredentialView;

export const noUse: CredentialUse = {
  credential: 'pbx',
  generation: 1,
  users: [],
  running: [],
  tools: [],
  deliveries: [],
};

/**
 * A service that has one credential and answers as a test wants: for states that the real one reaches only after days.
 *
 * It uses the real protocol (runtime file, portal key, stream of changes), so the command line cannot tell the difference.
 */
export class StandInService {
  readonly dataDir: string;
  readonly calls: Call[] = [];
  /** The answers to the next calls, by method and path; otherwise the credential. */
  readonly answers = new Map<string, Answer>();
  value = 'rvx_first_value_of_all';
  /** The answer to any other call. */
  otherwise: ((call: string) => Answer) | null = null;
  baseUrl = '';
  #server: Server | null = null;
  #streams = new Set<ServerResponse>();
  #seq = 0;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  static async start(): Promise<StandInService> {
    const dataDir = await freshDataDir();
    await mkdir(dataDir);
    const service = new StandInService(dataDir);
    onTestFinished(async () => {
      await service.stop();
      await removeDataDir(dataDir);
    });
    await service.start();
    return service;
  }

  /** Listens at a new port with a new key, as after a restart. */
  async start(): Promise<void> {
    const key = `rvk_${String(Math.random()).slice(2)}`;
    const server = createServer((request, response) => {
      if (request.headers.authorization !== `Bearer ${key}`) answer(response, refusal(401, 'not_signed_in'));
      else if (request.url === eventStreamPath) this.#openStream(response);
      else void this.#reply(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.baseUrl = `http://127.0.0.1:${String(port)}`;
    await writeFile(
      join(this.dataDir, 'runtime.json'),
      JSON.stringify({ pid: process.pid, base_url: this.baseUrl, portal_key: key }),
    );
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** Sends an event to every follower; without a kind, one that is not about the credential. */
  tell(kind: string, subject = fine.id as string): void {
    this.#seq += 1;
    const notice = { seq: this.#seq, at: fine.obtained_at, kind, subject };
    for (const stream of this.#streams)
      stream.write(`event: change\nid: ${String(this.#seq)}\ndata: ${JSON.stringify(notice)}\n\n`);
  }

  get followers(): number {
    return this.#streams.size;
  }

  #openStream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 100\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = `${request.method ?? ''} ${request.url ?? ''}`;
    const body = await text(request);
    this.calls.push({ call, body: bodyOf(request, body) });
    answer(response, this.answers.get(call) ?? this.otherwise?.(call) ?? this.#usualAnswer(call));
  }

  #usualAnswer(call: string): Answer {
    const { name, generation, expires_at } = fine;
    if (call === 'GET /portal/credentials/pbx/value')
      return [200, { name, value: this.value, generation, expires_at }];
    if (call === 'GET /portal/credentials/pbx/use') return [200, noUse];
    if (call === 'DELETE /portal/credentials/pbx') return [200, { success: true }];
    if (call.includes('/portal/credentials')) {
      return /\/credentials(?:\/pbx(?:\/|$)|$)/.test(call) ? [200, fine] : refusal(404, 'not_found');
    }
    return refusal(404, 'not_found');
  }
}

function bodyOf({ headers }: IncomingMessage, body: string): unknown {
  if (headers['content-type'] !== 'application/json') return body === '' ? undefined : body;
  return JSON.parse(body) as unknown;
}

export function refusal(status: number, code: string, message = `That is ${code}.`): Answer {
  return [status, { success: false, code, message }];
}

function answer(response: ServerResponse, [status, body]: Answer): void {
  const isBytes = Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' });
  response.end(isBytes ? body : JSON.stringify(body));
}
