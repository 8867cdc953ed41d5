import type { Caller, CallReport, Heard } from './call-engine.ts';
import { elementsOf, readXml, type XmlElement } from './read-xml.ts';

export interface FreeswitchConfiguration {
  readonly menus: ReadonlyMap<string, XmlElement>;
  readonly contexts: ReadonlyMap<string, XmlElement>;
}

/** Reads the output of `freeswitchMenus`, after FreeSWITCH's preprocessor has replaced its global variables. */
export function readFreeswitch(text: string): FreeswitchConfiguration {
  const root = readXml(text.replaceAll('$${sounds_dir}', '/sounds'));
  const byName = (name: string) =>
    new Map(elementsOf(root, name).map((element) => [attribute(element, 'name'), element]));
  return { menus: byName('menu'), contexts: byName('context') };
}

/**
 * Runs a call: mod_dialplan_xml finds the extension, its applications run, `ivr` as in src/switch_ivr_menu.c.
 *
 * A `transfer` ends the list of actions, and the menu in which it was executed.
 */
export function callFreeswitch(
  { menus, contexts }: FreeswitchConfiguration,
  start: { readonly number: string; readonly context: string },
  caller: Caller,
): CallReport {
  const heard: Heard[] = [];
  const variables = new Map<string, string>();
  const call: { end: CallReport['end'] | null } = { end: null };
  let number = start.number;
  let contextName = start.context;
  /** Keys that were pressed and not processed yet. */
  const queue: string[] = [];
  let isTransferred = true;

  while (call.end === null) {
    if (!isTransferred) return { heard, end: left('no more actions') };
    isTransferred = false;
    const found = hunt();
    if (found === null) return { heard, end: left('no route') };
    for (const { application, data } of found) {
      execute(application, expanded(data));
      if (isReady()) continue;
      break;
    }
  }
  return { heard, end: call.end };

  /** All conditions are evaluated before any action runs; the first extension whose conditions hold is used. */
  function hunt(): { application: string; data: string }[] | null {
    for (const extension of contexts.get(contextName)?.children ?? []) {
      const conditions = extension.children;
      const holds = conditions.every((condition) => {
        const field = attribute(condition, 'field');
        const value = field === 'destination_number' ? number : expanded(field);
        return new RegExp(attribute(condition, 'expression')).test(value);
      });
      if (holds)
        return elementsOf(extension, 'action').map((action) => ({
          application: attribute(action, 'application'),
          data: action.attributes.get('data') ?? '',
        }));
    }
    return null;
  }

  function execute(application: string, data: string): void {
    switch (application) {
      case 'answer':
        return;
      case 'set': {
        const place = data.indexOf('=');
        const value = data.slice(place + 1);
        if (value === '') variables.delete(data.slice(0, place));
        else variables.set(data.slice(0, place), value);
        return;
      }
      case 'transfer': {
        const [to = '', dialplan, context = ''] = data.split(' ');
        if (dialplan !== 'XML') throw new Error(`No such dialplan: ${data}`);
        // The dialplan of the site itself.
        if (!contexts.has(context)) {
          call.end = left(`${application} ${data}`);
          return;
        }
        number = to;
        contextName = context;
        isTransferred = true;
        return;
      }
      case 'playback':
        playback(data);
        return;
      case 'ivr':
        runMenu(data);
        return;
      case 'voicemail':
      case 'callcenter':
      case 'bridge':
      case 'hangup':
        call.end = left(data === '' ? application : `${application} ${data}`);
        return;
      default:
        throw new Error(`No such application here: ${application}`);
    }
  }

  /** switch_ivr_menu_execute, without what these menus do not use: submenus, pins, confirmations. */
  function runMenu(name: string): void {
    const menu = menus.get(name);
    if (menu === undefined) throw new Error(`Invalid Menu! ${name}`);
    const setting = (key: string) => Number(attribute(menu, key));
    let errors = 0;
    let timeouts = 0;
    variables.set('ivr_menu_status', 'success');
    for (let repetition = 0; isReady(); repetition += 1) {
      if (errors === setting('max-failures')) {
        variables.set('ivr_menu_status', 'failure');
        break;
      }
      if (timeouts === setting('max-timeouts')) {
        variables.set('ivr_menu_status', 'timeout');
        break;
      }
      const short = menu.attributes.get('greet-short');
      const greeting = repetition > 0 && short !== undefined ? short : attribute(menu, 'greet-long');
      const collected = collect(expanded(greeting), setting('digit-len'), setting('timeout'), name);
      if (collected === null) return; // the caller is left waiting
      if (collected === 'timeout') {
        timeouts += 1;
        continue;
      }
      let matches = 0;
      for (const entry of collected === '' ? [] : menu.children) {
        const digits = attribute(entry, 'digits');
        if (digits.startsWith('/')) throw new Error('A pattern, which this dialect has none of');
        if (digits !== collected) continue;
        matches += 1;
        errors = 0;
        if (attribute(entry, 'action') !== 'menu-exec-app')
          throw new Error('Another action than menu-exec-app');
        const [application = '', ...data] = attribute(entry, 'param').split(' ');
        execute(application, data.join(' '));
      }
      if (matches > 0) continue;
      const invalid = menu.attributes.get('invalid-sound');
      if (collected !== '' && invalid !== undefined) playUntilKey(expanded(invalid));
      errors += 1;
    }
    const exit = menu.attributes.get('exit-sound');
    if (exit !== undefined && exit !== '') playUntilKey(expanded(exit));
  }

  /** play_and_collect with digits to collect: a key ends the sound; the terminator counts only while it waits. */
  function collect(sound: string, length: number, timeoutMs: number, menu: string): string | null {
    if (length !== 1) throw new Error('A menu that takes more than one key');
    for (const file of filesOf(sound)) {
      const queued = queue.shift();
      if (queued !== undefined) return queued;
      heard.push({ plays: file });
      const key = caller.hears();
      if (key !== null) return key;
    }
    heard.push({ waitsMs: timeoutMs });
    const input = caller.waits();
    if (input === null) {
      call.end = { kind: 'waiting', menu };
      return null;
    }
    if (input === '-') return 'timeout';
    return (variables.get('ivr_menu_terminator') ?? '#').includes(input) ? '' : input;
  }

  /** play_and_collect without: a key ends the sound and stays in the queue. */
  function playUntilKey(sound: string): void {
    for (const file of filesOf(sound)) {
      heard.push({ plays: file });
      const key = caller.hears();
      if (key === null) continue;
      queue.push(key);
      return;
    }
  }

  /** playback_function with on_dtmf: keys are removed from the queue, a terminator ends the file. */
  function playback(sound: string): void {
    const terminators = variables.get('playback_terminators') ?? '*';
    for (const file of filesOf(sound)) {
      heard.push({ plays: file });
      const key = caller.hears();
      if (key !== null && terminators !== 'none' && terminators.includes(key)) return;
    }
  }

  function isReady(): boolean {
    return call.end === null && !isTransferred;
  }
  function left(application: string): CallReport['end'] {
    return { kind: 'left', place: `${contextName},${number}`, application };
  }
  function expanded(text: string): string {
    return text.replace(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '');
  }
}

function filesOf(sound: string): string[] {
  const list = 'file_string://';
  return sound.startsWith(list) ? sound.slice(list.length).split('!') : [sound];
}

function attribute(element: XmlElement, name: string): string {
  const value = element.attributes.get(name);
  if (value === undefined) throw new Error(`<${element.name}> has no ${name}`);
  return value;
}
