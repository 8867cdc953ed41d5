import { describe, expect, it } from 'vitest';
import type { UpdateProblem, UpdateState } from '../../src/contract/service/update.ts';
import { updateNotice, updateProblemText, updateStateText } from '../../src/text/service/updates-text.ts';
import { stackOf, withoutSecrets } from '../../src/text/service/stack-of.ts';
import {
  backgroundServiceProblem,
  type BackgroundServiceProblem,
} from '../../src/text/cli/cli-background-service.ts';

const problem: UpdateProblem = { code: 'disk_full' };

describe('the notice about updates', () => {
  const told: [UpdateState, string, string][] = [
    [
      { kind: 'current', checkedAt: '2026-11-21T12:30:00.000Z', asked: true },
      'is up to date',
      'no newer version',
    ],
    [{ kind: 'available', version: '0.2.0', asked: true }, '0.2.0 is available', 'Download it'],
    [{ kind: 'ready', version: '0.2.0' }, '0.2.0 is downloaded', 'Restart'],
    [{ kind: 'failed', step: 'check', problem, asked: true }, 'not check', 'space'],
    [{ kind: 'failed', step: 'download', problem, asked: true }, 'not download', 'space'],
    [{ kind: 'failed', step: 'install', problem, asked: true }, 'not install', 'space'],
  ];
  it.each(told)('tells of %j', (state, title, body) => {
    expect(updateNotice(state)).toEqual({
      title: expect.stringContaining(title) as unknown,
      body: expect.stringContaining(body) as unknown,
    });
  });

  const untold: UpdateState[] = [
    { kind: 'off' },
    { kind: 'cannot', why: { code: 'checkout' } },
    { kind: 'idle' },
    { kind: 'checking', asked: true },
    { kind: 'current', checkedAt: '2026-11-21T12:30:00.000Z', asked: false },
    { kind: 'available', version: '0.2.0', asked: false },
    { kind: 'downloading', version: '0.2.0', percent: 3 },
    { kind: 'installing', version: '0.2.0' },
    { kind: 'failed', step: 'check', problem, asked: false },
  ];
  it.each(untold)('is none for %j', (state) => {
    expect(updateNotice(state)).toBeNull();
  });
});

describe('the sentence about the state of updates', () => {
  const states: Record<UpdateState['kind'], UpdateState> = {
    off: { kind: 'off' },
    cannot: { kind: 'cannot', why: { code: 'checkout' } },
    idle: { kind: 'idle' },
    checking: { kind: 'checking', asked: true },
    current: { kind: 'current', checkedAt: '2026-11-21T12:00:00.000Z', asked: true },
    available: { kind: 'available', version: '0.2.0', asked: true },
    downloading: { kind: 'downloading', version: '0.2.0', percent: 40 },
    ready: { kind: 'ready', version: '0.2.0' },
    installing: { kind: 'installing', version: '0.2.0' },
    failed: { kind: 'failed', step: 'check', problem, asked: true },
  };

  it.each(Object.values(states))('is complete and names the version: $kind', (state) => {
    const text = updateStateText(state);
    expect(text).toMatch(/^[A-Z].*\.$/);
    if ('version' in state) expect(text).toContain(state.version);
  });

  it('differs for every state', () => {
    const texts = Object.values(states).map(updateStateText);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each([
    [{ code: 'checkout' }, 'Update the checkout'],
    [{ code: 'macos' }, 'manually'],
    [{ code: 'no_key' }, 'without a key'],
    [{ code: 'unpacked' }, 'Replace the folder'],
    [
      { code: 'read_only', file: '/opt/Rotavox.AppImage' },
      'is /opt/Rotavox.AppImage, in a folder that you may not',
    ],
    [{ code: 'package', format: 'deb' }, 'installed as a deb package'],
  ] as const)('says why a copy cannot update itself and what to do: %j', (why, expected) => {
    expect(updateStateText({ kind: 'cannot', why })).toContain(expected);
  });
});

describe('the text about a failed step', () => {
  const feed = 'updates.example.com';
  const problems: { readonly [C in UpdateProblem['code']]: UpdateProblem & { readonly code: C } } = {
    no_list: { code: 'no_list', feed },
    no_file: { code: 'no_file', feed },
    unsigned: { code: 'unsigned', feed },
    wrong_signature: { code: 'wrong_signature' },
    unknown_list: { code: 'unknown_list' },
    older_version: { code: 'older_version', version: '0.0.9', running: '0.1.0' },
    timeout: { code: 'timeout', feed },
    denied: { code: 'denied', feed, status: 401 },
    feed_failed: { code: 'feed_failed', feed, status: 502 },
    way: { code: 'way', feed, failure: { code: 'proxy_invalid', source: 'HTTPS_PROXY', problem: 'socks' } },
    connection_lost: { code: 'connection_lost', feed, error: 'ERR_CONNECTION_RESET' },
    unreachable: { code: 'unreachable', feed, error: 'ERR_CONNECTION_REFUSED' },
    wrong_file: { code: 'wrong_file' },
    disk_full: { code: 'disk_full' },
    feed_changed: { code: 'feed_changed' },
    not_started: { code: 'not_started' },
    no_file_for_system: { code: 'no_file_for_system', version: '0.2.0', system: 'linux arm64' },
    not_writable: { code: 'not_writable', error: 'EROFS' },
    not_replaced: { code: 'not_replaced', file: '/opt/Rotavox.AppImage', error: 'EACCES' },
    unexpected: { code: 'unexpected', detail: 'boom' },
  };

  it.each(Object.values(problems))('says what failed and what to do, with every parameter: $code', (one) => {
    const text = updateProblemText(one);
    expect(text).toMatch(/^[A-Z][^\n]*\. [A-Z][^\n]*\.$/);
    const { code: _code, ...parameters } = one;
    for (const value of Object.values(parameters)) {
      expect(text).toContain(
        typeof value === 'string' || typeof value === 'number' ? String(value) : 'HTTPS_PROXY',
      );
    }
  });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

it.each([
  ['a short text', '{"a":s3cret'],
  ['a text with quotation marks and line breaks', 's3cret "x"\n"y"'],
  ['a long text', 's3cret '.repeat(50)],
])('says nothing of what a parser could not read: %s', (_, text) => {
  const told = stackOf(new Error('outside', { cause: parseError(text) }));
  expect(told).toContain('is not valid JSON');
  expect(told).not.toContain('s3cret');
  expect(told).toContain('because of: SyntaxError');
});

it('hides tokens, values of a query and what authorises a call, and leaves the rest', () => {
  expect(withoutSecrets('GET /x?code=abc&a=b with Bearer abcdefgh12 and rvx_abcdefgh12, "here"')).toBe(
    'GET /x?code=••••&a=•••• with Bearer •••• and rvx_••••, "here"',
  );
});

it('has a text for what is no error', () => {
  expect(stackOf('plain')).toBe('plain');
  expect(stackOf(Object.create(null))).toBe('object');
});

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
