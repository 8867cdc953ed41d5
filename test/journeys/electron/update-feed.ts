import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A feed of new versions on this machine: answers by path, and remembers who asked for what. */
export class UpdateFeed {
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
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
    return `${this.origin}/rotavox`;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
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

  /** Lists a version with one AppImage, and serves it. What is listed can be made to differ from what is served. */
  offer(
    version: string,
    {
      content = `the program, version ${version}`,
      url = `Rotavox-${version}.AppImage`,
      sha512 = sha512Of(content),
    } = {},
  ): void {
    this.answer(
      'latest-linux.yml',
      `version: ${version}\nfiles:\n  - url: ${url}\n    sha512: ${sha512}\n    size: ${content.length}\n    blockMapSize: 8\n` +
        `path: ${url}\nsha512: ${sha512}\nreleaseDate: '2026-01-01T00:00:00.000Z'\n`,
    );
    this.answer(url, content);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function sha512Of(content: string): string {
  return createHash('sha512').update(content).digest('base64');
}
