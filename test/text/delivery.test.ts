import { describe, expect, it } from 'vitest';
import type { DeliveryFinding } from '../../src/contract/credential/delivery-finding.ts';
import type { DeliveryProblem } from '../../src/contract/credential/delivery-problem.ts';
import { deliveryFindingsText, deliveryProblemText } from '../../src/text/credential/delivery.ts';
import { expectSentences, type OneEach } from './problems.ts';
import { type ProxyRefusalCode, proxyRefusals } from '../../src/contract/credential/proxy.ts';
import { proxyRefusalText, ruleText, trialText } from '../../src/text/credential/proxy-text.ts';
import { credentialListRow, credentialRows, credentialText } from '../../src/text/cli/cli-credential.ts';
import { eventDetail } from '../../src/text/window/events.ts';
import { partText, rowText, standingText } from '../../src/text/window/lifeline-text.ts';
import { credentialExpiryText } from '../../src/text/window/tray.ts';
import { localTime } from '../../src/text/time.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { credentialRow, noonMs } from '../renderer/overview/rows.ts';

const path = '/srv/app/.env';
const place = path;
const variable = 'TOKEN';
const entry = { service: 'billing-app', account: 'api' };
const locked = { code: 'keychain_locked', platform: 'linux' } as const;

const problems: OneEach<DeliveryProblem> = {
  own_file: { code: 'own_file', path, own: '/data' },
  not_absolute: { code: 'not_absolute', path },
  not_ordinary: { code: 'not_ordinary', path },
  is_folder: { code: 'is_folder', path },
  is_device: { code: 'is_device', path },
  too_large: { code: 'too_large', path },
  changed_meanwhile: { code: 'changed_meanwhile', path },
  file_read_back: { code: 'file_read_back', path },
  owner_differs: { code: 'owner_differs', place, uid: '1234', gid: '4321' },
  file_system: { code: 'file_system', path, systemCode: 'ENOENT' },
  not_quotable: { code: 'not_quotable', path, variable },
  quotes_open: { code: 'quotes_open', path, variable },
  not_text: { code: 'not_text', path },
  no_such_account: { code: 'no_such_account', path, wanted: 'web' },
  owner_not_allowed: { code: 'owner_not_allowed', path, wanted: 'web' },
  not_dotenv: { code: 'not_dotenv', path, line: 3 },
  more_on_line: { code: 'more_on_line', path, variable: 'TOKEN', line: 3 },
  goes_on: { code: 'goes_on', path, variable, line: 3 },
  encrypted: { code: 'encrypted', path, variable, line: 3 },
  too_many_variables: { code: 'too_many_variables', path, limit: 10_000 },
  setting: { code: 'setting', reason: 'missing', path, key: 'a.b', line: 3 },
  own_entry: { code: 'own_entry', ...entry },
  no_keychain: { code: 'no_keychain', ...entry },
  entry_read_back: { code: 'entry_read_back', ...entry },
  entry_not_written: { code: 'entry_not_written', ...entry, problem: locked },
  entry_not_readable: { code: 'entry_not_readable', ...entry, problem: locked },
  variable_not_allowed: { code: 'variable_not_allowed', program: 'reload', variable: 'PATH' },
  nul_in_token: { code: 'nul_in_token', program: 'reload' },
  hook: { code: 'hook', program: 'reload', end: { kind: 'exited', exitCode: 3 }, output: '' },
  stopped: { code: 'stopped' },
  no_current_token: { code: 'no_current_token', name: 'crm' },
  vault: { code: 'vault', problem: locked },
  internal: { code: 'internal' },
};

describe('a problem of a delivery', () => {
  it.each(Object.values(problems))('is said in whole sentences that name the place: $code', (problem) => {
    const text = deliveryProblemText(problem);
    expectSentences(text);
    if ('path' in problem || 'place' in problem) expect(text).toContain(path);
    if ('program' in problem) expect(text).toContain(problem.program);
    if ('account' in problem) expect(text).toContain('service “billing-app”, account “api”');
  });

  it.each([
    ['ENOENT', 'does not exist. Create it'],
    ['ENOTDIR', 'not a folder'],
    ['EACCES', 'may not read it'],
    ['EPERM', 'may not read it'],
    ['EROFS', 'read-only'],
    ['ENOSPC', 'is full'],
    ['EDQUOT', 'quota'],
    ['ENAMETOOLONG', 'too long'],
    ['ELOOP', 'loop'],
    ['EBUSY', 'in use'],
    ['EIO', 'could not be replaced (EIO)'],
  ])('says what the code %s of the system means', (systemCode, words) => {
    const text = deliveryProblemText({ code: 'file_system', path, systemCode });
    expectSentences(text);
    expect(text).toContain(words);
  });

  it.each<Extract<DeliveryProblem, { code: 'setting' }>['reason']>([
    'not_parsed',
    'missing',
    'no_room',
    'not_text',
    'shared',
    'duplicate',
    'several_lines',
    'comment',
    'reference',
    'encrypted',
    'encrypted_file',
    'several_documents',
    'not_utf8',
    'too_large',
    'unwritable',
  ])('says where and why a value of a settings file is not set: %s', (reason) => {
    const text = deliveryProblemText({ code: 'setting', reason, path, key: 'a.b', line: 3 });
    expectSentences(text);
    expect(text).toContain(`${path}, line 3`);
    expect(text).toMatch(/Nothing was changed\.$/);
  });

  it.each<[Extract<DeliveryProblem, { code: 'hook' }>['end'], string]>([
    [{ kind: 'exited', exitCode: 3 }, 'The command reload ended with exit code 3.'],
    [{ kind: 'killed', signal: 'SIGKILL' }, 'The command reload was ended by SIGKILL.'],
    [{ kind: 'not_started', systemCode: 'ENOENT' }, 'The command reload was not found'],
    [{ kind: 'not_started', systemCode: 'EACCES' }, 'chmod +x'],
    [{ kind: 'not_started', systemCode: 'E2BIG' }, 'could not be started (E2BIG)'],
    [{ kind: 'time_limit', seconds: 30 }, 'did not end within 30 s'],
    [{ kind: 'stopped' }, 'because Rotavox is stopping'],
  ])('says how a command ended: %j', (end, words) => {
    const text = deliveryProblemText({ code: 'hook', program: 'reload', end, output: 'no host' });
    expect(text).toContain(words);
    expect(text).toMatch(/ It printed: “no host”\.$/);
  });
});

const findings: OneEach<DeliveryFinding> = {
  impossible: { code: 'impossible', problem: problems.is_folder },
  target_exists: { code: 'target_exists', name: 'crm' },
  target_taken: { code: 'target_taken', name: 'crm' },
  nothing_to_deliver: { code: 'nothing_to_deliver', problem: problems.no_current_token },
  token_unusable: { code: 'token_unusable', problem: { code: 'blacklisted' } },
  file_unchanged: { code: 'file_unchanged', place },
  file_created: { code: 'file_created', place },
  file_replaced: { code: 'file_replaced', place, lineCount: 2 },
  variable_created: { code: 'variable_created', place, variable },
  variable_unchanged: { code: 'variable_unchanged', place, variable, lines: [2] },
  variable_added: { code: 'variable_added', place, variable, lines: [3], needsLineBreak: true },
  variable_changed: { code: 'variable_changed', place, variable, lines: [1, 3], changed: [1, 3] },
  setting_unchanged: { code: 'setting_unchanged', place, key: 'a.b', line: 3 },
  setting_changed: { code: 'setting_changed', place, key: 'a.b', line: 3 },
  setting_added: { code: 'setting_added', place, key: 'a.b', line: 3 },
  setting_created: { code: 'setting_created', place, key: 'a.b' },
  line_keeps: { code: 'line_keeps', quote: '"', parts: ['export', 'quotes', 'comment'] },
  line_gets_quotes: { code: 'line_gets_quotes', quote: "'" },
  lines_joined: { code: 'lines_joined', line: 1, lineCount: 3 },
  rest_unchanged: { code: 'rest_unchanged' },
  through_link: { code: 'through_link', path: '/srv/link' },
  written_in_place: { code: 'written_in_place', reason: 'mount' },
  mode_kept: { code: 'mode_kept', mode: '640' },
  readable_by_others: { code: 'readable_by_others', place: path },
  entry_unchanged: { code: 'entry_unchanged', ...entry },
  entry_replaced: { code: 'entry_replaced', ...entry },
  entry_created: { code: 'entry_created', ...entry },
  command_found: {
    code: 'command_found',
    program: '/bin/reload',
    argumentCount: 2,
    seconds: 30,
    variable: null,
  },
};

describe('what a preview of a delivery found', () => {
  it.each(Object.values(findings))('is said in whole sentences: $code', (finding) => {
    const text = deliveryFindingsText([finding]);
    expectSentences(text);
    if ('place' in finding) expect(text).toContain(place);
  });

  it.each<[DeliveryFinding, string]>([
    [
      findings.variable_changed,
      `In ${path}, TOKEN is set on lines 1 and 3; readers use the last one. Lines 1 and 3 will change, so that no old token is left.`,
    ],
    [
      { code: 'variable_changed', place, variable, lines: [2], changed: [2] },
      `In ${path}, line 2 will change: TOKEN gets the new token.`,
    ],
    [
      findings.variable_added,
      `TOKEN is not in ${path} yet. It will be added at the end, as line 3, after a line break.`,
    ],
    [findings.line_keeps, 'The line keeps its export prefix, its double quotes and its comment.'],
    [
      findings.line_gets_quotes,
      'It gets single quotes, which this token needs. Readers that know no quotes, such as env files of Docker, take them as part of the token: use a file or a command there.',
    ],
    [
      { code: 'file_replaced', place, lineCount: 0 },
      `Everything in ${path} (empty now) will be replaced by the token and a line break.`,
    ],
    [
      { code: 'file_replaced', place, lineCount: 1 },
      `Everything in ${path} (1 line now) will be replaced by the token and a line break.`,
    ],
    [
      findings.command_found,
      '/bin/reload will be run with 2 arguments, without a shell, for at most 30 s. It gets the token on stdin, never as an argument. It was found and may be run; it was not run now.',
    ],
    [
      { code: 'readable_by_others', place: '/srv/my app/.env' },
      "Other users of this machine can read it. To keep it to its owner, run:\nchmod 600 '/srv/my app/.env'",
    ],
    [
      { code: 'token_unusable', problem: { code: 'blacklisted' } },
      'There is no token to deliver now. The token is blacklisted. It cannot be used again.',
    ],
  ])('%j', (finding, sentence) => {
    expect(deliveryFindingsText([finding])).toBe(sentence);
  });

  it('is one text of all findings, in their order; what was not run says so', () => {
    const none = { code: 'impossible', problem: problems.hook } as const;
    expect(deliveryFindingsText([none, findings.rest_unchanged])).toBe(
      `${deliveryProblemText(problems.hook)} Nothing was run. Everything else in the file stays as it is.`,
    );
  });
});

const codes = Object.keys(proxyRefusals) as ProxyRefusalCode[];
const trial = { requests: 30, allowed: 12, newly_allowed: 3, forbidden: 0, routes: [], names_rights: [] };

describe('a refusal of the proxy', () => {
  it.each(codes)('says why, in whole sentences: %s', (code) => {
    for (const context of [
      {},
      {
        method: 'POST',
        credential: 'gitlab',
        app: 'agent',
        service: 'gitlab.com',
        because: 'The token has expired.',
      },
    ]) {
      const { title, detail } = proxyRefusalText(code, context);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expectSentences(detail.replace('(..)', 'x'));
    }
  });

  it('names what it is about', () => {
    const context = { app: 'agent', credential: 'gitlab' };
    expect(proxyRefusalText('not_allowed', context).detail).toBe(
      'No rule allows agent to send this request. Do not repeat it: ask the owner of “gitlab” to add a rule.',
    );
    const request = { ...context, method: 'POST', route: '/projects/*' };
    expect(proxyRefusalText('not_allowed', request).detail).toContain('to send POST /projects/*. ');
  });
});

describe('what a rule would have allowed', () => {
  it.each([
    [trial, 'This would have allowed 12 of the 30 requests of the last 24 hours, 3 of which were refused.'],
    [
      { ...trial, newly_allowed: 1, forbidden: 2 },
      'This would have allowed 12 of the 30 requests of the last 24 hours, 1 of which was refused. 2 requests can never be allowed.',
    ],
    [
      { ...trial, newly_allowed: 0 },
      'This would have allowed 12 of the 30 requests of the last 24 hours, none of which was refused.',
    ],
    [
      { ...trial, allowed: 0, newly_allowed: 0 },
      'This would have allowed none of the 30 requests of the last 24 hours.',
    ],
    [
      { ...trial, requests: 0, allowed: 0 },
      'No request was made in the last 24 hours, so there is nothing to compare with.',
    ],
  ])('%j', (seen, text) => {
    expect(trialText(seen)).toBe(text);
  });

  it('is a rule in one line', () => {
    expect(ruleText({ method: 'GET', path: '/api/**', private_network: false })).toBe('GET /api/**');
    expect(ruleText({ method: '*', path: '/', private_network: true })).toBe('* / (private network)');
    const both = { method: '*', path: '/', private_network: true, scrub: true } as const;
    expect(ruleText(both)).toBe('* / (private network, answers searched)');
  });
});

const at = '2026-11-28T12:00:00.000Z';
const nowMs = Date.parse('2026-11-25T12:00:00.000Z');
const viewWith = (expiry_assumed?: 'not_said' | 'never' | 'not_usable') =>
  credentialView({ expires_at: at, ...(expiry_assumed === undefined ? {} : { expiry_assumed }) });

describe('an expiry that nobody has said', () => {
  it.each([
    [undefined, `${localTime(at)} (3 d left)`],
    ['not_said', `about ${localTime(at)} (3 d left), assumed: the service does not say`],
    ['never', `about ${localTime(at)} (3 d left), assumed: the service says that it never expires`],
    ['not_usable', `about ${localTime(at)} (3 d left), assumed: what the service says cannot be right`],
  ] as const)('is called assumed on the command line, with the reason (%s)', (assumed, expected) => {
    const view = viewWith(assumed);
    expect(credentialRows(view, nowMs)).toContainEqual(['Expires', expected]);
    expect(credentialListRow(view, nowMs)[2]).toBe(assumed === undefined ? '3 d' : 'about 3 d');
  });

  it('is called so after a rotation and in the tray', () => {
    const view = viewWith('not_said');
    expect(credentialText.rotated(view, nowMs)).toContain(
      `which expires about ${localTime(at)}, assumed: the service does not say; next rotation: `,
    );
    expect(credentialExpiryText(view, () => 'Saturday 12:00', nowMs)).toBe(
      'Expires about Saturday 12:00 (assumed)',
    );
    expect(credentialExpiryText(viewWith(), () => 'Saturday 12:00', nowMs)).toBe('Expires Saturday 12:00');
  });

  it('is called so in the lifeline', () => {
    const row = credentialRow({ state: 'reminder', expiry_assumed: true });
    expect(standingText(row, noonMs)).toMatch(/^Not rotated, expires about .* \(assumed\)$/);
    expect(rowText(row, noonMs)).toMatch(/Token 4 since .*, expires about .* \(assumed\)\./);
    const { facts } = partText(row, { kind: 'token', place: row.generations.length - 1 }, noonMs);
    expect(facts).toContainEqual(['Expires', expect.stringMatching(/^about .* \(assumed\)$/)]);
    const earlier = partText(row, { kind: 'token', place: 0 }, noonMs);
    expect(JSON.stringify(earlier.facts)).not.toContain('assumed');
  });

  it('is called so in the history', () => {
    const event = {
      seq: 1,
      at,
      kind: 'credential.rotated',
      subject: 'cred_a',
      actor: { kind: 'system' },
      data: { credential_id: 'cred_a', generation: 2, expires_at: at, expiry_assumed: 'not_said' },
    } as const;
    expect(eventDetail(event)).toBe('token 2 · expiry assumed: the service does not say');
    expect(eventDetail({ ...event, data: { ...event.data, expiry_assumed: undefined } })).toBe('token 2');
  });
});
