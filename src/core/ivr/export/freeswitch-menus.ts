import { invariant } from '../../unreachable.ts';
import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import { type Flow, type FlowMenu, nodeLedTo } from '../flow.ts';
import { type KnownIds, readReference } from '../../../contract/menu/ivr-reference.ts';
import type { OutsideRules } from '../../../contract/calls/outside-calls.ts';
import { takesDigits } from '../call/dialable.ts';
import { freeswitchPath, whyUnreachable } from '../destination-route.ts';
import { whatIsMissing } from './asterisk-dialplan.ts';
import {
  commentText,
  destinationComment,
  type DialplanNames,
  dialplanNames,
  menusFromStart,
  nameIn,
  soundFile,
} from './dialplan-names.ts';
import { isPlainId } from './plain-names.ts';

/** What is known here that an export for FreeSWITCH needs. */
export interface FreeswitchSite {
  /** The recordings that are stored here; null: they are not known. */
  readonly recordings: KnownIds | null;
  readonly outside: OutsideRules;
}
const unknownSite: FreeswitchSite = { recordings: null, outside: { countries: [], perHour: 1 } };
/** What a flow has that the menus of FreeSWITCH are not written for here. Empty: it can be exported. */
export function freeswitchLacks({ menus, hours, messages }: Flow): FreeswitchLack[] {
  return [
    ...Array.from(hours.values(), ({ schedule }) => ({ what: 'hours', name: schedule.name }) as const),
    ...Array.from(messages.values(), ({ name }) => ({ what: 'message', name }) as const),
    ...[...menus.values()].filter(takesDigits).map(({ name }) => ({ what: 'digits', name }) as const),
  ];
}

export interface FreeswitchLack {
  readonly what: 'hours' | 'message' | 'digits';
  readonly name: string;
}

/**
 * A flow for FreeSWITCH: a `<menu>` each for `ivr.conf.xml`, and the dialplan context that counts around them. `entry` is
 * the name that those of its parts start with (`entryName`), so that one system can contain several.
 *
 * Why a `<menu>` does not count by itself (FreeSWITCH, src/switch_ivr_menu.c `switch_ivr_menu_execute`):
 * - at a timeout it only repeats its greeting, so it cannot play the retry recording;
 * - it keeps its counts to itself, and a menu left at the first timeout would lose the count of wrong keys;
 * - `exit-sound` is played at every end, and `invalid-sound` does not distinguish the last attempt.
 *
 * So each menu is one attempt (`max-failures` and `max-timeouts` are 1). It ends with `ivr_menu_status` at `failure`
 * or `timeout`, the dialplan counts, plays the last prompt with `playback`, and begins the next attempt with a greeting
 * that starts with the notice (`file_string://`): one greeting, so a key during the notice counts at once. A key that
 * is used leaves by `transfer`, which also ends the menu; entries of one key all run, in their order. `#` is a key only
 * if it is not the `ivr_menu_terminator` (`play_and_collect`).
 */
export function freeswitchMenus(
  flow: Flow,
  entry: string,
  { recordings, outside }: FreeswitchSite = unknownSite,
): string {
  invariant(freeswitchLacks(flow).length === 0, 'only what FreeSWITCH can do is written for it');
  const names = dialplanNames(flow, entry, recordings);
  const menus = menusFromStart(flow);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- Phone menus, written by Rotavox. Send calls here: transfer ${entry} XML ${entry}.`,
    `     Put the menu elements in ivr_menus/${entry}.xml and the context in dialplan/${entry}.xml, each within an`,
    '     include element.',
    ...(names.prompts.size === 0
      ? []
      : ['     Put the audio in the folder rotavox of the sounds directory:']),
    ...Array.from(names.prompts, ([recording, name]) => `       ${name}.wav: ${commentText(recording)}`),
    ...(names.sounds.size === 0 ? [] : ['     These sounds have to be on the telephone system already:']),
    ...Array.from(names.sounds.values(), (sound) => `       ${commentText(sound)}.wav`),
    '-->',
    '<document type="freeswitch/xml">',
    '  <section name="configuration">',
    '    <configuration name="ivr.conf" description="Phone menus">',
    '      <menus>',
    ...menus.flatMap((menu) => menuElement(menu, names)),
    '      </menus>',
    '    </configuration>',
    '  </section>',
    '  <section name="dialplan">',
    `    <context name="${entry}">`,
    ...freeswitchExtensions(flow, names),
    ...Array.from(names.destinations, ([destination, name]) =>
      freeswitchDestination(destination, name, outside),
    ).flat(),
    '    </context>',
    '  </section>',
    '</document>',
    '',
  ].join('\n');
}

function menuElement(menu: FlowMenu, names: DialplanNames): string[] {
  return [
    `        <!-- Menu: ${commentText(menu.name)} -->`,
    ...(commentText(menu.description) === '' ? [] : [`        <!-- ${commentText(menu.description)} -->`]),
    `        <menu name="${names.entry}_${nameIn(names.menus, menu.id)}"`,
    '          greet-long="${rotavox_greeting}"',
    `          timeout="${menu.timeoutSeconds * 1000}"`,
    '          max-failures="1"',
    '          max-timeouts="1"',
    '          digit-len="1">',
    ...Array.from(menu.keys, ([key, { to, smsTemplate }]) => [
      ...smsEntries(key, smsTemplate),
      menuEntry(key, transfer(to, names)),
    ]).flat(),
    '        </menu>',
  ];
}

/** What is sent is up to the telephone system, which finds the template in a variable. */
function smsEntries(key: string, template: string | null): string[] {
  if (template === null) return [];
  const comment = `          <!-- Key ${key} sends SMS template ${commentText(template)} -->`;
  return isPlainId(template) ? [comment, menuEntry(key, `set rotavox_sms_template=${template}`)] : [comment];
}

function menuEntry(key: string, application: string): string {
  return `          <entry action="menu-exec-app" digits="${key}" param="${application}"/>`;
}

function transfer(to: FlowTarget, names: DialplanNames): string {
  return `transfer ${whereTo(to, names)}`;
}

/** The extension at which calls for a destination arrive. A comment above it describes what is not known here. */
function freeswitchDestination(destination: string, name: string, outside: OutsideRules): string[] {
  const steps = freeswitchPath(destination, outside);
  const { type } = readReference(destination) ?? { type: '' };
  const isEnd = type === 'hangup';
  const isCounted = type === 'number' && steps.length > 0;
  const missing =
    type === 'ivr'
      ? 'transfer to the menu with this id.'
      : whatIsMissing(whyUnreachable(destination, outside)?.why ?? { code: 'unknown_type' });
  const note = isEnd || steps.length > 0 ? '' : `. Fill in: ${missing}`;
  return [
    `      <!-- ${destinationComment(destination)}${note} -->`,
    ...(isCounted
      ? ['      <!-- FreeSWITCH counts these calls in memory: a restart begins again at 0. -->']
      : []),
    ...extension(
      `to_${name}`,
      [],
      [...steps.map((step) => action(step.application, step.data)), action('hangup')],
    ),
  ];
}

/**
 * The dialplan around the menus, in its own context: where calls begin, and for each menu how it is entered, played and
 * left without a key.
 *
 * Conditions are evaluated before any action runs (mod_dialplan_xml), so `ivr_menu_status` is read by the next
 * extension, which a `transfer` leads to. Counters are written in unary (`xx` is two): that needs no module for
 * arithmetic, and a condition can compare them.
 */
function freeswitchExtensions(flow: Flow, names: DialplanNames): string[] {
  return [
    ...extension(
      names.entry,
      [],
      [action('answer'), transferTo('menu', nameIn(names.menus, flow.start), names)],
    ),
    ...menusFromStart(flow).flatMap((menu) => menuExtensions(menu, names)),
  ];
}

/** The `transfer` that leads a call on. */
function whereTo(to: FlowTarget, names: DialplanNames): string {
  return to.kind === 'destination'
    ? place('to', nameIn(names.destinations, to.destination), names)
    : place('menu', nameIn(names.menus, nodeLedTo(to)), names);
}

/** An extension of the context: its number, further conditions (all must hold), and its actions. */
function extension(
  number: string,
  conditions: readonly { readonly variable: string; readonly is: string }[],
  actions: readonly string[],
): string[] {
  const tests = [
    { field: 'destination_number', is: number },
    ...conditions.map(({ variable, is }) => ({ field: `\${${variable}}`, is })),
  ];
  return [
    `      <extension name="${[number, ...conditions.map(() => 'last')].join('_')}">`,
    ...tests.map(
      ({ field, is }, nth) =>
        `        <condition field="${field}" expression="^${is}$"${nth === tests.length - 1 ? '>' : '/>'}`,
    ),
    ...actions.map((line) => `          ${line}`),
    '        </condition>',
    '      </extension>',
  ];
}

function action(application: string, data?: string): string {
  return `<action application="${application}"${data === undefined ? '' : ` data="${data}"`}/>`;
}

function menuExtensions(menu: FlowMenu, names: DialplanNames): string[] {
  const name = nameIn(names.menus, menu.id);
  const file = (prompt: string) => {
    const sound = soundFile(names, { prompt, speech: menu.speech });
    return sound.startsWith('/') ? `${sound}.wav` : `$\${sounds_dir}/${sound}.wav`;
  };
  const greet = (sound: string) => action('set', `rotavox_greeting=${sound}`);
  const ask = transferTo('ask', name, names);
  const { wrongKey, timeout } = menu;
  return [
    ...extension(
      `menu_${name}`,
      [],
      [
        action('set', 'ivr_menu_terminator=none'),
        action('set', 'playback_terminators=none'),
        action('set', 'rotavox_wrong_keys='),
        action('set', 'rotavox_silences='),
        greet(file(menu.recording)),
        ask,
      ],
    ),
    ...extension(
      `ask_${name}`,
      [],
      [action('ivr', `${names.entry}_${name}`), action('transfer', place('${ivr_menu_status}', name, names))],
    ),
    ...attempts('failure', 'rotavox_wrong_keys', wrongKey.retries, wrongKey.recording, wrongKey),
    ...attempts('timeout', 'rotavox_silences', timeout.retries, timeout.retryRecording, {
      recording: timeout.lastRecording,
      to: timeout.to,
    }),
  ];

  /** What happens after an attempt with this status: the next attempt, or the last prompt when none is left. */
  function attempts(
    status: string,
    counter: string,
    retries: number,
    notice: string,
    last: { readonly recording: string; readonly to: FlowTarget },
  ): string[] {
    return [
      ...extension(
        `${status}_${name}`,
        [{ variable: counter, is: 'x'.repeat(retries) }],
        [action('playback', file(last.recording)), action('transfer', whereTo(last.to, names))],
      ),
      ...extension(
        `${status}_${name}`,
        [],
        [
          action('set', `${counter}=\${${counter}}x`),
          greet(`file_string://${file(notice)}!${file(menu.recording)}`),
          ask,
        ],
      ),
    ];
  }
}

function transferTo(kind: 'menu' | 'ask', name: string, names: DialplanNames): string {
  return action('transfer', place(kind, name, names));
}

function place(kind: string, name: string, { entry }: DialplanNames): string {
  return `${kind}_${name} XML ${entry}`;
}
