import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { withIo } from '../../src/cli/command-io.ts';
import { sendLocally } from '../../src/cli/find-service.ts';
import { quickPaths, readQuickly } from '../../src/cli/read-quickly.ts';
import { type AnyReading, readHistory, readings } from '../../src/cli/readings.ts';
import { routes } from '../../src/contract/routes.ts';
import { provedText } from '../../src/contract/service/own-call.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { builtRotavox, rotavox } from './rotavox.ts';
import { fileVault, serviceHere } from './service-here.ts';
import { refusal, StandInService } from './stand-in-service.ts';

const readCall = 'GET /portal/credentials/pbx/value';

/** A built file and all that it imports at once, without what it loads later. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, path = ''] of source.matchAll(/=require\("(\.[^"]+)"\)/g))
    loadedWith(join(file, '..', path), found);
  return found;
}

/** What the files have in them that are loaded with one of the command line's. */
function sourceLoadedWith(name: string): string {
  return [...loadedWith(builtFile(`cli/${name}`))].map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** Schemas, commander, and what loads `fetch`. */
const heavy = /ZodType|CommanderError|require\("node:https?"\)/;

describe('the command line, before it knows what is asked', () => {
  it('loads neither packages nor schemas, and no module of Node that loads `fetch`', () => {
    const source = sourceLoadedWith('run-fast.js');
    expect(source).toContain('didQuickly');
    // A Node that is too old reads the first file.
    expect(/\?\?|\?\.[^0-9]|#\w+[;=(]/.exec(readFileSync(builtFile('cli/index.js'), 'utf8'))).toBeNull();
    expect(heavy.exec(source)).toBeNull();
    expect(source.length).toBeLessThan(30_000);
  });

  it('loads little more for what it reads and shows', () => {
    const source = sourceLoadedWith('read-quickly.js');
    expect(source).toContain('didQuickly');
    expect(heavy.exec(source)).toBeNull();
    expect(source.length).toBeLessThan(160_000);
  });
});

describe('what is read quickly', () => {
  it('is where the contract says', () => {
    for (const [name, path] of Object.entries(quickPaths))
      expect(routes[name as keyof typeof quickPaths]).toMatchObject({ method: 'GET', path });
  });

  it('is every reading, shown as by the whole command line', async () => {
    const { dataDir } = await serviceHere(fileVault);
    await rotavox(['token', 'issue', '--name', 'app', '--validity', '7', '--keep-as', 'app'], { dataDir });
    const listed = await rotavox(['token', 'list', '--json'], { dataDir });
    const { tokens } = JSON.parse(listed.stdout) as { tokens: { id: string }[] };
    const given = new Map([
      ['token/show', tokens[0]!.id],
      ['credential/show', 'app'],
    ]);
    for (const [words, { argument }] of Object.entries(readings as unknown as Record<string, AnyReading>)) {
      const typed = [...words.split('/'), ...(argument === undefined ? [] : [given.get(words)!])];
      const { code, ...whole } = await rotavox(typed, { dataDir });
      expect(code, words).toBe(0);
      expect(await readHere(typed, dataDir), words).toEqual({ isDone: true, ...whole });
    }
    for (const args of [
      ['status'],
      ['settings'],
      ['credential', 'show', 'app'],
      ['hours', 'list', '--data-dir', dataDir],
    ])
      expect(await builtRotavox(args, { dataDir })).toEqual(await rotavox(args, { dataDir }));
  });

  it('is the status where tools are connected, unless they lack something', async () => {
    const { dataDir } = await serviceHere(fileVault);
    await rotavox(['token', 'issue', '--name', 'app', '--validity', '7', '--keep-as', 'app'], { dataDir });
    const asked = ['connect', 'headers', 'app', '--url', 'https://api.example.com', '--json'];
    expect(await rotavox(asked, { dataDir })).toMatchObject({ code: 0 });
    const { code: _, ...whole } = await rotavox(['status'], { dataDir });
    expect(await readHere(['status'], dataDir)).toEqual({ isDone: true, ...whole });
    rmSync(join(dataDir, 'tools'), { recursive: true });
    expect((await rotavox(['status'], { dataDir })).stderr).toContain('rotavox connect');
    expect(await readHere(['status'], dataDir)).toEqual({ isDone: false, stdout: '', stderr: '' });
  });

  it('has the names of what all pages of the history are about', async () => {
    const pages = [
      { events: [], next_before: 7, names: { draft_1: 'Reception' } },
      { events: [], next_before: null, names: { draft_2: 'Night' } },
    ];
    const asked: unknown[] = [];
    const ask = (...call: unknown[]): Promise<never> => {
      asked.push(call);
      return Promise.resolve(pages[asked.length - 1] as never);
    };
    expect(await readHistory({ ask }, { limit: 10 })).toEqual({
      events: [],
      next_before: null,
      names: { draft_1: 'Reception', draft_2: 'Night' },
    });
    expect(asked).toMatchObject([
      ['readHistory', { query: { limit: '10' } }],
      ['readHistory', { query: { limit: '10', before: '7' } }],
    ]);
  });

  it('is nothing of a service that may be of another version, and nothing that fails', async () => {
    const { dataDir } = await StandInService.start();
    const nothing = { isDone: false, stdout: '', stderr: '' };
    expect(await readHere(['credential', 'list'], dataDir)).toEqual(nothing);
    expect(await readHere(['credential', 'list'], join(dataDir, 'none'))).toEqual(nothing);
    expect(await readHere(['credential', 'show', 'pbx'], dataDir)).toEqual(nothing);
  });

  it('is no command with an option, without what it needs, or with more than that', async () => {
    const { dataDir } = await serviceHere(fileVault);
    for (const typed of [
      ['credential', 'show'],
      ['credential', 'show', '--help'],
      ['credential', 'show', '..'],
      ['credential', 'show', 'app', 'app'],
      ['credential', 'show', 'nobody'],
      ['token', 'list', '--newest'],
      ['settings', 'set', 'language'],
    ])
      expect(await readHere(typed, dataDir), typed.join(' ')).toEqual({
        isDone: false,
        stdout: '',
        stderr: '',
      });
  });

  it('is nothing of a host that passes its calls on: the one that answers may be of another version', async () => {
    const host = await provenHost();
    expect(await readHere(['recording', 'list'], host.dataDir)).toMatchObject({ isDone: true });
    host.role = 'follower';
    expect(await readHere(['recording', 'list'], host.dataDir)).toMatchObject({ isDone: false, stdout: '' });
  });

  it('is left to the whole command line where nothing answers in time', { tags: ['long'] }, async () => {
    const host = await provenHost();
    host.isSilent = true;
    expect(await readHere(['recording', 'list'], host.dataDir)).toMatchObject({ isDone: false, stdout: '' });
  });

  it('takes --json where the whole command line takes it', async () => {
    const { dataDir } = await provenHost();
    expect(await builtRotavox(['recording', 'list', '--json'], { dataDir })).toMatchObject({ code: 0 });
    for (const args of [
      ['--json', 'recording', 'list'],
      ['recording', '--json', 'list'],
    ])
      expect(await builtRotavox(args, { dataDir })).toMatchObject({ code: 2, stdout: '' });
  });

  it('sends the length of every body, as a DELETE needs it', async () => {
    const { baseUrl, bodies } = await provenHost();
    const sent = { method: 'DELETE', headers: {}, body: '{"a":"ö"}' };
    await sendLocally(`${baseUrl}/portal/sessions`, sent, { mostBytes: 100 });
    expect(bodies).toEqual([sent.body]);
  });
});

/** A host of a team that has nothing, of this version. */
async function provenHost() {
  const host = {
    role: 'leader',
    isSilent: false,
    baseUrl: '',
    dataDir: makeFolder(),
    bodies: [] as string[],
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (body !== '') host.bodies.push(body);
      const challenge = /challenge=(.+)/.exec(request.url ?? '')?.[1];
      if (host.isSilent && challenge === undefined) return;
      const proof = createHmac('sha256', 'key').update(provedText(host.baseUrl, challenge ?? ''));
      const { version } = packageJson;
      const health = { status: 'ok', version, role: host.role, proof: proof.digest('hex') };
      response.end(JSON.stringify(challenge === undefined ? { recordings: [], total_bytes: 0 } : health));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  host.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const runtime = { pid: process.pid, base_url: host.baseUrl, portal_key: 'key', proves: true };
  writeFileSync(join(host.dataDir, 'runtime.json'), JSON.stringify(runtime));
  return host;
}

/** Reads quickly in this process. */
async function readHere(typed: readonly string[], dataDir: string) {
  const printed = { stdout: '', stderr: '' };
  const into = (name: keyof typeof printed) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        printed[name] += chunk.toString();
        done();
      },
    });
  const io = { env: {}, stdin: Readable.from([]), stdout: into('stdout'), stderr: into('stderr') };
  const isDone = await withIo(io, () => readQuickly(typed, { json: false, dataDir }));
  return { isDone, ...printed };
}

describe('what is done without loading the rest', () => {
  it('is the version', async () => {
    for (const option of ['--version', '-V'])
      expect(await builtRotavox([option])).toEqual({
        code: 0,
        stdout: `${packageJson.version}\n`,
        stderr: '',
      });
  });

  it('is `get`, with one call', async () => {
    const { dataDir, calls, value } = await StandInService.start();
    const named = ['--data-dir', dataDir];
    expect(await builtRotavox(['get', 'pbx'], { dataDir })).toEqual({
      code: 0,
      stdout: `${value}\n`,
      stderr: '',
    });
    expect(await builtRotavox(['get', 'pbx', ...named])).toMatchObject({ code: 0, stdout: `${value}\n` });
    expect(await builtRotavox([...named, 'get', 'pbx'])).toMatchObject({ code: 0, stdout: `${value}\n` });
    expect(calls.map(({ call }) => call)).toEqual([readCall, readCall, readCall]);
  });

  it('is nothing that fails: the whole command asks again and explains', { tags: ['long'] }, async () => {
    const service = await StandInService.start();
    const { dataDir, calls } = service;
    service.answers.set(readCall, refusal(409, 'token_unusable', 'The token has expired.'));
    const refused = await builtRotavox(['get', 'pbx'], { dataDir });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('The token has expired.');
    for (const reply of [{ value: 'rvx_of_another_program' }, null, [], 'text']) {
      service.answers.set(readCall, [200, reply]);
      const strange = await builtRotavox(['get', 'pbx'], { dataDir });
      expect(strange).toMatchObject({ code: 1, stdout: '' });
      expect(strange.stderr).toContain('does not answer like this version of Rotavox');
    }
    expect(calls.filter(({ call }) => call === readCall)).toHaveLength(10);
    await service.stop();
    expect(await builtRotavox(['get', 'pbx'], { dataDir })).toMatchObject({ code: 3, stdout: '' });
  });

  it('is no other form of `get`', { tags: ['long'] }, async () => {
    const { dataDir, value } = await StandInService.start();
    const json = await builtRotavox(['get', '--json', 'pbx'], { dataDir });
    expect(JSON.parse(json.stdout)).toMatchObject({ value });
    expect((await builtRotavox(['get', '--help'])).stdout).toContain('rotavox get');
    for (const words of [
      ['get'],
      ['credential/list'],
      ['get', 'pbx', 'billing'],
      ['get', 'pbx', '--data-dir'],
    ])
      expect(await builtRotavox(words, { dataDir }), words.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect(await builtRotavox(['get', '..'], { dataDir })).toMatchObject({ code: 1, stdout: '' });
  });
});
