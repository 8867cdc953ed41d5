import { describe, expect, it } from 'vitest';
import type { IvrDocument, MenuNode } from '../../../../src/contract/ivr-draft.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

const { reception } = receptionDocument.nodes as Record<string, MenuNode>;

function withReception(change: Partial<MenuNode>): IvrDocument {
  const nodes = { ...receptionDocument.nodes, reception: { ...reception, ...change } };
  return { ...receptionDocument, nodes };
}

function problemsOf(document: IvrDocument) {
  const compiled = compileDraft(document);
  return compiled.ok ? [] : compiled.refusal;
}

const key = { key: '1', to: 'desk', sms_template: null } as MenuNode['keys'][number];

describe('compiling a drawing', () => {
  it('makes a flow with every menu of it, in its order', () => {
    const compiled = compileDraft(receptionDocument);
    expect(compiled).toMatchObject({ ok: true, value: { start: 'reception' } });
    if (!compiled.ok) return;
    expect([...compiled.value.menus.keys()]).toEqual(['reception', 'sales']);
    expect(compiled.value.menus.get(reception?.id as never)).toMatchObject({
      name: 'Reception',
      timeoutSeconds: 5,
      keys: new Map([
        [
          '1',
          { to: { kind: 'destination', destination: 'extension||100', node: 'desk' }, smsTemplate: null },
        ],
        ['2', { to: { kind: 'menu', menu: 'sales' }, smsTemplate: '31' }],
        ['9', { to: { kind: 'destination', destination: 'hangup', node: 'bye' }, smsTemplate: null }],
      ]),
      wrongKey: { recording: 'recording||2', retries: 1 },
      silence: { retries: 2, retryRecording: 'recording||3', lastRecording: 'recording||4' },
    });
  });

  it.each<[string, Partial<MenuNode>, string, string, string | null, string]>([
    ['no name', { name: '' }, 'field_open', 'name', 'name', 'Give this menu a name.'],
    [
      'no recording',
      { recording: null },
      'field_open',
      'recording',
      'recording',
      'Choose what “Reception” plays first.',
    ],
    [
      'a blank recording',
      { recording: '' },
      'field_open',
      'recording',
      'recording',
      'Choose what “Reception” plays first.',
    ],
    [
      'a recording of an unknown type',
      { recording: 'extension||1' },
      'field_not_allowed',
      'recording',
      'recording',
      'recording of “Reception” must be written <type>||<id>',
    ],
    [
      'too long a wait',
      { timeout: 121 },
      'field_not_allowed',
      'timeout',
      'timeout',
      'timeout of “Reception” must be a whole number of seconds from 1 to 120.',
    ],
    [
      'tries that are open',
      { timeout_tries: null },
      'field_open',
      'timeout_tries',
      'timeout_tries',
      'Say how often “Reception” begins again after silence.',
    ],
    [
      'too long a description',
      { description: 'x'.repeat(1001) },
      'field_not_allowed',
      'description',
      'description',
      'description of “Reception” must be a text of 0 to 1000 characters.',
    ],
    ['no key', { keys: [] }, 'no_keys', 'keys', 'option', 'Add a key to “Reception”'],
    [
      'a key that no telephone has',
      { keys: [key, { ...key, key: '12' }] },
      'key_not_allowed',
      'keys.1.key',
      'option[1]',
      'No caller can press “12” in “Reception”',
    ],
    [
      'a key twice',
      { keys: [key, { ...key, key: '2' }, key] },
      'key_twice',
      'keys.2.key',
      'option[2]',
      'Key 1 is in “Reception” twice.',
    ],
    [
      'a key without a line',
      { keys: [key, { ...key, key: '2', to: null }] },
      'destination_open',
      'keys.1.to',
      'destination[1]',
      'Draw a line from key 2 of “Reception” or remove the key.',
    ],
    [
      'a line to what is gone',
      { timeout_destination: 'constructor' as MenuNode['timeout_destination'] },
      'node_unknown',
      'timeout_destination',
      'timeout_destination',
      'This line leads to what is not there any more. Draw a line from the silence of “Reception”.',
    ],
    [
      'an SMS template with too long an id',
      { keys: [{ ...key, sms_template: 'x'.repeat(201) }] },
      'field_not_allowed',
      'keys.0.sms_template',
      'sms_template[0]',
      'The SMS template of key 1 of “Reception” must be an id of at most 200 characters.',
    ],
  ])('says of %s where it is and what to do', (_what, change, code, at, field, message) => {
    expect(problemsOf(withReception(change))).toEqual([
      {
        code,
        severity: 'error',
        path: `nodes.reception.${at}`,
        node: 'reception',
        field,
        scenario: null,
        message: expect.stringContaining(message) as unknown,
      },
    ]);
  });

  it('says everything at once', () => {
    const problems = problemsOf(withReception({ recording: null, keys: [], timeout_destination: null }));
    expect(problems.map(({ code }) => code)).toEqual(['field_open', 'no_keys', 'destination_open']);
  });

  it('refuses a thirteenth key', () => {
    const keys = '0123456789*#1'.split('').map((one) => ({ ...key, key: one }));
    expect(problemsOf(withReception({ keys })).map(({ code, path }) => [code, path])).toEqual([
      ['field_not_allowed', 'nodes.reception.keys'],
      ['key_twice', 'nodes.reception.keys.12.key'],
    ]);
  });

  it('says what is wrong with an end once, at the end, and only when a line leads to it', () => {
    const withDesk = (ref: string, to = 'desk'): IvrDocument =>
      ({
        ...withReception({ keys: [{ ...key, to: to as typeof key.to }] }),
        nodes: {
          ...withReception({ keys: [key] }).nodes,
          desk: { ...receptionDocument.nodes['desk' as never], ref },
        },
      }) as IvrDocument;
    expect(problemsOf(withDesk(''))).toMatchObject([
      { code: 'field_open', path: 'nodes.desk.ref', node: 'desk', field: null },
    ]);
    expect(problemsOf(withDesk('1||2'))).toMatchObject([
      { code: 'field_not_allowed', path: 'nodes.desk.ref' },
    ]);
    const unused = {
      ...receptionDocument.nodes,
      spare: { ...receptionDocument.nodes['desk' as never], id: 'spare', ref: '' },
    };
    expect(problemsOf({ ...receptionDocument, nodes: unused })).toEqual([]);
  });

  it('asks for the menu that a call meets first', () => {
    const start = (to: string | null) =>
      problemsOf({ ...receptionDocument, caller: { ...receptionDocument.caller, to } } as IvrDocument);
    const message = 'The caller is connected with no menu. Draw a line, to “Reception” for example.';
    expect(start(null)).toMatchObject([{ code: 'no_start', path: 'caller.to', node: null, message }]);
    expect(start('desk')).toMatchObject([{ code: 'no_start', message }]);
    expect(start('gone')).toMatchObject([{ code: 'node_unknown', message }]);
    expect(problemsOf({ ...receptionDocument, nodes: {} })).toMatchObject([
      { code: 'node_unknown', message: expect.stringContaining('Add one') as unknown },
    ]);
  });
});
