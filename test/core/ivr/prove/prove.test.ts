import { RoutedType } from '../../../../src/contract/calls/pbx.ts';
import { checkForOtherService } from '../../../../src/core/ivr/prove/check-other-service.ts';
import { describe, expect, it } from 'vitest';
import type { IvrDocument, MenuNode, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { checkDraft } from '../../../../src/core/ivr/check-draft.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { changeMenu, putNode } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { telephoneKeys } from '../../../../src/core/ivr/edit/edit-keys.ts';
import { findCycles } from '../../../../src/core/ivr/prove/prove-exits.ts';
import type { IvrDirectory, KnownSpeech } from '../../../../src/contract/menu/ivr-reference.ts';
import { prove } from '../../../../src/core/ivr/prove/prove.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

const reception = 'reception' as NodeId;
const sales = 'sales' as NodeId;
const desk = 'desk' as NodeId;

const everything: IvrDirectory = {
  recordings: new Set(['1', '2', '3', '4', '5', '6', '7']),
  extensions: new Set(['100', '101']),
  menus: new Set(),
  smsTemplates: new Set(['31']),
  routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
  smsTemplatesEnabled: true,
};

function found(document: IvrDocument, directory: IvrDirectory | null = everything) {
  return checkDraft(document, directory, 0).problems.map(({ severity, code, path }) => [
    severity,
    code,
    path,
  ]);
}

function paramsOf(document: IvrDocument) {
  return checkDraft(document, everything, 0).problems.map(({ params }) => params);
}

function changed(id: NodeId, change: Partial<MenuNode>): IvrDocument {
  return changeMenu(receptionDocument, id, change);
}

describe('a proof', () => {
  it('finds nothing in a clean drawing whose references are all known', () => {
    expect(found(receptionDocument)).toEqual([]);
  });

  it('warns of what the directory does not know, an end once however many lines lead there', () => {
    const nothing: IvrDirectory = {
      recordings: new Set(['1', '2', '3', '5', '6', '7']),
      extensions: new Set(['101']),
      menus: new Set(),
      smsTemplates: new Set(),
      routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
      smsTemplatesEnabled: false,
    };
    expect(found(receptionDocument, nothing)).toEqual([
      ['warning', 'recording_unknown', 'nodes.reception.timeout_recording'],
      ['warning', 'sms_template_unknown', 'nodes.reception.keys.1.sms_template'],
      ['warning', 'sms_setting_off', 'nodes.reception.keys.1.sms_template'],
      ['warning', 'extension_unknown', 'nodes.desk.ref'],
    ]);
    expect(found(receptionDocument, null)).toEqual([]);
  });

  it('warns of a recording that is not here as the telephone systems say, and not where one has the sound', () => {
    const prompt = 'recording||custom/welcome';
    const document = changed(reception, { recording: prompt });
    const reasonWith = (sounds: IvrDirectory['sounds']) =>
      checkDraft(document, { ...everything, sounds: sounds ?? new Map() }, 0)
        .problems.filter(({ code }) => code === 'recording_unknown')
        .map(({ params }) => params);
    const what = { menu: 'Reception', recording: 'custom/welcome' };
    expect(reasonWith(undefined)).toMatchObject([{ ...what, reason: 'unknown_sound', pbx: null }]);
    const missing = { reason: 'no_sound', pbx: 'office' } as const;
    expect(reasonWith(new Map([[prompt, missing]]))).toMatchObject([{ ...what, ...missing }]);
    expect(reasonWith(new Map([[prompt, null]]))).toEqual([]);
    const impossible = changed(reception, { recording: 'recording||a&b' });
    expect(checkDraft(impossible, everything, 0).problems).toMatchObject([
      { code: 'recording_unknown', params: { recording: 'a&b', reason: 'gone' } },
    ]);
  });

  it('warns of spoken texts that callers will not hear, and of letters in them that the voice cannot read', () => {
    const speech: KnownSpeech = {
      language: 'en-US',
      voice: null,
      hasVoice: true,
      pronunciations: [],
      spoken: new Set(),
    };
    const document: IvrDocument = {
      ...changed(reception, {
        recording: 'outbound_tts||Hello 日本',
        invalid_recording: 'outbound_tts||One <b>two</b>',
        timeout_recording: 'outbound_tts||Goodbye',
      }),
      prompts: { wrong_key: 'outbound_tts||שלום', timeout: null },
    };
    const told = (changes: Partial<KnownSpeech>) =>
      checkDraft(document, { ...everything, speech: { ...speech, ...changes } }, 0).problems.map(
        ({ severity, code, path, params }) => [severity, code, path, params],
      );
    const letters = {
      language: 'en-US',
      menu: 'Reception',
      letters: ['日', '本'],
    };
    const fault = { kind: 'unreadable', at: 4, found: '<b>', fault: 'unknown' };
    const nothing = { kind: 'nothing_to_say', letters: ['ש', 'ל', 'ו', 'ם'] };
    expect(told({})).toEqual([
      ['warning', 'letters_unspoken', 'nodes.reception.recording', letters],
      [
        'warning',
        'prompt_unspoken',
        'nodes.reception.invalid_recording',
        { menu: 'Reception', text: 'One <b>two</b>', problem: fault },
      ],
      ['warning', 'prompt_unspoken', 'prompts.wrong_key', { menu: null, text: 'שלום', problem: nothing }],
    ]);

    const none = { kind: 'no_voice', language: 'en-US' };
    expect(told({ hasVoice: false, spoken: new Set(['Hello 日本', '8']) })).toMatchObject([
      ['warning', 'letters_unspoken', 'nodes.reception.recording', letters],
      ['warning', 'prompt_unspoken', 'nodes.reception.invalid_recording', { problem: fault }],
      ['warning', 'prompt_unspoken', 'nodes.reception.timeout_recording', { text: 'Goodbye', problem: none }],
      ['warning', 'prompt_unspoken', 'prompts.wrong_key', { problem: nothing }],
    ]);

    // As it is said, and not as it is written.
    const said = (word: string, say: string) => ({ word, say, language: null });
    expect(told({ pronunciations: [said('日本', 'Nihon'), said('שלום', 'Shalom')] })).toMatchObject([
      ['warning', 'prompt_unspoken', 'nodes.reception.invalid_recording', { problem: fault }],
    ]);
    expect(checkDraft(document, everything, 0).problems).toEqual([]);
  });

  it('warns of a menu of elsewhere that is not known, and not of what no directory lists', () => {
    const elsewhere = (type: 'ivr' | 'department', ref: string) =>
      putNode(receptionDocument, { kind: 'end', id: desk, place: { x: 0, y: 0 }, type, ref });
    expect(found(elsewhere('ivr', 'ivr_1'))).toEqual([['warning', 'menu_unknown', 'nodes.desk.ref']]);
    expect(found(elsewhere('ivr', 'ivr_1'), { ...everything, menus: new Set(['ivr_1']) })).toEqual([]);
    expect(found(elsewhere('department', '9'))).toEqual([]);
  });

  it('finds that an outside number is not called, by what the settings allow', () => {
    const number = (ref: string) =>
      putNode(receptionDocument, { kind: 'end', id: desk, place: { x: 0, y: 0 }, type: 'number', ref });
    const allowing = (...countries: string[]) => ({
      ...everything,
      routedTypes: new Set([...RoutedType.options]),
      outside: { countries, perHour: 30 },
    });
    const unreachable = [['error', 'destination_unreachable', 'nodes.desk.ref']];
    expect(found(number('+4930227350'), allowing('DE'))).toEqual([]);
    expect(found(number('+4930227350'), allowing())).toEqual(unreachable);
    expect(found(number('+4930227350'), allowing('US'))).toEqual(unreachable);
    expect(found(number('030 227350'), null)).toEqual(unreachable);
    expect(found(number('+4930227350'), null)).toEqual([]);
  });

  it('warns of an extension that is written as an outside number, which its settings do not limit', () => {
    const extension = (ref: string) =>
      putNode(receptionDocument, { kind: 'end', id: desk, place: { x: 0, y: 0 }, type: 'extension', ref });
    for (const ref of ['+4930227350', '004930227350', '01118765550123', '901118765550123'])
      expect(found(extension(ref)), ref).toEqual([['warning', 'looks_outside', 'nodes.desk.ref']]);
    expect(
      found(extension('+4930227350'), { ...everything, extensions: { has: () => true, keys: () => [] } }),
    ).toEqual([]);
    for (const ref of ['*97', '5001', '0012'])
      expect(found(extension(ref)), ref).toEqual([['warning', 'extension_unknown', 'nodes.desk.ref']]);
  });

  it('warns of a sound that a telephone system does not have, whatever recordings there are', () => {
    const played = changed(reception, { recording: 'sound||custom/welcome' });
    const asked = (sounds: IvrDirectory['sounds']) =>
      found(played, { ...everything, recordings: { has: () => true }, ...(sounds && { sounds }) });
    expect(asked(undefined)).toEqual([]);
    expect(asked(new Map([['sound||custom/welcome', null]]))).toEqual([]);
    const missing = { reason: 'no_sound', pbx: 'office' } as const;
    expect(asked(new Map([['sound||custom/welcome', missing]]))).toEqual([
      ['warning', 'sound_unknown', 'nodes.reception.recording'],
    ]);
    for (const path of [
      '/etc/passwd',
      '../welcome',
      'custom/../../x',
      'a&b',
      'a,b',
      'a|b',
      'a b',
      '.x',
      'x/',
      '',
    ])
      expect(found(changed(reception, { recording: `sound||${path}` }))[0], path).toEqual([
        'error',
        'field_not_allowed',
        'nodes.reception.recording',
      ]);
  });

  it('says for which cards another service has nothing', () => {
    const document = putNode(changed(reception, { recording: 'sound||custom/welcome' }), {
      kind: 'end',
      id: desk,
      place: { x: 0, y: 0 },
      type: 'ring_group',
      ref: '600',
    });
    const { flow } = checkDraft(document, everything, 0);
    expect(checkForOtherService(document, flow!).map(({ code, path }) => [code, path])).toEqual([
      ['not_elsewhere', 'nodes.reception.recording'],
      ['not_elsewhere', 'nodes.desk.type'],
    ]);
    const plain = checkDraft(receptionDocument, everything, 0).flow!;
    expect(checkForOtherService(receptionDocument, plain)).toEqual([]);
  });

  it('names the menus of a cycle that a caller who presses none of the keys cannot leave', () => {
    const circle = changed(reception, { timeout_destination: sales });
    expect(found(circle)).toEqual([['error', 'endless_without_key', 'nodes.reception.timeout_destination']]);
    expect(paramsOf(circle)).toEqual([{ menus: ['Reception', 'Sales'], way: 'silence' }]);
    expect(paramsOf(changed(sales, { invalid_destination: sales }))).toEqual([
      { menus: ['Sales'], way: 'wrong_key' },
    ]);
  });

  it('reports a menu without any exit once, and not as a cycle too', () => {
    const { keys } = receptionDocument.nodes[sales] as MenuNode;
    const locked = changed(sales, {
      keys: keys.map((key) => ({ ...key, to: sales })),
      invalid_destination: sales,
      timeout_destination: sales,
    });
    expect(found(locked)).toEqual([
      ['error', 'no_way_out', 'nodes.sales.keys'],
      ['error', 'scenario_failed', 'scenarios.wants_sales.expected'],
      ['warning', 'unreachable', 'nodes.seller'],
    ]);
    expect(paramsOf(locked)[0]).toEqual({ menu: 'Sales' });
  });

  it('knows that there is no wrong key where all twelve are used', () => {
    const keys = telephoneKeys.map((key) => ({ key, to: desk, sms_template: null }));
    const full = { ...changed(sales, { keys, invalid_destination: sales }), scenarios: {} };
    expect(found(full)).toEqual([
      ['warning', 'unreachable', 'nodes.seller'],
      ['warning', 'never_played', 'nodes.sales.invalid_recording'],
    ]);
    // The only line to Sales is then one that no caller can use.
    const hidden = changeMenu(full, reception, { keys, invalid_destination: sales });
    expect(found(hidden).slice(0, 1)).toEqual([['error', 'unreachable', 'nodes.sales']]);
  });

  it('warns of a retry prompt that no caller ever hears', () => {
    expect(found(changed(sales, { timeout_tries: 0 }))).toEqual([
      ['warning', 'never_played', 'nodes.sales.timeout_retry_recording'],
    ]);
  });

  it('of an imported flow reports missing menus', () => {
    const compiled = compileDraft(receptionDocument, {});
    if (!compiled.ok) throw new Error('the fixture compiles');
    const menus = new Map(compiled.value.menus);
    menus.delete(sales);
    expect(
      prove({ ...compiled.value, start: sales, menus }, null).map(({ code, path }) => [code, path]),
    ).toEqual([
      ['node_unknown', 'caller.to'],
      ['node_unknown', 'nodes.reception.keys.1.to'],
    ]);
  });
});

describe('a check', () => {
  it('still reports on the valid menus while another is incomplete', () => {
    const half = changed(sales, { recording: null });
    expect(found(half, { ...everything, recordings: new Set() })).toEqual([
      ['error', 'field_open', 'nodes.sales.recording'],
      ['warning', 'recording_unknown', 'nodes.reception.recording'],
      ['warning', 'recording_unknown', 'nodes.reception.invalid_recording'],
      ['warning', 'recording_unknown', 'nodes.reception.timeout_retry_recording'],
      ['warning', 'recording_unknown', 'nodes.reception.timeout_recording'],
    ]);
    expect(checkDraft(half, null, 0)).toMatchObject({ flow: null, runs: [] });
  });

  it('can be played though it must not be published', () => {
    const unfinished = changed(reception, { timeout_destination: sales });
    expect(checkDraft(unfinished, null, 0).flow).not.toBeNull();
  });
});

describe('circles of a graph', () => {
  it.each<[Record<string, string[]>, string[][]]>([
    [{}, []],
    [{ a: ['b', 'c'], b: ['c'], c: [] }, []],
    [{ a: ['a'] }, [['a']]],
    [{ a: ['b'], b: ['c'], c: ['b'] }, [['b', 'c']]],
    [{ a: ['b', 'c'], b: ['a'], c: ['a'] }, [['a', 'b']]],
    [
      { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [{ a: ['elsewhere'] }, []],
  ])('in %j are %j: one of every knot, the shortest of its first node', (graph, circles) => {
    expect(findCycles(new Map(Object.entries(graph)))).toEqual(circles);
  });

  const size = 500;
  it.each([
    ['a row of pairs', (place: number) => [place ^ 1, (place | 1) + 1]],
    ['a row of nodes that lead to themselves', (place: number) => [place, place + 1]],
    ['one circle of all', (place: number) => [(place + 1) % size]],
    ['no circle', (place: number) => [place + 1, place + 2]],
  ])('are found in a few walks, however they are drawn: %s', (_what, out) => {
    const graph = new CountedMap(Array.from({ length: size }, (_, place) => [place, out(place)]));
    findCycles(graph);
    expect(graph.looks).toBeLessThan(2 * size * size);
  });
});

/** Counts how often a node is visited. */
class CountedMap extends Map<number, number[]> {
  looks = 0;
  override get(node: number): number[] | undefined {
    this.looks += 1;
    return super.get(node);
  }
}
