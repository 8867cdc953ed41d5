import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Whether a call may go on, by its user name and password. */
type Admits = (password: string, username: string) => Promise<boolean> | boolean;

const config = '{"architecture":"amd64","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":[]}}';
const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';
const manifest = JSON.stringify({
  schemaVersion: 2,
  mediaType: manifestType,
  config: {
    mediaType: 'application/vnd.docker.container.image.v1+json',
    size: config.length,
    digest: digestOf(config),
  },
  layers: [],
});

/** A registry over http with one image, `team/app:1`, for those who are admitted. What is pushed is taken and forgotten. */
export class ImageRegistry {
  /** The password of each call that had one, oldest first. */
  readonly passwords: string[] = [];
  readonly #admits: Admits;
  readonly #server: Server;

  private constructor(admits: Admits) {
    this.#admits = admits;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(admits: Admits): Promise<ImageRegistry> {
    const registry = new ImageRegistry(admits);
    registry.#server.listen(0, '127.0.0.1');
    await once(registry.#server, 'listening');
    return registry;
  }

  /** How clients call it. */
  get host(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen');
    return `127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
    const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
    const password = rest.join(':');
    if (password !== '') this.passwords.push(password);
    response.setHeader('docker-distribution-api-version', 'registry/2.0');
    if (await this.#admits(password, username)) serve(request, response);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end();
  }
}

/** The calls of a pull and of a push (distribution-spec of the Open Container Initiative). */
function serve({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://registry');
  if (method === 'POST') response.writeHead(202, { location: `${pathname}1` }).end();
  else if (method === 'PATCH') response.writeHead(202, { location: pathname }).end();
  else if (method === 'PUT')
    response
      .writeHead(201, { 'docker-content-digest': searchParams.get('digest') ?? digestOf(manifest) })
      .end();
  else if (pathname.endsWith(`/blobs/${digestOf(config)}`) && method === 'GET') response.end(config);
  else if (pathname.includes('/blobs/')) response.writeHead(404).end();
  else if (pathname.includes('/manifests/'))
    response
      .writeHead(200, { 'content-type': manifestType, 'docker-content-digest': digestOf(manifest) })
      .end(manifest);
  else if (pathname.endsWith('/tags/list')) response.end('{"name":"team/app","tags":["1"]}');
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

function digestOf(content: string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
