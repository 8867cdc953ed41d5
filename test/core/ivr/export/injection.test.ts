import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import {
  commentText,
  destinationComment,
  dialplanNames,
  entryName,
} from '../../../../src/core/ivr/export/dialplan-names.ts';
import { hoursContext } from '../../../../src/core/ivr/export/dialplan-hours.ts';
import { readImport } from '../../../../src/core/ivr/import/read-import.ts';
import { officeDocument, officeHours } from '../../../fixtures/office-document.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import { isPlainId, plainNames, plainWord } from '../../../../src/core/ivr/export/plain-names.ts';
import { defaultDestinationRules } from '../../../../src/contract/calls/pbx.ts';
import { routeOf } from '../../../../src/core/ivr/destination-route.ts';
import { readDialplan } from './read-dialplan.ts';
import { readFreeswitch } from './read-freeswitch.ts';
import { elementsOf } from './read-xml.ts';
import { wildFlow, wildText } from './wild-flow.ts';

const plain = /^[a-z0-9_]+$/;
const identity = fc.record({ name: fc.string({ unit: 'binary' }), id: fc.string({ unit: 'binary' }) });

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
    ['reception', 'reception'],
    ['recording||11', 'recording_11'],
    ['Reception', 'reception_29e32f3e'],
    ['my-greeting', 'my_greeting_df4fd209'],
    ['Front desk, “2026”', 'front_desk_2026_cd8a0330'],
    ['受付', 'unnamed_2ec7d78a'],
    ['営業', 'unnamed_aac4896c'],
    ['Größe', 'gr_e_ced6afa2'],
    ['A call flow with a long name', 'a_call_flow_wit_e3fc0492'],
    ['👋', 'unnamed_862e3219'],
    ['', 'unnamed'],
  ])('contain all letters of %j or its hash: %j', (text, name) => {
    expect(plainWord(text, 24)).toBe(name);
  });

  it('of two call flows are never one, whatever the letters of their names', () => {
    const names = ['Sales', 'sales', 'SALES', 'Sales ', 'sales!', 'Säles', 'Sales'];
    const entries = names.map((name, place) => entryName({ name, id: `ivr_${place}` }));
    expect(new Set(entries).size).toBe(names.length);
    for (const entry of entries) expect(entry).toMatch(/^rotavox_[a-z0-9_]+$/);
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
        for (const destination of [text, `${text}||1`, `extension||${text}`])
          expect(destinationComment(destination)).not.toMatch(/[\n\r;<>&"$\\\p{C}]|--|-$/u);
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
      fc.property(wildFlow, identity, (flow, named) => {
        const entry = entryName(named);
        const dialplan = readDialplan(asteriskDialplan(flow, entry));
        const { menus, destinations } = dialplanNames(flow, entry);
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
          expect(application).toMatch(/^(?:Answer|Set|Goto|GotoIf|Background|Playback|WaitExten|Hangup)$/);
          expect(data.replace(/\$\{ROTAVOX_\w+\}/g, '')).toMatch(/^[A-Za-z0-9_.+*#@,/$[\]>=? -]*$/);
        }
      }),
    );
  });

  it('changes nothing of the XML for FreeSWITCH but comments', () => {
    fc.assert(
      fc.property(wildFlow, identity, (flow, named) => {
        const names = dialplanNames(flow, entryName(named));
        const { menus, contexts } = readFreeswitch(freeswitchMenus(flow, names.entry));
        expect([...menus.keys()]).toEqual(
          Array.from(names.menus.values(), (name) => `${names.entry}_${name}`),
        );
        expect([...contexts.keys()]).toEqual([names.entry]);
        const context = contexts.get(names.entry)!;
        expect(context.children).toHaveLength(1 + 6 * flow.menus.size + names.destinations.size);
        for (const action of elementsOf(context, 'action')) {
          expect(action.attributes.get('application')).toMatch(
            /^(?:answer|set|transfer|ivr|playback|voicemail|callcenter|bridge|hangup)$/,
          );
          expect(action.attributes.get('data') ?? '').toMatch(/^[\w .+*#@=/:!${}-]*$/);
        }
      }),
    );
  });

  it('is a place of the dialplan where a live call goes, as it is written, or none', () => {
    fc.assert(
      fc.property(wildFlow, (flow) => {
        const dialplan = readDialplan(asteriskDialplan(flow, 'rotavox_shop'));
        for (const [destination, name] of dialplanNames(flow, 'rotavox_shop').destinations) {
          const [first] = dialplan.get('rotavox_shop_destinations')!.get(name)!;
          const route = routeOf(destination, defaultDestinationRules, { countries: [], perHour: 1 });
          expect(first).toMatchObject(
            route.kind === 'dialplan'
              ? { application: 'Goto', data: `${route.context},${route.extension},1` }
              : { application: 'Hangup', data: '' },
          );
        }
      }),
    );
  });
});

it('a file of somebody else brings no line of a dialplan in a time zone', () => {
  const zone = 'UTC\n[from-trunk]\nexten => _X.,1,Dial(PJSIP/${EXTEN}@trunk)\n;';
  const file = { format: 'rotavox-ivr', version: 1, document: officeDocument };
  const shared = (time_zone: string) =>
    readImport(JSON.stringify({ ...file, schedules: [{ ...officeHours, time_zone }] }));
  expect(shared('Europe/Berlin')).toMatchObject({ ok: true, value: { schedules: [officeHours] } });
  // Without them the call flow asks unknown hours, which is an error.
  for (const other of [zone, 'Europe/Berlin,%H)}', 'UTC;'])
    expect(shared(other)).not.toHaveProperty('value.schedules');
  // What is no zone is UTC, as for the simulator.
  const exits = { open: 'Goto(o,1)', closed: 'Goto(c,1)', holiday: 'Goto(h,1)' };
  const written = hoursContext('hours', { ...officeHours, time_zone: zone }, exits).join('\n');
  expect(written).not.toContain('Dial(');
  expect(written).toContain('${STRFTIME(${ROTAVOX_NOW},UTC,%H)}');
});
