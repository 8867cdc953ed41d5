import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('answers ARI at the same address after it was stopped or killed', async () => {
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

  it('says what is in the log when it cannot start', async () => {
    await expect(
      startAsterisk({ files: { 'http.conf': '[general]\nenabled=no\n' }, startTimeoutMs: 2_000 }),
    ).rejects.toThrow(/does not start:[^]*built by/);
  });
});
