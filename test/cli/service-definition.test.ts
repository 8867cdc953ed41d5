import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  launchdAgent,
  systemAccountDefinition,
  systemdSystemUnit,
  systemdUserUnit,
  windowsTask,
} from '../../src/cli/service-definition.ts';

const execute = promisify(execFile);

const words = ['/data of "me" & <you>', '100 %n $HOME \\', 'a\nb'];
const facts = {
  command: [process.execPath, '/opt/rotavox/index.js', 'serve', ...words],
  logFile: '/logs/a & b.log',
};

/** Writes a file for a test, as `name`. */
async function fileFor(name: string, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rotavox-service-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

/** Everything that systemd says about a unit, on stderr, and whether it is valid. */
async function verified(unit: string, scope: 'user' | 'system'): Promise<{ code: number; output: string }> {
  const file = await fileFor('rotavox.service', unit);
  const env = { ...process.env, XDG_RUNTIME_DIR: join(file, '..') };
  const args = [`--${scope}`, 'verify', '--man=no', file];
  const { stdout, stderr, code } = await execute('systemd-analyze', args, { env }).then(
    (done) => ({ ...done, code: 0 }),
    (error: unknown) => error as { stdout: string; stderr: string; code: number },
  );
  // It also reads units of the machine, which are not ours.
  const output = (stdout + stderr).split('\n').filter((line) => line.includes(file));
  return { code, output: output.join('\n') };
}

describe.skipIf(process.platform !== 'linux')('a systemd unit', () => {
  it('is valid for systemd, for an account and for the machine', async () => {
    const valid = { code: 0, output: '' };
    expect(await verified(systemdUserUnit(facts), 'user')).toEqual(valid);
    expect(
      await verified(systemdSystemUnit(facts, { passphraseFile: '/etc/rotavox/vault-passphrase' }), 'system'),
    ).toEqual(valid);
    const broken = systemdUserUnit(facts).replace('Type=exec', 'Type=execute');
    expect((await verified(broken, 'user')).output).toContain('execute');
  });

  it('for the machine gives systemd no reason to call it exposed', async () => {
    const file = await fileFor(
      'rotavox.service',
      systemdSystemUnit(facts, { passphraseFile: '/etc/rotavox/x' }),
    );
    // In tenths of a point, from 0 (closed) to 100; fails above the threshold.
    await execute('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', file]);
  });

  it('gives the passphrase as a credential, never as an argument', () => {
    const unit = systemdSystemUnit(facts, { passphraseFile: '/etc/rotavox/vault-passphrase' });
    expect(unit).toContain('LoadCredential=vault-passphrase:/etc/rotavox/vault-passphrase\n');
    expect(unit).toContain('Environment=ROTAVOX_VAULT_PASSPHRASE_FILE=%d/vault-passphrase\n');
    expect(systemdSystemUnit(facts, { passphraseFile: null })).not.toContain('passphrase');
  });

  it('passes every character of its arguments on', () => {
    const line = systemdUserUnit(facts)
      .split('\n')
      .find((one) => one.startsWith('ExecStart='))!;
    expect(line.endsWith(String.raw`"serve" "/data of \"me\" & <you>" "100 %%n $$HOME \\" "a\x0ab"`)).toBe(
      true,
    );
  });

  it('has an account that systemd-sysusers accepts', async () => {
    const file = await fileFor('rotavox.conf', systemAccountDefinition);
    const root = join(file, '..');
    await execute('systemd-sysusers', [`--root=${root}`, '--dry-run', file]);
  });
});

/** The texts of the elements of an XML document, unescaped. */
function textsOf(xml: string, element: string): string[] {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) =>
    text!.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '?'),
  );
}

describe('a launchd agent', () => {
  it('has every argument and the file for messages', () => {
    const strings = textsOf(launchdAgent(facts), 'string');
    expect(strings).toEqual(['com.rotavox.service', ...facts.command, facts.logFile]);
  });
});

describe('a Windows task', () => {
  it('has the arguments in one line, quoted as Windows splits it', () => {
    const command = [
      String.raw`C:\Program Files\node.exe`,
      'serve',
      String.raw`C:\my data` + '\\',
      'say "hi"',
      '',
    ];
    expect(textsOf(windowsTask({ ...facts, command }), 'Arguments')).toEqual([
      String.raw`--headless "C:\Program Files\node.exe" serve "C:\my data\\" "say \"hi\"" ""`,
    ]);
  });
});
