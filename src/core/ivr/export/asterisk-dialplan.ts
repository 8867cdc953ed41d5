import type { FlowTarget } from '../../../contract/ivr-call.ts';
import type { Flow, FlowKey, FlowMenu } from '../flow.ts';
import { type KnownIds, readReference } from '../../../contract/ivr-reference.ts';
import {
  commentText,
  type DialplanNames,
  dialplanNames,
  menusFromStart,
  nameIn,
  soundFile,
} from './dialplan-names.ts';
import { isPlainId } from './plain-names.ts';

/**
 * A flow as `extensions.conf` of Asterisk: a context for each menu, and one with all destinations. `flowName` is
 * the name of the call flow, which its contexts start with, so that one dialplan can contain several.
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
export function asteriskDialplan(flow: Flow, flowName: string, recordings: KnownIds | null = null): string {
  const names = dialplanNames(flow, flowName, recordings);
  const blocks = [
    head(flow, names),
    ...menusFromStart(flow).map((menu) => menuContext(menu, names)),
    [
      '; Where calls end. Complete what is marked "Fill in".',
      `[${names.entry}_destinations]`,
      ...Array.from(names.destinations, ([destination, name]) =>
        asteriskDestination(destination, name),
      ).flat(),
    ],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function head(flow: Flow, names: DialplanNames): string[] {
  return [
    `; Phone menus, written by Rotavox. Save as ${names.entry}.conf beside extensions.conf, and include it there:`,
    `; #include ${names.entry}.conf`,
    `; Send calls here with Goto(${names.entry},s,1).`,
    '; Put the audio in the folder "rotavox" in the sounds directory of Asterisk:',
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

/** The extension at which calls for a destination arrive. A comment above it describes what is not known here. */
function asteriskDestination(destination: string, name: string): string[] {
  const { application, fillIn } = arrival(destination);
  return [
    `; ${commentText(destination)}${fillIn === null ? '' : `. Fill in: ${fillIn}`}`,
    `exten => ${name},1,${application ?? 'Hangup()'}`,
    ...(application === null ? [] : [' same => n,Hangup()']),
  ];
}

interface Arrival {
  /** Null: the call ends here until the owner completes it. */
  readonly application: string | null;
  readonly fillIn: string | null;
}

function arrival(destination: string): Arrival {
  const { type, id } = readReference(destination) ?? { type: '', id: '' };
  if (type === 'hangup') return { application: null, fillIn: null };
  if (!isPlainId(id))
    return { application: null, fillIn: 'its name. A dialplan cannot contain it as it is.' };
  switch (type) {
    case 'extension':
      return { application: `Dial(PJSIP/${id},30)`, fillIn: 'the technology, if it is not PJSIP.' };
    case 'voicemail':
      return {
        application: `VoiceMail(${id}@default,u)`,
        fillIn: 'the voicemail context, if it is not "default".',
      };
    case 'department':
      return { application: `Queue(${id})`, fillIn: 'the queue, if it has another name.' };
    case 'ivr':
      return { application: null, fillIn: 'Goto of the menu with this id.' };
    default:
      return { application: null, fillIn: 'GotoIfTime with the hours and their destinations.' };
  }
}
