import type { Flow, FlowMenu, FlowTarget } from '../flow.ts';
import { type DialplanNames, menusFromStart, nameIn } from './dialplan-names.ts';

/**
 * The dialplan around the menus, in a context of the drawing's own: where calls begin, and for each menu how it is entered,
 * asked, and left without a key.
 *
 * Conditions are looked at before any action runs (mod_dialplan_xml), so `ivr_menu_status` is read by the next
 * extension, which a `transfer` leads to. Counters are kept in strokes (`xx` is two): that needs no module for
 * arithmetic, and a condition compares them.
 */
export function freeswitchExtensions(flow: Flow, names: DialplanNames): string[] {
  return [
    ...extension(
      names.entry,
      [],
      [action('answer'), transfer('menu', nameIn(names.menus, flow.start), names)],
    ),
    ...menusFromStart(flow).flatMap((menu) => menuExtensions(menu, names)),
  ];
}

/** The `transfer` that leads a call on. */
export function whereTo(to: FlowTarget, names: DialplanNames): string {
  return to.kind === 'menu'
    ? place('menu', nameIn(names.menus, to.menu), names)
    : place('to', nameIn(names.destinations, to.destination), names);
}

/** An extension of the context: its number, further conditions (all of them hold), and what it does. */
export function extension(
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

export function action(application: string, data?: string): string {
  return `<action application="${application}"${data === undefined ? '' : ` data="${data}"`}/>`;
}

function menuExtensions(menu: FlowMenu, names: DialplanNames): string[] {
  const name = nameIn(names.menus, menu.id);
  const file = (recording: string) => `$\${sounds_dir}/rotavox/${nameIn(names.prompts, recording)}.wav`;
  const greet = (sound: string) => action('set', `rotavox_greeting=${sound}`);
  const ask = transfer('ask', name, names);
  const { wrongKey, silence } = menu;
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
    ...attempts('timeout', 'rotavox_silences', silence.retries, silence.retryRecording, {
      recording: silence.lastRecording,
      to: silence.to,
    }),
  ];

  /** What comes of an attempt that ended with this status: when none is left the last prompt, else the next one. */
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

function transfer(kind: 'menu' | 'ask', name: string, names: DialplanNames): string {
  return action('transfer', place(kind, name, names));
}

function place(kind: string, name: string, { entry }: DialplanNames): string {
  return `${kind}_${name} XML ${entry}`;
}
