import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import type { KnownIds } from '../../../contract/menu/ivr-reference.ts';
import type { OutsideRules } from '../../../contract/calls/outside-calls.ts';
import { defaultDestinationRules, type DestinationRules } from '../../../contract/calls/pbx.ts';
import { digitSeconds, takesDigits } from '../call/dialable.ts';
import { outsideCounter } from '../../calls/asterisk-lines.ts';
import { type DialplanPlace, type NoRoute, routeOf } from '../destination-route.ts';
import { type Flow, type FlowKey, type FlowMenu, nodeLedTo } from '../flow.ts';
import { type DialledAction, dialledExtensions } from './dialplan-digits.ts';
import { hoursContext } from './dialplan-hours.ts';
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

/** What is known of the telephone system that an export is for. */
export interface AsteriskSite {
  readonly rules: DestinationRules;
  /** The recordings that are stored here; null: they are not known. */
  readonly recordings: KnownIds | null;
  readonly outside: OutsideRules;
}
const unknownSite: AsteriskSite = {
  rules: defaultDestinationRules,
  recordings: null,
  outside: { countries: [], perHour: 1 },
};

/**
 * A flow as `extensions.conf` of Asterisk: a context for each menu, and one with all destinations. `entry` is the name that
 * its contexts start with (`entryName`), so that one dialplan can contain several. Calls leave it where live calls leave a
 * menu: by the rules of the telephone system that it is for.
 *
 * How it plays (Asterisk, main/pbx.c `__ast_pbx_run` and main/pbx_builtins.c):
 * - `Background` ends at a key. A key that is an extension of the context leads there immediately, since no longer one begins
 * with it; any other key leads to `i`. The same holds during `WaitExten`.
 * - `WaitExten` leads to `t` after its time, but only as the last priority of its extension.
 * - `Playback` drops keys: the last prompt before a call leaves a menu is played to its end.
 * - Both counters are channel variables, reset whenever `s,1` of a menu is entered. `s,again` is the next attempt.
 * - Several digits: `dialplan-digits.ts`. A number that is not allowed is heard to its end in a context of its own, so that its last digits
 * are no keys of the menu.
 * - Opening hours: `dialplan-hours.ts`. A message is a `Playback`.
 *
 * A recording that is not among those that are stored here is a sound of the telephone system, and played by its own name.
 *
 * No `h` extension, so nothing runs after a call. Names consist of `a-z`, `0-9` and `_` (`plain-names.ts`);
 * texts of people appear in comments only (`dialplan-names.ts`).
 */
export function asteriskDialplan(
  flow: Flow,
  entry: string,
  { rules, recordings, outside }: AsteriskSite = unknownSite,
): string {
  const names = dialplanNames(flow, entry, recordings);
  const hasDigits = [...flow.menus.values()].some(takesDigits);
  const destinations = Array.from(names.destinations, ([destination, name]) =>
    asteriskDestination(destination, { rules, outside }, (lead) => leaving(name, lead, hasDigits)),
  ).flat();
  const isOpen = destinations.some((line) => line.includes(fillIn));
  const blocks = [
    [...head(flow, names), ...start(flow, names, hasDigits)],
    ...menusFromStart(flow).flatMap((menu) =>
      takesDigits(menu)
        ? digitsContexts(menu, flow, names)
        : [menuContext(menu, keyExtensions(menu, names), names)],
    ),
    ...Array.from(flow.hours.values(), ({ id, schedule, open, closed, holiday }) =>
      hoursContext(contextOf(names, 'hours', id), schedule, {
        open: goTo(open, names),
        closed: goTo(closed, names),
        holiday: goTo(holiday ?? closed, names),
      }),
    ),
    ...Array.from(flow.messages.values(), ({ id, name, recording, speech, then }) => [
      `; Message: ${commentText(name)}`,
      `[${contextOf(names, 'messages', id)}]`,
      `exten => s,1,Playback(${soundFile(names, { prompt: recording, speech })})`,
      ` same => n,${goTo(then, names)}`,
    ]),
    ...([...flow.menus.values()].some(({ directDial }) => directDial !== null)
      ? [directDialContext(names, rules)]
      : []),
    [
      `; Where calls end.${isOpen ? ' Complete what is marked "Fill in".' : ''}`,
      `[${names.entry}_destinations]`,
      ...destinations,
    ],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const fillIn = '. Fill in: ';

function head(flow: Flow, names: DialplanNames): string[] {
  return [
    `; Phone menus, written by Rotavox. Save as ${names.entry}.conf beside extensions.conf, and include it there:`,
    `; #include ${names.entry}.conf`,
    `; Send calls here with Goto(${names.entry},s,1).`,
    ...(names.prompts.size === 0
      ? []
      : ['; Put the audio in the folder "rotavox" in the sounds directory of Asterisk:']),
    ...Array.from(names.prompts, ([recording, name]) => `;   ${name}: ${commentText(recording)}`),
    ...(names.sounds.size === 0 ? [] : ['; These sounds have to be on the telephone system already:']),
    ...Array.from(names.sounds.values(), (sound) => `;   ${sound}`),
    `[${names.entry}]`,
  ];
}

function start(flow: Flow, names: DialplanNames, hasDigits: boolean): string[] {
  return [
    'exten => s,1,Answer()',
    ...(hasDigits ? [' same => n,Set(ROTAVOX_DIGIT_TIMEOUT=${TIMEOUT(digit)})'] : []),
    ` same => n,Goto(${nodeContext(names, flow.start)},s,1)`,
  ];
}

/** An extension that calls are led out to, with what it does first. It gives the site its own digit timeout back. */
function leaving(exten: string, lead: string, hasDigits: boolean): string[] {
  return hasDigits
    ? [`exten => ${exten},1,Set(TIMEOUT(digit)=\${ROTAVOX_DIGIT_TIMEOUT})`, ` same => n,${lead}`]
    : [`exten => ${exten},1,${lead}`];
}

function menuContext(menu: FlowMenu, entries: readonly string[], names: DialplanNames): string[] {
  const { wrongKey, timeout } = menu;
  const hasDigits = takesDigits(menu);
  const play = (prompt: string) => soundFile(names, { prompt, speech: menu.speech });
  return [
    `; Menu: ${commentText(menu.name)}`,
    ...(commentText(menu.description) === '' ? [] : [`; ${commentText(menu.description)}`]),
    `[${contextOf(names, 'menus', menu.id)}]`,
    'exten => s,1,Set(ROTAVOX_WRONG_KEYS=0)',
    ' same => n,Set(ROTAVOX_SILENCES=0)',
    ...(hasDigits ? [` same => n,Set(TIMEOUT(digit)=${digitSeconds(menu)})`] : []),
    ` same => n(again),Background(${play(menu.recording)})`,
    ` same => n,WaitExten(${menu.timeoutSeconds})`,
    ...entries,
    `exten => ${hasDigits ? 'wrong' : 'i'},1,GotoIf($[\${ROTAVOX_WRONG_KEYS} >= ${wrongKey.retries}]?last)`,
    ' same => n,Set(ROTAVOX_WRONG_KEYS=$[${ROTAVOX_WRONG_KEYS} + 1])',
    ` same => n,Background(${play(wrongKey.recording)})`,
    ' same => n,Goto(s,again)',
    ` same => n(last),Playback(${play(wrongKey.recording)})`,
    ` same => n,${goTo(wrongKey.to, names)}`,
    `exten => t,1,GotoIf($[\${ROTAVOX_SILENCES} >= ${timeout.retries}]?last)`,
    ' same => n,Set(ROTAVOX_SILENCES=$[${ROTAVOX_SILENCES} + 1])',
    ` same => n,Background(${play(timeout.retryRecording)})`,
    ' same => n,Goto(s,again)',
    ` same => n(last),Playback(${play(timeout.lastRecording)})`,
    ` same => n,${goTo(timeout.to, names)}`,
  ];
}

function keyExtensions({ keys }: FlowMenu, names: DialplanNames): string[] {
  return Array.from(keys, ([key, chosen]) => keyExtension(key, chosen, names)).flat();
}

/** A menu that takes several digits, and where the rest of a number is heard that is none of its entries. */
function digitsContexts(menu: FlowMenu, flow: Flow, names: DialplanNames): string[][] {
  const context = contextOf(names, 'menus', menu.id);
  const rest = `${names.entry}_rest_${nameIn(names.menus, menu.id)}`;
  const entries = Array.from(dialledExtensions(menu, flow.extensions)).flatMap(([exten, action]) => {
    const key = menu.keys.get(exten);
    return key === undefined
      ? [`exten => ${exten},1,${dialledLead(exten, action)}`]
      : keyExtension(exten, key, names);
  });
  const wrong = `Goto(${context},wrong,1)`;
  return [
    menuContext(
      menu,
      [
        ...entries,
        'exten => i,1,GotoIf($["${INVALID_EXTEN}" = "#"]?wrong,1)',
        ` same => n,Goto(${rest},s,1)`,
      ],
      names,
    ),
    [
      '; The rest of a number that callers may not dial',
      `[${rest}]`,
      `exten => s,1,WaitExten(${digitSeconds(menu)})`,
      'exten => _[0-9*],1,Goto(s,1)',
      '; Speech may sound like one of the keys A to D, which no telephone has',
      'exten => i,1,Goto(s,1)',
      `exten => #,1,${menu.keys.has('#') ? 'Goto(s,1)' : wrong}`,
      `exten => t,1,${wrong}`,
    ],
  ];

  function dialledLead(exten: string, action: DialledAction): string {
    const digits = exten.replace(/^_/, '').replace(/#$/, '');
    const isEnded = exten.length > 1 && exten.endsWith('#');
    switch (action) {
      case 'lead':
        return `Goto(${digits},1)`;
      case 'dial':
        return `Goto(${names.entry}_direct_dial,\${EXTEN${isEnded ? ':0:-1' : ''}},1)`;
      case 'wrong':
        return 'Goto(wrong,1)';
      case 'too_far':
        return `Goto(${rest},s,1)`;
    }
  }
}

/** Where numbers of the house are on the telephone system. Only the menus lead here, with what they allow. */
function directDialContext(names: DialplanNames, rules: DestinationRules): string[] {
  const { extension: rule } = rules;
  const lead =
    rule === undefined
      ? 'Hangup()'
      : `Goto(${rule.context},${rule.extension.replaceAll('{id}', '${EXTEN}')},1)`;
  return [
    `; Numbers that callers dial.${rule === undefined ? `${fillIn}${whatIsMissing({ code: 'no_rule', type: 'extension' })}` : ''}`,
    `[${names.entry}_direct_dial]`,
    ...leaving('_Z!', lead, true),
  ];
}

function keyExtension(key: string, { to, smsTemplate }: FlowKey, names: DialplanNames): string[] {
  const lead = goTo(to, names);
  if (smsTemplate === null) return [`exten => ${key},1,${lead}`];
  const comment = `; Key ${key} sends SMS template ${commentText(smsTemplate)}, which is left to what comes after.`;
  return isPlainId(smsTemplate)
    ? [comment, `exten => ${key},1,Set(ROTAVOX_SMS_TEMPLATE=${smsTemplate})`, ` same => n,${lead}`]
    : [comment, `exten => ${key},1,${lead}`];
}

function goTo(to: FlowTarget, names: DialplanNames): string {
  return to.kind === 'destination'
    ? `Goto(${names.entry}_destinations,${nameIn(names.destinations, to.destination)},1)`
    : `Goto(${nodeContext(names, nodeLedTo(to))},s,1)`;
}

const contextWords = { menus: 'menu', hours: 'hours', messages: 'message' } as const;

function contextOf(names: DialplanNames, kind: keyof typeof contextWords, id: string): string {
  return `${names.entry}_${contextWords[kind]}_${nameIn(names[kind], id)}`;
}

/** The context of a node of any kind. */
function nodeContext(names: DialplanNames, id: string): string {
  if (names.hours.has(id)) return contextOf(names, 'hours', id);
  return contextOf(names, names.messages.has(id) ? 'messages' : 'menus', id);
}

/**
 * The extension at which calls for a destination arrive. A comment above it describes what is not known here.
 *
 * `Goto` to what the dialplan does not have ends the call, and Asterisk logs it. A live call goes to its fallback then, which
 * this is.
 */
function asteriskDestination(
  destination: string,
  { rules, outside }: Pick<AsteriskSite, 'rules' | 'outside'>,
  leave: (lead: string) => string[],
): string[] {
  const route = routeOf(destination, rules, outside);
  const comment = `; ${destinationComment(destination)}`;
  switch (route.kind) {
    case 'hang_up':
      return [comment, ...leave('Hangup()')];
    case 'dialplan':
      return [comment, ...leave(`Goto(${route.context},${route.extension},1)`)];
    case 'outside':
      return [comment, ...countedLines(route, outside, leave)];
    case 'other_menu':
      return [`${comment}${fillIn}Goto of the menu with this id.`, ...leave('Hangup()')];
    case 'none':
      return [`${comment}${fillIn}${whatIsMissing(route.why)}`, ...leave('Hangup()')];
  }
}

/**
 * Counts a call to an outside number in the database of Asterisk (func_db), where live calls are counted, too. Without it no number is
 * called: what was written is read again, or more, where a live call was counted meanwhile.
 *
 * Calls that come at once wait for each other (func_lock, which also lets go when a channel ends). Where that is missing, `LOCK` is empty and
 * nobody waits.
 */
// see decisions/outside-numbers.md
function countedLines(
  { context, extension }: DialplanPlace,
  { perHour }: OutsideRules,
  leave: (lead: string) => string[],
): string[] {
  const { hour, count, entry } = { hour: 'ROTAVOX_HOUR', count: 'ROTAVOX_OUTSIDE', entry: outsideCounter };
  const before = `\${DB(${entry})}`;
  const unlock = 'Set(ROTAVOX_LOCK=${UNLOCK(rotavox_outside)})';
  return [
    `; No more than ${perHour} calls to outside numbers in an hour.`,
    ...leave('Set(ROTAVOX_LOCK=${LOCK(rotavox_outside)})'),
    ' same => n,GotoIf($["${ROTAVOX_LOCK}" = "0"]?over)',
    ` same => n,Set(${hour}=$[\${EPOCH} - \${EPOCH} % 3600])`,
    ` same => n,Set(${count}=${before})`,
    ` same => n,GotoIf($["\${${count}:0:10}" = "\${${hour}}"]?counted)`,
    ` same => n,Set(${count}=\${${hour}}-0)`,
    ` same => n(counted),Set(${count}=$[\${${count}:11} + 1])`,
    ` same => n,GotoIf($[\${${count}} > ${perHour}]?over)`,
    ` same => n,Set(DB(${entry})=\${${hour}}-\${${count}})`,
    ` same => n,GotoIf($[0\${DB(${entry}):11} < \${${count}}]?over)`,
    ` same => n,${unlock}`,
    ` same => n,Goto(${context},${extension},1)`,
    ` same => n(over),${unlock}`,
    ' same => n,Hangup()',
  ];
}

/** Where to go on, for the owner who completes the line below. */
export function whatIsMissing(why: NoRoute): string {
  switch (why.code) {
    case 'no_rule':
      return 'where such a destination is on this telephone system.';
    case 'unknown_type':
      return 'where this is on this telephone system.';
    case 'character':
    case 'too_long':
    case 'reserved':
      return 'a number that can be dialled. A dialplan cannot contain this one.';
    case 'not_international':
    case 'no_such_number':
      return 'another number. This one cannot be called.';
    case 'no_countries':
      return 'another destination. The settings allow no calls to outside numbers.';
    case 'other_country':
      return 'another number. The settings do not allow calls to the country of this one.';
    case 'costly_number':
      return 'another number. Menus do not call numbers at premium rates.';
  }
}
