import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../fixtures/make-folder.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';

describe('an Asterisk for tests', () => {
  let asterisk: Asterisk;

  beforeAll(async () => {
    asterisk = await startAsterisk({ pjsip: '', extensions: '[hall]\nexten => s,1,Answer()\n' });
  });
  afterAll(() => asterisk.close());

  it('has the configuration of the test, and complains about nothing', async () => {
    expect(await asterisk.console('dialplan show hall')).toContain('1. Answer()');
    expect(await asterisk.console('pjsip show transports')).toContain(`127.0.0.1:${asterisk.sipPort}`);
    expect(await asterisk.log()).not.toMatch(/WARNING|ERROR/);
  });

  it('reads changed configuration at a reload', async () => {
    await asterisk.configure('extensions.conf', '[garden]\nexten => s,1,Hangup()\n');
    await asterisk.console('dialplan reload');
    expect(await asterisk.console('dialplan show garden')).toContain('1. Hangup()');
  });

  it('answers ARI at the same address after it was stopped or killed', { tags: ['long'] }, async () => {
    for (const end of ['stop', 'kill'] as const) {
      await asterisk[end]();
      await expect(asterisk.ari('GET', '/channels')).rejects.toThrow();
      await asterisk.run();
      expect(await asterisk.ari('GET', '/channels')).toEqual([]);
    }
  });

  it('leaves neither a process nor a folder behind', async () => {
    const other = await startAsterisk();
    const pid = other.pid!;
    await other.close();
    expect(existsSync(other.folder)).toBe(false);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it('ends when the process that started it is killed', { tags: ['long'] }, async () => {
    const tool = new URL('../tools/asterisk.ts', import.meta.url);
    const script = `
      import { startAsterisk } from '${tool.href}';
      const { pid } = await startAsterisk();
      console.log(pid);
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: makeFolder() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const state = () => {
      const file = `/proc/${pid.trim()}/stat`;
      return existsSync(file) ? readFileSync(file, 'utf8').replace(/^.*\) /, '') : 'gone';
    };
    expect(state()).toMatch(/^[RSD]/);
    child.kill('SIGKILL');
    // Gone, or dead and not yet noticed by the process that takes orphans.
    await expect.poll(state).toMatch(/^(?:Z|gone)/);
  });

  it('says what is in the log when it cannot start', { tags: ['long'] }, async () => {
    await expect(
      startAsterisk({ files: { 'http.conf': '[general]\nenabled=no\n' }, startTimeoutMs: 5_000 }),
    ).rejects.toThrow(/does not start:[^]*built by/);
  });
});
