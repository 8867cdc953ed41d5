import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IvrDocument, MenuNode } from '../../../../src/contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../../src/contract/menu/ivr-problem.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';
import type { Ivr, IvrId } from '../../../../src/contract/menu/ivr.ts';
import { ivrPage } from '../../../../src/core/ivr/ivr-page.ts';
import { State } from '../../../../src/core/state.ts';

const { reception } = receptionDocument.nodes as Record<string, MenuNode>;

function withReception(change: Partial<MenuNode>): IvrDocument {
  const nodes = { ...receptionDocument.nodes, reception: { ...reception, ...change } };
  return { ...receptionDocument, nodes };
}

function problemsOf(document: IvrDocument) {
  const compiled = compileDraft(document, {});
  return compiled.ok ? [] : compiled.refusal;
}

const key = { key: '1', to: 'desk', sms_template: null } as MenuNode['keys'][number];

describe('compiling a drawing', () => {
  it('makes a flow with every menu of it, in its order', () => {
    const compiled = compileDraft(receptionDocument, {});
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
      timeout: { retries: 2, retryRecording: 'recording||3', lastRecording: 'recording||4' },
    });
  });

  const menu = 'Reception';
  it.each<[string, Partial<MenuNode>, string, string | null, Pick<IvrProblem, 'code' | 'params'>]>([
    [
      'no name',
      { name: '' },
      'name',
      'name',
      { code: 'field_open', params: { of: 'menu', menu: '', field: 'name' } },
    ],
    [
      'no recording',
      { recording: null },
      'recording',
      'recording',
      { code: 'field_open', params: { of: 'menu', menu, field: 'recording' } },
    ],
    [
      'a blank recording',
      { recording: '' },
      'recording',
      'recording',
      { code: 'field_open', params: { of: 'menu', menu, field: 'recording' } },
    ],
    [
      'a recording of an unknown type',
      { recording: 'extension||1' },
      'recording',
      'recording',
      {
        code: 'field_not_allowed',
        params: { of: 'menu', menu, field: 'recording', value: 'extension||1' },
      },
    ],
    [
      'too long a wait',
      { timeout: 121 },
      'timeout',
      'timeout',
      {
        code: 'field_not_allowed',
        params: {
          of: 'menu',
          menu,
          field: 'timeout',
          value: 121,
        },
      },
    ],
    ['no key', { keys: [] }, 'keys', 'option', { code: 'no_keys', params: { menu } }],
    [
      'a key that no telephone has',
      { keys: [key, { ...key, key: '1#' }] },
      'keys.1.key',
      'option[1]',
      { code: 'key_not_allowed', params: { menu, key: '1#' } },
    ],
    [
      'a key twice',
      { keys: [key, { ...key, key: '2' }, key] },
      'keys.2.key',
      'option[2]',
      { code: 'key_twice', params: { menu, key: '1' } },
    ],
    [
      'a key without a line',
      { keys: [key, { ...key, key: '2', to: null }] },
      'keys.1.to',
      'destination[1]',
      { code: 'destination_open', params: { menu, way: { kind: 'key', key: '2' } } },
    ],
    [
      'a wrong key without a line',
      { invalid_destination: null },
      'invalid_destination',
      'invalid_destination',
      { code: 'destination_open', params: { menu, way: { kind: 'wrong_key' } } },
    ],
    [
      'a line to what is gone',
      { timeout_destination: 'constructor' as MenuNode['timeout_destination'] },
      'timeout_destination',
      'timeout_destination',
      { code: 'node_unknown', params: { from: 'menu', menu, way: { kind: 'silence' } } },
    ],
    [
      'an SMS template with too long an id',
      { keys: [{ ...key, sms_template: 'x'.repeat(201) }] },
      'keys.0.sms_template',
      'sms_template[0]',
      { code: 'field_not_allowed', params: { of: 'sms_template', menu, key: '1', longest: 200 } },
    ],
  ])('finds %s, with its place', (_what, change, at, field, finding) => {
    expect(problemsOf(withReception(change))).toEqual([
      {
        ...finding,
        severity: 'error',
        path: `nodes.reception.${at}`,
        node: 'reception',
        field,
        scenario: null,
      },
    ]);
  });

  it.each<[Partial<MenuNode>, string]>([
    [{ timeout_tries: null }, 'field_open'],
    [{ description: 'x'.repeat(1001) }, 'field_not_allowed'],
  ])('finds what is wrong in %j', (change, code) => {
    const [field] = Object.keys(change);
    expect(problemsOf(withReception(change))).toMatchObject([
      { code, path: `nodes.reception.${field}`, params: { of: 'menu', field } },
    ]);
  });

  it('says everything at once', () => {
    const problems = problemsOf(withReception({ recording: null, keys: [], timeout_destination: null }));
    expect(problems.map(({ code }) => code)).toEqual(['field_open', 'no_keys', 'destination_open']);
  });

  it('refuses a key beyond the 24 that a menu can have', () => {
    const keys = [...Array.from({ length: 24 }, (_, place) => String(place + 10)), '10'].map((one) => ({
      ...key,
      key: one,
    }));
    expect(problemsOf(withReception({ keys })).map(({ code, path }) => [code, path])).toEqual([
      ['field_not_allowed', 'nodes.reception.keys'],
      ['key_twice', 'nodes.reception.keys.24.key'],
    ]);
  });

  it('says what is wrong with an end once, at the end, and only when a line leads to it', () => {
    const withPort = (ref: string, to = 'desk'): IvrDocument =>
      ({
        ...withReception({ keys: [{ ...key, to: to as typeof key.to }] }),
        nodes: {
          ...withReception({ keys: [key] }).nodes,
          desk: { ...receptionDocument.nodes['desk' as never], ref },
        },
      }) as IvrDocument;
    expect(problemsOf(withPort(''))).toMatchObject([
      { code: 'field_open', path: 'nodes.desk.ref', node: 'desk', field: null },
    ]);
    expect(problemsOf(withPort('1||2'))).toMatchObject([
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
    const first = 'Reception';
    expect(start(null)).toMatchObject([
      { code: 'no_start', path: 'caller.to', node: null, params: { first } },
    ]);
    expect(start('desk')).toMatchObject([{ code: 'no_start', params: { first } }]);
    expect(start('gone')).toMatchObject([{ code: 'node_unknown', params: { from: 'caller', first } }]);
    expect(problemsOf({ ...receptionDocument, nodes: {} })).toMatchObject([
      { code: 'node_unknown', params: { from: 'caller', first: null } },
    ]);
  });
});

function stateOf(count: number, more: Partial<Ivr> = {}): State {
  const state = new State();
  for (let place = 0; place < count; place += 1) {
    const id = `ivr_${place}` as IvrId;
    // Several in the same millisecond.
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(place / 4)).toISOString();
    state.ivrs.set(id, { id, created_at: at, name: `menu ${place}`, ...more } as Ivr);
  }
  return state;
}

function readAll(state: State, limit?: string, meanwhile: (read: number) => void = () => undefined): IvrId[] {
  const ids: IvrId[] = [];
  let cursor: string | undefined;
  do {
    const { ivrs, next } = ivrPage(state, { limit, cursor });
    ids.push(...ivrs.map(({ id }) => id));
    cursor = next ?? undefined;
    meanwhile(ids.length);
  } while (cursor !== undefined);
  return ids;
}

describe('pages of the stored menus', () => {
  it('are one page while they are few and small', () => {
    for (const count of [0, 1, 1000]) {
      const state = stateOf(count);
      expect(ivrPage(state, {})).toEqual({ ivrs: [...state.ivrs.values()], next: null });
    }
    expect(ivrPage(stateOf(1001), {}).ivrs).toHaveLength(1000);
  });

  it('have a bounded size, and one menu at least', () => {
    const state = stateOf(100, { description: 'x'.repeat(100_000) });
    expect(ivrPage(state, {}).ivrs).toHaveLength(10);
    expect(readAll(state)).toEqual([...state.ivrs.keys()]);
    expect(ivrPage(stateOf(2, { description: 'x'.repeat(2_000_000) }), {}).ivrs).toHaveLength(1);
  });

  it('make the list together, each menu once and in order, also while others come', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), (count, limit) => {
        const state = stateOf(count);
        expect(readAll(state, String(limit))).toEqual([...state.ivrs.keys()]);
      }),
    );
  });

  it('leave out no menu that is there all the time, whatever is deleted between them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 39 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 10 }),
        (deleted, limit) => {
          const state = stateOf(40);
          const left = [...deleted];
          const ids = readAll(state, String(limit), () => {
            for (const place of left.splice(0, 3)) state.ivrs.delete(`ivr_${place}` as IvrId);
          });
          expect(ids).toEqual(expect.arrayContaining([...state.ivrs.keys()]));
        },
      ),
    );
  });
});
