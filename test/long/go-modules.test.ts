/** The real Go of Debian 13, the oldest that asks other programs, against a server of modules that checks the token. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ConnectedTool } from '../cli/connected-tool.ts';
import { makeCertificate } from '../fixtures/make-authority.ts';
import { unpackedFolder } from '../tools/asterisk-root.ts';

const host = 'go.example.test';
const name = `${host}/team/m`;
const module = `${name}@v1.0.0`;
const page = `<meta name="go-import" content="${name} mod https://${name}/proxy">`;

describe('Go 1.24, connected', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-go-'));
  let tool: ConnectedTool;
  let tunnel: Server;
  let go = '';
  /** What was asked for with the token that works. */
  const served: string[] = [];
  /** Happens before the answer to a request. */
  let before: (url: string) => Promise<unknown> = () => Promise.resolve();

  beforeAll(async () => {
    go = join(await unpackedFolder(['golang-1.24-go'], 'trixie'), 'usr/lib/go-1.24/bin/go');
    const { certFile, keyFile } = makeCertificate(folder, {
      names: [`DNS:${host}`, 'DNS:other.example.test'],
    });
    const zip = zippedModule(folder);
    tool = await ConnectedTool.start(
      () => ({ SSL_CERT_FILE: certFile, GOFLAGS: '-modcacherw', GOSUMDB: 'off', GOTOOLCHAIN: 'local' }),
      ({ url = '' }, response) => {
        served.push(url);
        void before(url).then(() => {
          if (url.endsWith('.info')) response.end('{"Version":"v1.0.0"}');
          else if (url.endsWith('.mod')) response.end(`module ${name}\n`);
          else if (url.endsWith('.zip')) response.end(zip);
          else if (url.endsWith('?go-get=1')) response.end(page);
          else response.writeHead(404).end();
        });
      },
      { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    );
    tunnel = await startTunnel(Number(new URL(tool.origin).port));
  }, 300_000);
  afterAll(async () => {
    await tool.stop();
    tunnel.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await tool.disconnectAll();
    served.length = 0;
    before = () => Promise.resolve();
    rmSync(join(tool.home, 'go'), { recursive: true, force: true });
  });

  /** Connects it, and runs the line that is shown. */
  async function connect(url: string, ...more: string[]): Promise<void> {
    const args = ['connect', 'go', 'nightly', '--url', url, '--username', 'me', ...more];
    const { code, stdout } = await tool.run(...args);
    expect(code).toBe(0);
    const [, shown = ''] = /^ {2}go (env -w .*)$/m.exec(stdout) ?? [];
    expect(await tool.program('/bin/sh', ['-c', `'${go}' ${shown}`])).toMatchObject({ code: 0 });
  }

  function run(source: string, ...args: string[]) {
    const address = tunnel.address();
    if (address === null || typeof address === 'string') throw new Error('The tunnel does not listen');
    const env = { GOPROXY: source, HTTPS_PROXY: `http://127.0.0.1:${address.port}` };
    return tool.program(go, args, { env });
  }

  const download = (source = `https://${name}/proxy`) => run(source, 'mod', 'download', '-x', module);

  it('sends the current token with its first request, and the next one after a rotation', async () => {
    // With a slash, behind which Go 1.24 finds no header.
    await connect(`https://${host}/`);
    for (let at = 0; at < 2; at += 1) {
      const basic = Buffer.from(`me:${await tool.token()}`).toString('base64');
      tool.authorizations.length = 0;
      rmSync(join(tool.home, 'go'), { recursive: true, force: true });
      expect(await download()).toMatchObject({ code: 0 });
      expect(new Set(tool.authorizations)).toEqual(new Set([`Basic ${basic}`]));
      expect(tool.bareCalls).toBe(0);
      expect(tool.filesWith(basic)).toEqual([]);
      await tool.run('credential', 'rotate', 'nightly');
    }
  });

  it('asks again when a rotation comes between two requests', async () => {
    await connect(`https://${host}`);
    const old = Buffer.from(`me:${await tool.token()}`).toString('base64');
    before = (url) =>
      url.endsWith('.mod') ? tool.run('credential', 'rotate', 'nightly') : Promise.resolve();
    expect(await download()).toMatchObject({ code: 0 });
    const next = Buffer.from(`me:${await tool.token()}`).toString('base64');
    expect(tool.authorizations.slice(-2)).toEqual([`Basic ${old}`, `Basic ${next}`]);
  });

  it('finds a module by its page, at the path that is connected and below it, and gives the token to nothing else', async () => {
    // https://github.com/golang/go/issues/80597: a page is asked for with a query, which no header was found for.
    await connect(`https://${name}`, '--scheme', 'bearer');
    expect(await download('direct')).toMatchObject({ code: 0 });
    expect(served).toContain('/team/m?go-get=1');
    expect(served).toContain('/team/m/proxy/go.example.test/team/m/@v/v1.0.0.zip');
    expect(new Set(tool.authorizations)).toEqual(new Set([`Bearer ${await tool.token()}`]));

    tool.authorizations.length = 0;
    for (const other of ['https://go.example.test/team', 'https://other.example.test/team/m']) {
      rmSync(join(tool.home, 'go'), { recursive: true, force: true });
      expect(await download(other)).toMatchObject({ code: 1 });
    }
    expect(tool.authorizations).toEqual([]);
  });

  it('does not send an old password of .netrc', async () => {
    await connect(`https://${host}`);
    const file = join(tool.home, '.netrc');
    writeFileSync(file, `machine ${host} login me password old\n`);
    onTestFinished(() => rmSync(file));
    expect(await download()).toMatchObject({ code: 0 });
    expect(new Set(tool.authorizations).size).toBe(1);
  });

  it('fails where it gets no token, and says why with -x', async () => {
    await connect(`https://${host}`);
    await tool.stopService();
    try {
      const { code, stderr } = await download();
      expect(code).toBe(1);
      expect(stderr).toContain('401 Unauthorized');
      expect(stderr).toContain('Rotavox is not running with the data folder');
    } finally {
      await tool.startService();
    }
    expect(await download()).toMatchObject({ code: 0 });
  });
});

/** A module as its proxies send it. */
function zippedModule(folder: string): Buffer {
  const root = join(folder, module);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'go.mod'), `module ${name}\n`);
  // Without entries of folders, which Go refuses.
  const script = 'import sys, zipfile; zipfile.ZipFile("module.zip", "w").write(sys.argv[1])';
  execFileSync('python3', ['-c', script, `${module}/go.mod`], { cwd: folder });
  return readFileSync(join(folder, 'module.zip'));
}

/** A proxy by which every name leads to a port of this machine. */
async function startTunnel(port: number): Promise<Server> {
  const server = createServer();
  server.on('connect', (_request, socket) => {
    const far = connectSocket(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    far.on('error', () => socket.destroy());
    socket.on('error', () => far.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
