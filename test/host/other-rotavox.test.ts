import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { rotavoxAt, uidListeningAt } from '../../src/host/other-rotavox.ts';

const isRoot = process.getuid?.() === 0;

/** As another account has it: its answer to `GET /v1/health`. Prints its port. */
const program = `
  const server = require('node:http').createServer((_request, response) => response.end('{"status":"ok","version":"1.0.0"}'));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

it.runIf(isRoot && process.platform === 'linux')('is known with the name of its account', async () => {
  const ids = { uid: 65_534, gid: 65_534 };
  const child = spawn('/usr/bin/env', ['node', '-e', program], {
    ...ids,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  expect(await rotavoxAt('127.0.0.1', Number(line.toString()))).toEqual({ account: 'nobody' });
});

it('is not taken for one where another program answers, or nothing', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await rotavoxAt('127.0.0.1', port)).toBeNull();
  server.close();
  expect(await rotavoxAt('127.0.0.1', port)).toBeNull();
});

it('is found by the one line of a port that listens', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1E02 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 41 1',
    '   1: 0100007F:1E03 0100007F:1E02 01 00000000:00000000 00:00000000 00000000  1002        0 42 1',
  ].join('\n');
  expect(uidListeningAt(table, 0x1e02)).toBe(1001);
  expect(uidListeningAt(table, 0x1e03)).toBeNull();
  expect(uidListeningAt('', 0x1e02)).toBeNull();
});
