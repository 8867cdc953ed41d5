import type { Flow, FlowMenu, FlowTarget } from '../flow.ts';
import { commentText } from './comment-text.ts';
import { type DialplanNames, dialplanNames, menusFromStart, nameIn } from './dialplan-names.ts';
import { freeswitchDestination } from './freeswitch-destination.ts';
import { freeswitchExtensions, whereTo } from './freeswitch-extensions.ts';
import { isPlainId } from './plain-names.ts';

/**
 * A flow for FreeSWITCH: a `<menu>` each for `ivr.conf.xml`, and the dialplan context that counts around them. `drawing` is
 * what the drawing is called, and so what they are: several can stand in one system.
 *
 * Why a `<menu>` does not count by itself (FreeSWITCH, src/switch_ivr_menu.c `switch_ivr_menu_execute`):
 * - it plays nothing of its own at silence, only its greeting again, so it cannot play the retry recording;
 * - it keeps its counts to itself, and left at the first silence it would have forgotten the wrong keys;
 * - `exit-sound` is played on every way out, and `invalid-sound` before the last attempt is told from the others.
 *
 * So each menu is one attempt (`max-failures` and `max-timeouts` are 1). It ends with `ivr_menu_status` at `failure`
 * or `timeout`, the dialplan counts, plays what is last with `playback`, and begins the next attempt with a greeting
 * that has the notice before it (`file_string://`): one greeting, so a key during the notice counts at once. A key that
 * is used leaves by `transfer`, which also ends the menu; entries of one key all run, in their order. `#` is a key only
 * when `ivr_menu_terminator` is no key (`play_and_collect`).
 */
export function freeswitchMenus(flow: Flow, drawing: string): string {
  const names = dialplanNames(flow, drawing);
  const { entry } = names;
  const menus = menusFromStart(flow);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- Phone menus, written by Rotavox. Lead calls here: transfer ${entry} XML ${entry}.`,
    `     The menu elements belong into ivr_menus/${entry}.xml, the context into dialplan/${entry}.xml, each within an`,
    '     include element. The audio belongs into the folder rotavox of the sounds directory:',
    ...Array.from(names.prompts, ([recording, name]) => `       ${name}.wav: ${commentText(recording)}`),
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
      freeswitchDestination(destination, name),
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

/** What is sent is left to what comes after, which finds the template in a variable. */
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
