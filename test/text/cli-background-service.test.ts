import { describe, expect, it } from 'vitest';
import {
  backgroundServiceProblem,
  type BackgroundServiceProblem,
} from '../../src/text/cli/cli-background-service.ts';

const problems: {
  readonly [C in BackgroundServiceProblem['code']]: BackgroundServiceProblem & { readonly code: C };
} = {
  not_root: { code: 'not_root' },
  system_on_linux_only: { code: 'system_on_linux_only' },
  no_systemd: { code: 'no_systemd' },
  no_user_systemd: { code: 'no_user_systemd' },
  no_keychain: { code: 'no_keychain' },
  installed: { code: 'installed', file: '/etc/systemd/system/rotavox.service' },
  not_installed: { code: 'not_installed', file: '/etc/systemd/system/rotavox.service' },
  running: { code: 'running', dataDir: '/data' },
  port_taken: { code: 'port_taken', port: 7682 },
  not_written: { code: 'not_written', file: '/etc/x', error: 'EROFS' },
  proxy_invalid: { code: 'proxy_invalid', variable: 'HTTPS_PROXY', because: 'It has a path.' },
  certificates_unreadable: { code: 'certificates_unreadable', file: '/root/ca.pem' },
  private_program: { code: 'private_program', file: '/root/node' },
  passphrase_needed: { code: 'passphrase_needed', vaultFile: '/data/vault.json' },
  refused: { code: 'refused', command: 'systemctl enable', reason: 'access denied' },
  not_started: { code: 'not_started', reason: 'the disk is full' },
  not_running: { code: 'not_running', reason: 'the disk is full', program: null },
};

describe('a problem of the background service', () => {
  it.each(Object.values(problems))('is a sentence with every parameter: $code', (problem) => {
    const lines = backgroundServiceProblem(problem);
    const { code: _code, ...parameters } = problem;
    for (const line of lines) expect(line).toMatch(/^[A-Z/-].*[^ ]$/);
    for (const value of Object.values(parameters))
      if (value !== null) expect(lines.join('\n')).toContain(String(value));
  });

  it.each(Object.values(problems).filter(({ code }) => code !== 'not_running'))(
    'says what to do: $code',
    (problem) => {
      expect(backgroundServiceProblem(problem).join(' ')).toMatch(
        /(?:Repeat|Leave|Start|Sign in|See|Install|Quit|Choose|Make sure|Write|Correct)/,
      );
    },
  );

  it('names the program that is missing before any other reason', () => {
    const lines = backgroundServiceProblem({ code: 'not_running', reason: 'x', program: '/opt/node' });
    expect(lines[0]).toContain('/opt/node is missing');
    expect(lines[1]).toContain('rotavox service uninstall');
  });
});
