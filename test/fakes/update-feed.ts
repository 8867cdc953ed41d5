import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpdateList, signList } from '../../src/launcher/make-update-list.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const listName = 'updates.json';
export const signatureName = 'updates.json.sig';

/** A key pair of the owner of a feed. */
export const newKeys = () => generateKeyPairSync('ed25519');

/** A feed of new versions on this machine: answers by path, and remembers who asked for what. */
export class UpdateFeed {
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  readonly keys = newKeys();
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;
  #gone = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '');
      this.requests.push({ path, headers: request.headers });
      response.on('close', () => {
        if (!response.writableFinished) this.#gone += 1;
      });
      const answer = this.#answers.get(path);
      if (answer === undefined) response.writeHead(404).end('nothing here');
      else answer(request, response);
    });
  }

  static async open(): Promise<UpdateFeed> {
    const feed = new UpdateFeed();
    feed.#server.listen(0, '127.0.0.1');
    await once(feed.#server, 'listening');
    return feed;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/rotavox`;
  }

  /** How many who asked went away before they were answered. */
  get gone(): number {
    return this.#gone;
  }

  /** Paths below the feed that were asked for, in order. */
  get asked(): string[] {
    return this.requests.map(({ path }) => path.replace(/^\/rotavox\//, ''));
  }

  answer(name: string, answer: Answer | string | Buffer): void {
    const reply: Answer =
      typeof answer === 'function' ? answer : (_request, response) => void response.end(answer);
    this.#answers.set(`/rotavox/${name}`, reply);
  }

  /** Lists a version with one AppImage as the release makes the list, signs it with `key`, and serves all three. */
  async offer(
    version: string,
    { key = this.keys.privateKey, content = `version ${version}` } = {},
  ): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-feed-'));
    const name = `Rotavox-${version}-${process.arch === 'x64' ? 'x86_64' : process.arch}.AppImage`;
    await writeFile(join(folder, name), content);
    const list = await makeUpdateList(version, [join(folder, name)]);
    await rm(folder, { recursive: true });
    this.answer(listName, list);
    this.answer(signatureName, signList(list, key));
    this.answer(name, content);
    return name;
  }

  /** Serves a list, whatever is in it, with the right signature. */
  sign(list: string): void {
    this.answer(listName, list);
    this.answer(signatureName, signList(Buffer.from(list), this.keys.privateKey));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
