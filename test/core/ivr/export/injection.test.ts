import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { commentText, dialplanNames } from '../../../../src/core/ivr/export/dialplan-names.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import { isPlainId, plainNames, plainWord } from '../../../../src/core/ivr/export/plain-names.ts';
import { readReference } from '../../../../src/contract/ivr-reference.ts';
import { readDialplan } from './read-dialplan.ts';
import { readFreeswitch } from './read-freeswitch.ts';
import { elementsOf } from './read-xml.ts';
import { wildFlow, wildText } from './wild-flow.ts';

const plain = /^[a-z0-9_]+$/;

describe('names on a telephone system', () => {
  it('are plain, and no two texts share one', () => {
    fc.assert(
      fc.property(fc.array(wildText), (texts) => {
        const names = plainNames(texts);
        expect(new Set(names.values()).size).toBe(new Set(texts).size);
        for (const name of names.values()) expect(name).toMatch(plain);
      }),
    );
  });

  it.each([
    ['Reception', 'reception'],
    ['Front desk, “2026”', 'front_desk_2026'],
    ['受付', 'unnamed_2ec7d78a'],
    ['営業', 'unnamed_aac4896c'],
    ['Größe', 'gr_e_ced6afa2'],
    ['A call flow with a long name', 'a_call_flow_wit_e3fc0492'],
    ['👋', 'unnamed_862e3219'],
    ['', 'unnamed'],
  ])('contain all letters of %j or its hash: %j', (text, name) => {
    expect(plainWord(text, 24)).toBe(name);
  });

  it.each(['10,1', '1 0', '101&102', '${EXTEN}', '../x', '', '-1', 'ä'])(
    'never stand for %j, which is no plain id',
    (id) => {
      expect(isPlainId(id)).toBe(false);
    },
  );
});

describe('what people wrote', () => {
  it('is one short line without comment characters when it is in a comment', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        expect(commentText(text)).not.toMatch(/[\n\r;<>&"$\\\p{C}]|--|-$/u);
        expect(Buffer.byteLength(commentText(text.repeat(50)))).toBeLessThan(1000);
      }),
    );
  });

  it.each([
    ['--\n-->', ''],
    ['a;-- b --; c', 'a - b - c'],
    ['Sales (A/B), 24|7', 'Sales (A/B), 24|7'],
    ['Größe メニュー 👋', 'Größe メニュー'],
  ])('%j becomes %j in a comment', (text, comment) => {
    expect(commentText(text)).toBe(comment);
  });

  it('changes nothing of the dialplan for Asterisk but comments', () => {
    fc.assert(
      fc.property(wildFlow, fc.string({ unit: 'binary' }), (flow, drawing) => {
        const dialplan = readDialplan(asteriskDialplan(flow, drawing));
        const { entry, menus, destinations } = dialplanNames(flow, drawing);
        expect(entry).toMatch(/^rotavox_[a-z0-9_]+$/);
        expect([...dialplan.keys()]).toEqual([
          entry,
          ...Array.from(menus.values(), (name) => `${entry}_menu_${name}`),
          `${entry}_destinations`,
        ]);
        // AST_MAX_CONTEXT of Asterisk, without the end of the string.
        for (const context of dialplan.keys()) expect(context.length).toBeLessThan(80);
        for (const { id, keys } of flow.menus.values())
          expect([...dialplan.get(`${entry}_menu_${menus.get(id)!}`)!.keys()]).toEqual([
            's',
            ...keys.keys(),
            'i',
            't',
          ]);
        expect([...dialplan.get(`${entry}_destinations`)!.keys()]).toEqual([...destinations.values()]);
        for (const { application, data } of [...dialplan.values()].flatMap((context) =>
          [...context.values()].flat(),
        )) {
          expect(application).toMatch(
            /^(?:Answer|Set|Goto|GotoIf|Background|Playback|WaitExten|Dial|VoiceMail|Queue|Hangup)$/,
          );
          expect(data.replace(/\$\{ROTAVOX_\w+\}/g, '')).toMatch(/^[A-Za-z0-9_.+@,/$[\]>=? -]*$/);
        }
      }),
    );
  });

  it('changes nothing of the XML for FreeSWITCH but comments', () => {
    fc.assert(
      fc.property(wildFlow, fc.string({ unit: 'binary' }), (flow, drawing) => {
        const { menus, contexts } = readFreeswitch(freeswitchMenus(flow, drawing));
        const names = dialplanNames(flow, drawing);
        expect([...menus.keys()]).toEqual(
          Array.from(names.menus.values(), (name) => `${names.entry}_${name}`),
        );
        expect([...contexts.keys()]).toEqual([names.entry]);
        const context = contexts.get(names.entry)!;
        expect(context.children).toHaveLength(1 + 6 * flow.menus.size + names.destinations.size);
        for (const action of elementsOf(context, 'action')) {
          expect(action.attributes.get('application')).toMatch(
            /^(?:answer|set|transfer|ivr|playback|bridge|voicemail|callcenter|hangup)$/,
          );
          expect(action.attributes.get('data') ?? '').toMatch(/^[\w .+@=/:!${}-]*$/);
        }
      }),
    );
  });

  it('is dialled as it is written, or not at all', () => {
    fc.assert(
      fc.property(wildFlow, (flow) => {
        const dialplan = readDialplan(asteriskDialplan(flow, 'Shop'));
        for (const [destination, name] of dialplanNames(flow, 'Shop').destinations) {
          const [first] = dialplan.get('rotavox_shop_destinations')!.get(name)!;
          const { type, id } = readReference(destination) ?? { type: '', id: '' };
          if (type === 'extension' && isPlainId(id)) expect(first!.data).toBe(`PJSIP/${id},30`);
          else expect(first!.application).not.toBe('Dial');
        }
      }),
    );
  });
});
