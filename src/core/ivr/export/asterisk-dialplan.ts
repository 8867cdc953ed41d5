import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import type { KnownIds } from '../../../contract/menu/ivr-reference.ts';
import { defaultDestinationRules, type DestinationRules } from '../../../contract/calls/pbx.ts';
import { type NoRoute, routeOf } from '../destination-route.ts';
import type { Flow, FlowKey, FlowMenu } from '../flow.ts';
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
}
const unknownSite: AsteriskSite = { rules: defaultDestinationRules, recordings: null };

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
 *
 * A recording that is not among those that are stored here is a sound of the telephone system, and played by its own name.
 *
 * No `h` extension, so nothing runs after a call. Names consist of `a-z`, `0-9` and `_` (`plain-names.ts`);
 * texts of people appear in comments only (`dialplan-names.ts`).
 */
export function asteriskDialplan(
  flow: Flow,
  entry: string,
  { rules, recordings }: AsteriskSite = unknownSite,
): string {
  const names = dialplanNames(flow, entry, recordings);
  const destinations = Array.from(names.destinations, ([destination, name]) =>
    asteriskDestination(destination, name, rules),
  ).flat();
  const isOpen = destinations.some((line) => line.includes(fillIn));
  const blocks = [
    head(flow, names),
    ...menusFromStart(flow).map((menu) => menuContext(menu, names)),
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
    'exten => s,1,Answer()',
    ` same => n,Goto(${menuName(names, flow.start)},s,1)`,
  ];
}

function menuContext(menu: FlowMenu, names: DialplanNames): string[] {
  const { wrongKey, timeout } = menu;
  const play = (recording: string) => soundFile(names, recording);
  return [
    `; Menu: ${commentText(menu.name)}`,
    ...(commentText(menu.description) === '' ? [] : [`; ${commentText(menu.description)}`]),
    `[${menuName(names, menu.id)}]`,
    'exten => s,1,Set(ROTAVOX_WRONG_KEYS=0)',
    ' same => n,Set(ROTAVOX_SILENCES=0)',
    ` same => n(again),Background(${play(menu.recording)})`,
    ` same => n,WaitExten(${menu.timeoutSeconds})`,
    ...Array.from(menu.keys, ([key, chosen]) => keyExtension(key, chosen, names)).flat(),
    `exten => i,1,GotoIf($[\${ROTAVOX_WRONG_KEYS} >= ${wrongKey.retries}]?last)`,
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

function keyExtension(key: string, { to, smsTemplate }: FlowKey, names: DialplanNames): string[] {
  const lead = goTo(to, names);
  if (smsTemplate === null) return [`exten => ${key},1,${lead}`];
  const comment = `; Key ${key} sends SMS template ${commentText(smsTemplate)}, which is left to what comes after.`;
  return isPlainId(smsTemplate)
    ? [comment, `exten => ${key},1,Set(ROTAVOX_SMS_TEMPLATE=${smsTemplate})`, ` same => n,${lead}`]
    : [comment, `exten => ${key},1,${lead}`];
}

function goTo(to: FlowTarget, names: DialplanNames): string {
  return to.kind === 'menu'
    ? `Goto(${menuName(names, to.menu)},s,1)`
    : `Goto(${names.entry}_destinations,${nameIn(names.destinations, to.destination)},1)`;
}

function menuName({ entry, menus }: DialplanNames, id: string): string {
  return `${entry}_menu_${nameIn(menus, id)}`;
}

/**
 * The extension at which calls for a destination arrive. A comment above it describes what is not known here.
 *
 * `Goto` to what the dialplan does not have ends the call, and Asterisk logs it. A live call goes to its fallback then, which
 * this is.
 */
function asteriskDestination(destination: string, name: string, rules: DestinationRules): string[] {
  const route = routeOf(destination, rules);
  const comment = `; ${destinationComment(destination)}`;
  switch (route.kind) {
    case 'hang_up':
      return [comment, `exten => ${name},1,Hangup()`];
    case 'dialplan':
      return [comment, `exten => ${name},1,Goto(${route.context},${route.extension},1)`];
    case 'other_menu':
      return [`${comment}${fillIn}Goto of the menu with this id.`, `exten => ${name},1,Hangup()`];
    case 'none':
      return [`${comment}${fillIn}${whatIsMissing(route.why)}`, `exten => ${name},1,Hangup()`];
  }
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
  }
}
