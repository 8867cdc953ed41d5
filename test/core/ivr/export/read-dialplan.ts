import type { Caller, CallReport, Heard } from './call-engine.ts';

interface Priority {
  readonly label: string | null;
  readonly application: string;
  readonly data: string;
}
export type Dialplan = ReadonlyMap<string, ReadonlyMap<string, readonly Priority[]>>;

/**
 * Reads `extensions.conf` as Asterisk does (main/config.c, pbx/pbx_config.c), but only exten and same lines.
 *
 * A `;` begins a comment unless it is escaped, `;--` a comment of several lines. Any other line is an
 * error here, where Asterisk would warn and continue.
 */
export function readDialplan(text: string): Dialplan {
  const contexts = new Map<string, Map<string, Priority[]>>();
  let context: Map<string, Priority[]> | undefined;
  let priorities: Priority[] | undefined;
  for (const line of withoutComments(text)) {
    const heading = /^\[([A-Za-z0-9_-]{1,79})\]$/.exec(line);
    if (heading !== null) {
      if (contexts.has(heading[1]!)) throw new Error(`A context twice: ${heading[1]!}`);
      context = new Map<string, Priority[]>();
      contexts.set(heading[1]!, context);
      priorities = undefined;
      continue;
    }
    const exten = /^exten\s*=>\s*([^,\s]{1,79}),1,(.*)$/.exec(line);
    const same = /^same\s*=>\s*n(?:\((\w+)\))?,(.*)$/.exec(line);
    if (exten !== null) {
      if (context === undefined || context.has(exten[1]!))
        throw new Error(`An extension out of place: ${line}`);
      if (exten[1]!.startsWith('_')) throw new Error(`A pattern, which this dialect has none of: ${line}`);
      context.set(exten[1]!, (priorities = [priorityOf(null, exten[2]!)]));
    } else if (same !== null) {
      if (priorities === undefined) throw new Error(`Nothing to go on from: ${line}`);
      priorities.push(priorityOf(same[1] ?? null, same[2]!));
    } else throw new Error(`No line of a dialplan: ${line}`);
  }
  return contexts;
}

function* withoutComments(text: string): Generator<string> {
  let depth = 0;
  for (const raw of text.split('\n')) {
    if (Buffer.byteLength(raw) >= 8191) throw new Error('A line that Asterisk reads as two');
    let line = '';
    for (let at = 0; at < raw.length; at += 1) {
      if (raw.startsWith(';--', at) && raw[at + 3] !== '-') depth += 1;
      else if (depth > 0 && raw.startsWith('--;', at)) {
        depth -= 1;
        at += 2;
      } else if (depth === 0) {
        if (raw.startsWith('\\;', at)) at += 1;
        else if (raw[at] === ';') break;
        line += raw[at]!;
      }
    }
    if (line.trim() !== '') yield line.trim();
  }
  if (depth > 0) throw new Error('A comment without an end');
}

function priorityOf(label: string | null, call: string): Priority {
  const match = /^([A-Za-z]+)\((.*)\)$/.exec(call);
  if (match === null) throw new Error(`No application: ${call}`);
  return { label, application: match[1]!, data: match[2]! };
}

/** Runs a call, as `__ast_pbx_run` (main/pbx.c) and the applications of main/pbx_builtins.c do, from `context,s,1`. */
export function callDialplan(dialplan: Dialplan, context: string, caller: Caller): CallReport {
  const heard: Heard[] = [];
  const variables = new Map<string, string>();
  let at = { context, extension: 's', priority: 1 };
  const call: { end: CallReport['end'] | null } = { end: null };

  while (call.end === null) {
    const now = priorityAt(at.context, at.extension, at.priority);
    // Out of priorities, and no key was pressed: autofallthrough ends the call.
    if (now === undefined) return { heard, end: left('fallthrough') };
    const key = run(now);
    if (key === null) at = { ...at, priority: at.priority + 1 };
    else dial(key);
  }
  return { heard, end: call.end };

  function priorityAt(name: string, extension: string, priority: number): Priority | undefined {
    return dialplan.get(name)?.get(extension)?.[priority - 1];
  }
  function left(application: string): CallReport['end'] {
    return { kind: 'left', place: `${at.context},${at.extension}`, application };
  }
  function exists(extension: string): boolean {
    return priorityAt(at.context, extension, 1) !== undefined;
  }
  /** Whether a longer extension begins with it: then Asterisk would wait for more. */
  function matchesMore(digits: string): boolean {
    return [...(dialplan.get(at.context)?.keys() ?? [])].some(
      (extension) => extension.length > digits.length && extension.startsWith(digits),
    );
  }
  /** A key has ended an application: collect_digits, then the extension, else `i`. */
  function dial(key: string): void {
    if (matchesMore(key)) throw new Error(`Asterisk would wait for more keys after ${key}`);
    if (exists(key)) at = { ...at, extension: key, priority: 1 };
    else if (exists('i')) {
      variables.set('INVALID_EXTEN', key);
      at = { ...at, extension: 'i', priority: 1 };
    } else call.end = left('invalid extension');
  }

  /** Runs one application; returns the key that ended it to the loop. */
  function run({ application, data }: Priority): string | null {
    const value = substituted(data);
    const args = value.split(',');
    switch (application) {
      case 'Answer':
        return null;
      case 'Set': {
        const place = value.indexOf('=');
        variables.set(value.slice(0, place), value.slice(place + 1));
        return null;
      }
      case 'Goto':
        goTo(args);
        return null;
      case 'GotoIf': {
        const [condition, branches] = split(value, '?');
        const [yes, no] = split(branches, ':');
        const branch = isTrue(condition) ? yes : no;
        if (branch !== '') goTo(branch.split(','));
        return null;
      }
      case 'Background':
        for (const file of args[0]!.split('&')) {
          heard.push({ plays: file });
          const key = caller.hears();
          if (key === null) continue;
          if (!exists(key) || matchesMore(key)) return key;
          at = { ...at, extension: key, priority: 0 };
          return null;
        }
        return null;
      case 'Playback':
        for (const file of args[0]!.split('&')) {
          heard.push({ plays: file });
          caller.hears(); // dropped
        }
        return null;
      case 'WaitExten': {
        heard.push({ waitsMs: Number(value) * 1000 });
        const input = caller.waits();
        if (input === null) call.end = { kind: 'waiting', menu: at.context };
        else if (input !== '-') return input;
        else if (priorityAt(at.context, at.extension, at.priority + 1) !== undefined) return null;
        else if (exists('t')) at = { ...at, extension: 't', priority: 0 };
        else call.end = left('timeout without t');
        return null;
      }
      case 'Hangup':
        call.end = left(`${application}(${value})`);
        return null;
      default:
        throw new Error(`No such application here: ${application}`);
    }
  }

  /** `priority`, `extension,priority` or `context,extension,priority`; a priority may be a label. */
  function goTo(args: readonly string[]): void {
    const [priority = '', extension = at.extension, name = at.context] = [...args].reverse();
    // The dialplan of the site itself.
    if (at.context.endsWith('_destinations')) {
      call.end = left(`Goto(${args.join(',')})`);
      return;
    }
    const priorities = dialplan.get(name)?.get(extension);
    if (priorities === undefined) throw new Error(`Goto to nowhere: ${args.join(',')}`);
    const number = /^\d+$/.test(priority)
      ? Number(priority)
      : priorities.findIndex(({ label }) => label === priority) + 1;
    if (number === 0) throw new Error(`Goto to no label: ${args.join(',')}`);
    at = { context: name, extension, priority: number - 1 };
  }

  function substituted(data: string): string {
    return data
      .replace(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '')
      .replace(/\$\[(\d+) (>=|\+) (\d+)\]/g, (_, one: string, operator: string, other: string) => {
        if (operator === '+') return String(Number(one) + Number(other));
        return Number(one) >= Number(other) ? '1' : '0';
      });
  }
}

/** pbx_checkcondition: nothing and 0 are false. */
function isTrue(condition: string): boolean {
  return condition !== '' && condition !== '0';
}

function split(text: string, sign: string): [string, string] {
  const place = text.indexOf(sign);
  return place === -1 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}
