import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Whether a call may go on, by its `Authorization`. */
type Admits = (authorization: string) => Promise<boolean> | boolean;

/** A repository over http, served by git itself, for those who are admitted. */
export class GitServer {
  /** The `Authorization` of each call that had one, oldest first. */
  readonly authorizations: string[] = [];
  admits: Admits;
  readonly #folder: string;
  readonly #server: Server;

  private constructor(folder: string, admits: Admits) {
    this.#folder = folder;
    this.admits = admits;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  /** With one repository, `/team/project.git`, that is empty. */
  static async start(admits: Admits): Promise<GitServer> {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-git-server-'));
    const repository = join(folder, 'team', 'project.git');
    await promisify(execFile)('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    const server = new GitServer(folder, admits);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  get repository(): string {
    return `${this.origin}/team/project.git`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    if (authorization !== undefined) this.authorizations.push(authorization);
    if (authorization === undefined || !(await this.admits(authorization))) {
      request.resume();
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    this.#serve(request, response);
  }

  /** As a web server runs a CGI program (RFC 3875). */
  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? '/', this.origin);
    const { headers } = request;
    const program = spawn('git', ['http-backend'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: this.#folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REMOTE_USER: 'somebody',
        REMOTE_ADDR: '127.0.0.1',
        CONTENT_TYPE: headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(program.stdin);
    let head: Buffer | null = Buffer.alloc(0);
    program.stdout.on('data', (chunk: Buffer) => {
      if (head === null) {
        response.write(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      writeHead(response, head.toString('latin1', 0, end));
      response.write(head.subarray(end + 4));
      head = null;
    });
    program.stdout.once('end', () => response.end());
  }
}

function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split('\r\n')) {
    const at = line.indexOf(':');
    const [name, value] = [line.slice(0, at), line.slice(at + 1).trim()];
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
}
