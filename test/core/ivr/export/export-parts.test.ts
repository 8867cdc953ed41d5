import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { IvrDocument, type NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import {
  changeMenu,
  emptyDocument,
  moveNodes,
  putScenario,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { linesOf } from '../../../../src/core/ivr/edit/lines.ts';
import { graphvizPicture } from '../../../../src/core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../../../src/core/ivr/export/svg-picture.ts';
import { pictureLabels } from '../../../../src/text/menu/phone-menu.ts';
import { cleanDocument } from '../../../fixtures/ivr-arbitraries.ts';
import { readDot } from './read-dot.ts';
import { elementsOf, readXml } from './read-xml.ts';
import { wildText } from './wild-flow.ts';
import {
  defaultDestinationRules,
  defaultDestinationRules as rules,
} from '../../../../src/contract/calls/pbx.ts';
import { flowOfBody } from '../../../../src/core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../../../src/core/ivr/body/parse-ivr-body.ts';
import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { flowSounds } from '../../../../src/core/ivr/export/asterisk-archive.ts';
import { dialplanNames, menusFromStart } from '../../../../src/core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { spokenTextOf } from '../../../../src/core/speech/spoken-recording.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import { ivrBody } from '../../../fixtures/ivr-bodies.ts';
import { bodyOfMenu, menuBody } from '../../../../src/core/ivr/body/menu-body.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { applyDelta, deltaBetween } from '../../../../src/core/ivr/draft/document-delta.ts';
import { fingerprintOf } from '../../../../src/core/ivr/fingerprint.ts';
import { changeFlowPrompt } from '../../../../src/core/ivr/flow-prompts.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';
import {
  freeswitchPath,
  routedTypes,
  routeOf,
  whyUnreachable,
} from '../../../../src/core/ivr/destination-route.ts';

/** A call flow in which every text is random: names, keys, recordings, destinations. */
const wildDocument = fc
  .tuple(cleanDocument, fc.array(wildText, { minLength: 8, maxLength: 8 }))
  .map(([document, texts]): IvrDocument => {
    const text = (place: number) => texts[place % texts.length]!;
    const nodes = Object.values(document.nodes).map((node, place) => {
      if (node.kind === 'end') return { ...node, ref: text(place) };
      if (node.kind === 'hours') return node;
      const named = { ...node, name: text(place), recording: text(place + 1) };
      if (named.kind === 'message') return named;
      return { ...named, keys: named.keys.map((key, at) => ({ ...key, key: text(place + at) })) };
    });
    return {
      ...document,
      name: text(0) === '' ? 'x' : text(0),
      nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    };
  });

describe('the picture in SVG', () => {
  it('is well-formed and has a card for each node and a line for each line, whatever the texts hold', () => {
    fc.assert(
      fc.property(wildDocument, (document) => {
        const svg = readXml(svgPicture(document, pictureLabels));
        expect(elementsOf(svg, 'g')).toHaveLength(Object.keys(document.nodes).length + 1);
        const arrows = elementsOf(svg, 'path').filter(({ attributes }) => attributes.has('marker-end'));
        expect(arrows).toHaveLength(linesOf(document).length);
        const names = new Set(['svg', 'title', 'defs', 'marker', 'path', 'rect', 'g', 'text']);
        expect([...new Set(namesIn(svg))].filter((name) => !names.has(name))).toEqual([]);
      }),
    );
  });

  it('holds everything that is drawn within its frame', () => {
    fc.assert(
      fc.property(cleanDocument, (document) => {
        const svg = readXml(svgPicture(document, pictureLabels));
        const [x, y, width, height] = svg.attributes.get('viewBox')!.split(' ').map(Number);
        for (const rect of elementsOf(svg, 'rect')) {
          const at = (name: string) => Number(rect.attributes.get(name));
          expect(at('x')).toBeGreaterThanOrEqual(x!);
          expect(at('y')).toBeGreaterThanOrEqual(y!);
          expect(at('x') + at('width')).toBeLessThanOrEqual(x! + width!);
          expect(at('y') + at('height')).toBeLessThanOrEqual(y! + height!);
        }
      }),
    );
  });

  it('says in a word what is marked', () => {
    const [document] = fc.sample(cleanDocument, { seed: 1, numRuns: 1 });
    const [first] = Object.keys(document!.nodes);
    const words = (marked: Map<NodeId, 'removed'>) =>
      elementsOf(readXml(svgPicture(document!, pictureLabels, { marked })), 'text').map(({ text }) => text);
    expect(words(new Map([[first as NodeId, 'removed']]))).toContain('removed');
    expect(words(new Map())).not.toContain('removed');
  });

  it('has a dark colour for each of its colours in a window, and none in a file', () => {
    const [document] = fc.sample(cleanDocument, { seed: 1, numRuns: 1 });
    const marked = new Map<NodeId, 'changed'>([[Object.keys(document!.nodes)[0] as NodeId, 'changed']]);
    const svg = svgPicture(document!, pictureLabels, { marked, isThemed: true });
    const [style] = elementsOf(readXml(svg), 'style');
    expect(style?.text).toContain('prefers-color-scheme:dark');
    const colours = svg.replace(/<style>.*<\/style>/, '').matchAll(/(?:fill|stroke)="#[0-9a-f]{6}"/g);
    const used = [...new Set([...colours].map(([colour]) => colour))];
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((colour) => !style!.text.includes(`[${colour}]{`))).toEqual([]);
    expect(svgPicture(document!, pictureLabels, { marked })).not.toContain('<style');
  });

  it('of an empty drawing shows the caller', () => {
    const texts = elementsOf(readXml(svgPicture(emptyDocument('Nothing yet'), pictureLabels)), 'text').map(
      ({ text }) => text,
    );
    expect(texts).toEqual(['Nothing yet', 'Caller']);
  });
});

describe('the picture for Graphviz', () => {
  it('is well-formed and has every node and every way between two, whatever the texts hold', () => {
    fc.assert(
      fc.property(wildDocument, (document) => {
        const { nodes, edges } = readDot(graphvizPicture(document, pictureLabels));
        expect(nodes).toEqual(['caller', ...Object.keys(document.nodes).map((id) => `node ${id}`)]);
        const ways = linesOf(document).map(({ from, to }) =>
          from.kind === 'caller' ? `caller > node ${to}` : `node ${from.menu} > node ${to}`,
        );
        expect(edges).toEqual([...new Set(ways)]);
      }),
    );
  });
});

function namesIn({ name, children }: ReturnType<typeof readXml>): string[] {
  return [name, ...children.flatMap(namesIn)];
}

const parsed = parseIvrBody(
  {
    ...ivrBody,
    recording: 'recording||custom/welcome.wav',
    invalid_recording: 'recording||wrong',
    timeout_recording: 'recording||/var/lib/asterisk/sounds/bye',
  },
  { smsTemplatesEnabled: false },
);
if (!parsed.ok) throw new Error('not a body');
const flow = flowOfBody(parsed.value.body);
const again = ivrBody.timeout_retry_recording.split('||')[1] ?? '';
const stored = new Set([again]);
const outside = { countries: [], perHour: 30 };

it('the exports play a sound of the telephone system by the name that live calls play', () => {
  const dialplan = asteriskDialplan(flow, 'rotavox_shop', {
    rules: defaultDestinationRules,
    recordings: stored,
    outside,
  });
  expect(dialplan).toContain('Background(custom/welcome)');
  expect(dialplan).toContain('Background(wrong)');
  expect(dialplan).toContain('Playback(/var/lib/asterisk/sounds/bye)');
  expect(dialplan).toContain(`Background(rotavox/recording_${again})`);
  expect(dialplan).toContain(
    '; These sounds have to be on the telephone system already:\n;   custom/welcome\n',
  );
  const xml = freeswitchMenus(flow, 'rotavox_shop', { recordings: stored, outside });
  expect(xml).toContain('$${sounds_dir}/custom/welcome.wav');
  expect(xml).toContain('/var/lib/asterisk/sounds/bye.wav');
  expect(xml).not.toContain('}/var');
});

it('where the stored recordings are not known, what may be one of them keeps its file', () => {
  const { prompts, sounds } = dialplanNames(flow, 'rotavox_shop');
  expect(sounds.get('recording||custom/welcome.wav')).toBe('custom/welcome');
  expect(prompts.get('recording||wrong')).toBe('recording_wrong');
});

it('an export that has no audio of its own does not ask for any', () => {
  const none = new Set<string>();
  const dialplan = asteriskDialplan(flow, 'rotavox_shop', {
    rules: defaultDestinationRules,
    recordings: none,
    outside,
  });
  for (const text of [dialplan, freeswitchMenus(flow, 'rotavox_shop', { recordings: none, outside })]) {
    expect(text).not.toContain('Put the audio');
    expect(text).toContain('sounds have to be on the telephone system already:');
  }
});

it('a text that is spoken in two languages has a file for each, and one that is spoken in one keeps its name', () => {
  const compiled = compileDraft(twoMenus, {});
  if (!compiled.ok) throw new Error('it compiles');
  const spanish = { language: 'es-ES', voice: null } as const;
  const prompt = 'outbound_tts||Rotavox';
  const [first, second] = menusFromStart(compiled.value).map((menu) => ({ ...menu, recording: prompt }));
  if (first === undefined || second === undefined) throw new Error('there are two menus');
  const message = {
    id: 'bye' as NodeId,
    name: 'Bye',
    recording: 'outbound_tts||Adios',
    then: second.wrongKey.to,
  };
  const mixed: Flow = {
    ...compiled.value,
    menus: new Map([first, { ...second, speech: spanish }].map((menu) => [menu.id, menu])),
    messages: new Map([[message.id, { ...message, speech: spanish }]]),
  };
  const usual = { speech_language: 'en-US', speech_voice: null };
  const found = flowSounds(mixed, [], usual).prompts.filter(({ prompt: one }) => spokenTextOf(one) !== null);
  expect(found.map(({ prompt: one, spokenAs }) => [one, spokenAs.speech_language])).toEqual([
    [prompt, 'en-US'],
    [prompt, 'es-ES'],
    ['outbound_tts||Adios', 'es-ES'],
  ]);
  const [english, other] = found.map(({ name }) => name);
  expect(new Set(found.map(({ name }) => name)).size).toBe(3);
  const written = [
    asteriskDialplan(mixed, 'rotavox_shop', { rules, recordings: new Set(), outside }),
    freeswitchMenus({ ...mixed, messages: new Map() }, 'rotavox_shop'),
  ];
  for (const text of written)
    for (const name of [english, other]) expect(text).toMatch(new RegExp(`rotavox/${name}[.)]`));
  const alone = flowSounds({ ...mixed, menus: new Map([[first.id, first]]) }, [], usual).prompts;
  expect(alone.find(({ prompt: one }) => one === prompt)?.name).toBe(english);
});

const reception = 'reception' as NodeId;
const own = { invalid_recording: null, timeout_retry_recording: null, timeout_recording: null };
const bare = changeMenu(twoMenus, reception, own);
const withPrompts = changeFlowPrompt(
  changeFlowPrompt(bare, 'wrong_key', 'recording||8'),
  'timeout',
  'outbound_tts||No key was pressed.',
);
const heard = {
  invalid_recording: 'recording||8',
  timeout_retry_recording: 'outbound_tts||No key was pressed.',
  timeout_recording: 'outbound_tts||No key was pressed.',
};

describe('the prompts of all menus', () => {
  it('are played by a menu that has none of its own, and are in its body', () => {
    expect(compileDraft(bare, {}).ok).toBe(false);
    const compiled = compileDraft(withPrompts, {});
    if (!compiled.ok) throw new Error('it compiles');
    const menu = compiled.value.menus.get(reception)!;
    expect(bodyOfMenu(menu, String)).toMatchObject(heard);
    expect(menuBody(withPrompts, reception, String)).toMatchObject(heard);
  });

  it('do not replace a prompt of a menu', () => {
    expect(menuBody(withPrompts, 'opening' as NodeId, String)).toMatchObject({
      invalid_recording: 'recording||2',
      timeout_recording: 'recording||4',
    });
  });

  it('are saved as a difference, also when they are removed', () => {
    for (const [before, after] of [
      [bare, withPrompts],
      [withPrompts, changeFlowPrompt(withPrompts, 'timeout', null)],
      [withPrompts, bare],
    ] as const) {
      const delta = deltaBetween(before, after);
      expect(delta).not.toBeNull();
      expect(applyDelta(before, delta!)).toEqual(after);
    }
  });

  it('are optional in a document', () => {
    expect(IvrDocument.parse(structuredClone(bare))).not.toHaveProperty('prompts');
    expect(IvrDocument.parse(structuredClone(withPrompts)).prompts).toEqual(withPrompts.prompts);
  });
});

describe('the fingerprint of a call flow', () => {
  it('stays the same while callers meet the same', () => {
    const moved = moveNodes(twoMenus, new Map([['sales', { x: 70, y: 90 }]]));
    const [scenario] = Object.values(twoMenus.scenarios);
    const other = { ...putScenario(moved, { ...scenario!, name: 'Another name' }), name: 'Other' };
    expect(fingerprintOf(other)).toBe(fingerprintOf(twoMenus));
    const spelledOut = changeMenu(withPrompts, reception, heard);
    expect(fingerprintOf(spelledOut)).toBe(fingerprintOf(withPrompts));
  });

  it('changes with a prompt, a key, a default prompt and the first menu', () => {
    const flows = [
      twoMenus,
      bare,
      withPrompts,
      changeMenu(twoMenus, reception, { recording: 'recording||9' }),
      changeMenu(twoMenus, reception, { keys: [] }),
      { ...twoMenus, caller: { ...twoMenus.caller, to: 'opening' as NodeId } },
    ];
    expect(new Set(flows.map(fingerprintOf)).size).toBe(flows.length);
  });
});

test.each([
  ['extension||101', { kind: 'dialplan', context: 'from-internal', extension: '101' }],
  ['extension||*97', { kind: 'dialplan', context: 'from-internal', extension: '*97' }],
  ['extension||+4930555010', { kind: 'dialplan', context: 'from-internal', extension: '+4930555010' }],
  ['voicemail||7', { kind: 'dialplan', context: 'from-internal', extension: '*7' }],
  ['time_condition||4', { kind: 'dialplan', context: 'timeconditions', extension: '4' }],
  ['timegroup||4', { kind: 'none', why: { code: 'no_rule', type: 'timegroup' } }],
  ['hangup', { kind: 'hang_up' }],
  ['ivr||x', { kind: 'other_menu', id: 'x' }],
  ['something||1', { kind: 'none', why: { code: 'unknown_type' } }],
  ['no reference', { kind: 'none', why: { code: 'unknown_type' } }],
])('%j is reached at %j', (destination, expected) => {
  expect(routeOf(destination, rules, outside)).toEqual(expected);
});

// What people enter: E.123 writing, addresses of SIP (forum reports of dialplans that hang up), dialplan of their own.
test.each<[string, string, string | null]>([
  ['+49 30 555010', ' ', '+4930555010'],
  ['(030) 555-010', '(', '030555010'],
  ['+49 (0)30 555010', ' ', '+4930555010'],
  ['030/555010', '/', '030555010'],
  ['030.555.010', '.', '030555010'],
  ['tel:+4930555010', ':', '+4930555010'],
  ['sip:4930555010@trunk.example.com', ':', '4930555010'],
  ['sip:alice@example.com', ':', null],
  ['alice.smith', '.', null],
  ['101@default', '@', '101'],
  ['101&102', '&', null],
  ['101,1)\n same => n,System(rm', ',', null],
  ['${EXTEN}', '$', null],
  ['Müller', 'ü', null],
  ['٣٤', '٣', null],
  // What comes along when a number is copied from an address book or a chat, and digits of a Japanese keyboard.
  ['\u202a+49 30 555010\u202c', '\u202a', '+4930555010'],
  ['1\u200b01', '\u200b', '101'],
  ['１０１', '１', '101'],
])('no call reaches %j: it contains %j', (id, character, suggested) => {
  const why = { code: 'character', character, suggested };
  expect(whyUnreachable(`extension||${id}`, null)).toEqual({ type: 'extension', id, why });
  expect(routeOf(`voicemail||${id}`, rules, outside)).toEqual({ kind: 'none', why });
  expect(freeswitchPath(`extension||${id}`, outside)).toEqual([]);
});

test.each(['h', 't', 'T', 'i', '-', '+'])('no call reaches %j, which means something else', (id) => {
  expect(whyUnreachable(`extension||${id}`, null)).toEqual({
    type: 'extension',
    id,
    why: { code: 'reserved' },
  });
  expect(routeOf(`extension||${id}`, rules, outside)).toEqual({ kind: 'none', why: { code: 'reserved' } });
});

test('no id becomes dialplan of its own', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (id) => {
      const to = routeOf(`extension||${id}`, rules, outside);
      if (to.kind === 'dialplan') expect(to.extension).toMatch(/^[A-Za-z0-9*#+_-]{1,80}$/);
      expect(to.kind === 'dialplan').toBe(freeswitchPath(`extension||${id}`, outside).length > 0);
    }),
  );
});

test('a type is reached where every telephone system has a place for it', () => {
  const place = { context: 'groups', extension: '{id}' };
  expect(routedTypes([])).toEqual([
    'extension',
    'department',
    'ring_group',
    'number',
    'voicemail',
    'time_condition',
  ]);
  expect(routedTypes([{ destinations: { ...rules, timegroup: place } }])).toContain('timegroup');
  const both = [{ destinations: { extension: place } }, { destinations: { ...rules, timegroup: place } }];
  expect(routedTypes(both)).toEqual(['extension']);
});
