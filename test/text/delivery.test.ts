import { describe, expect, it } from 'vitest';
import type { DeliveryFinding } from '../../src/contract/credential/delivery-finding.ts';
import type { DeliveryProblem } from '../../src/contract/credential/delivery-problem.ts';
import { deliveryFindingsText, deliveryProblemText } from '../../src/text/credential/delivery.ts';
import { expectSentences, type OneEach } from './problems.ts';

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
  too_many_variables: { code: 'too_many_variables', path, limit: 10_000 },
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
