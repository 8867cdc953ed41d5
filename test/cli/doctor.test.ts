import { chmodSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examine, type Examined } from '../../src/cli/examine-machine.ts';
import { type DoctorCheck, doctorChecks, doctorText as text } from '../../src/text/service/doctor-text.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { hostileAnswer } from './hostile-reply.ts';
import { rotavox, rotavoxOnScreen } from './rotavox.ts';
import { serviceHere } from './service-here.ts';
import { StandInService } from './stand-in-service.ts';

const isRoot = process.getuid?.() === 0;

/** What is found of one thing on a bare machine, but for what a test says. */
async function found(name: DoctorCheck, about: Partial<Examined> = {}) {
  const checks = await examine({
    dataDir: makeFolder(),
    env: {},
    platform: 'linux',
    service: null,
    app: null,
    ...about,
  });
  expect(checks.map((one) => one.name)).toEqual([...doctorChecks]);
  return checks.find((one) => one.name === name)!;
}

/** A port on which something listens that is no Rotavox. */
async function takenPort(): Promise<number> {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).end('220 mail ESMTP\r\n'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe.skipIf(process.platform !== 'linux')('what is found on a machine', () => {
  it('without a desktop is nothing that fails', async () => {
    for (const name of ['display', 'bus', 'tray', 'notifications', 'service'] as const) {
      expect(await found(name), name).toMatchObject({ outcome: 'note' });
    }
    expect(await found('vault')).toEqual({ name: 'vault', outcome: 'note', message: text.vault.file });
  });

  it('whose display or bus does not answer is told with its address', async () => {
    const env = { DISPLAY: ':7777', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus,guid=1' };
    expect(await found('display', { env })).toMatchObject({
      outcome: 'failed',
      message: text.display.silent(':7777'),
    });
    expect(await found('bus', { env })).toMatchObject({ outcome: 'failed' });
    const wayland = { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: makeFolder() };
    expect(await found('display', { env: wayland })).toMatchObject({
      message: text.display.silent('wayland-0'),
    });
    // Of another machine, through ssh: nothing here says whether it answers.
    expect(await found('display', { env: { DISPLAY: 'laptop:0' } })).toMatchObject({ outcome: 'ok' });
  });

  it('whose port is taken is told by what', async () => {
    const port = await takenPort();
    const env = { ROTAVOX_PORT: String(port) };
    expect(await found('port', { env })).toMatchObject({ outcome: 'failed', message: text.port.taken(port) });
    const other = await serviceHere();
    const its = Number(new URL(other.baseUrl).port);
    expect(await found('port', { env: { ROTAVOX_PORT: String(its) } })).toMatchObject({
      outcome: 'note',
      message: text.port.rotavox(its),
    });
  });

  it('whose proxy cannot be used is told by which variable, without its login', async () => {
    const refused = await found('network', {
      env: { HTTPS_PROXY: 'socks5://mary:secret@proxy.example:1080' },
    });
    expect(refused).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('HTTPS_PROXY') as string,
    });
    const used = await found('network', { env: { https_proxy: 'http://mary:secret@proxy.example:3128' } });
    expect(used.message).toBe(text.network.proxy('proxy.example:3128', 'https_proxy'));
    expect(JSON.stringify([refused, used])).not.toContain('secret');
  });

  it('whose data folder others can change is told with the command that mends it', async () => {
    const dataDir = join(makeFolder(), 'data');
    expect(await found('folder', { dataDir })).toMatchObject({ outcome: 'note' });
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    expect((await found('folder', { dataDir })).message).toContain(`chmod 700 ${dataDir}`);
    chmodSync(dataDir, 0o500);
    if (!isRoot) expect(await found('folder', { dataDir })).toMatchObject({ outcome: 'failed' });
    chmodSync(dataDir, 0o700);
    expect(await found('folder', { dataDir })).toMatchObject({ outcome: 'ok' });
  });
});

describe('rotavox doctor', () => {
  it('prints a line for each check, says the same as JSON, and ends with 0 where nothing fails', async () => {
    const service = await serviceHere();
    const env = { DISPLAY: '', WAYLAND_DISPLAY: '' };
    const { code, stdout } = await rotavox(['doctor'], { dataDir: service.dataDir, env });
    expect(stdout).toContain(`answers at ${service.baseUrl}`);
    const { checks } = (await service.json('doctor').catch(() => ({ checks: [] }))) as {
      checks: { name: string; outcome: string }[];
    };
    expect(stdout.trim().split('\n')).toHaveLength(doctorChecks.length);
    expect(stdout).not.toMatch(/\.\.$| $/m);
    const failures = stdout.split('\n').filter((line) => line.startsWith('✗'));
    expect(code).toBe(failures.length === 0 ? 0 : 1);
    if (failures.length === 0) expect(checks.map(({ name }) => name)).toEqual([...doctorChecks]);
  });

  it('moves nothing on a terminal, whatever a service says of itself', async () => {
    const service = await StandInService.start();
    service.otherwise = hostileAnswer;
    const { code, screen } = await rotavoxOnScreen(['doctor'], service);
    expect(code).toBe(1);
    expect(screen).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]|^forged/m);
    expect(screen).toContain('evil');
  });

  it('ends with 1 where something fails, and shows no secret', async () => {
    const env = {
      DISPLAY: ':7777',
      WAYLAND_DISPLAY: '',
      HTTPS_PROXY: 'http://mary:secret@proxy.example:3128',
    };
    const { code, stdout, stderr } = await rotavox(['doctor'], { dataDir: makeFolder(), env });
    if (process.platform === 'linux') expect(code).toBe(1);
    expect(stdout + stderr).not.toContain('secret');
    expect(stderr).toContain('checks failed');
  });
});
