import { type CallStep, type CallTime, startCall, step } from '../../../../src/core/ivr/call/step.ts';
import {
  dialplanNames,
  entryName,
  nameIn,
  soundFile,
} from '../../../../src/core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import { callDialplan, readDialplan } from './read-dialplan.ts';
import { callFreeswitch, readFreeswitch } from './read-freeswitch.ts';
import { anyTime } from '../../../fixtures/any-time.ts';

/**
 * The engine's call, in the names of the telephone systems; `sound` says how they name a file. Digits of an entry that the caller does not
 * go on with are followed by a pause.
 */
export function callEngine(
  flow: Flow,
  caller: Caller,
  sound: (name: string) => string,
  now: CallTime = anyTime,
): EngineReport {
  const names = dialplanNames(flow, '');
  const heard: Heard[] = [];
  let dialled = null as string | null;
  let state = note(startCall(flow, now));
  for (;;) {
    switch (state.kind) {
      case 'ended':
        return {
          heard,
          end:
            dialled === null
              ? { kind: 'left', destination: nameIn(names.destinations, state.destination) }
              : { kind: 'dialled', number: dialled },
        };
      case 'playing': {
        const key = caller.hears();
        const pressed = key === null ? null : step(flow, state, { kind: 'key', key }, now);
        // A key that counts for nothing does not end the prompt either.
        const isOver = pressed === null || pressed.happenings.length === 0;
        state = note(isOver ? step(flow, state, { kind: 'prompt_ended' }, now) : pressed);
        continue;
      }
      case 'collecting': {
        const key = caller.goesOn();
        state = note(step(flow, state, key === null ? { kind: 'digits_ended' } : { kind: 'key', key }, now));
        continue;
      }
      case 'waiting': {
        const input = caller.waits();
        if (input === null) return { heard, end: { kind: 'waiting', menu: nameIn(names.menus, state.menu) } };
        state = note(
          step(flow, state, input === '-' ? { kind: 'silence' } : { kind: 'key', key: input }, now),
        );
      }
    }
  }

  function note({ state: next, happenings }: CallStep): CallStep['state'] {
    for (const happening of happenings) {
      if (happening.kind === 'playing')
        heard.push({
          plays: sound(soundFile(names, { prompt: happening.prompt.recording, speech: undefined })),
        });
      if (happening.kind === 'waiting') heard.push({ waitsMs: happening.seconds * 1000 });
      if (happening.kind === 'led') dialled = happening.port.kind === 'number' ? happening.port.number : null;
    }
    return next;
  }
}

export interface EngineReport {
  readonly heard: readonly Heard[];
  readonly end:
    | { readonly kind: 'waiting'; readonly menu: string }
    | { readonly kind: 'left'; readonly destination: string }
    /** By direct dial. */
    | { readonly kind: 'dialled'; readonly number: string };
}

/** What a caller does, and when: while the next prompt plays, or once a menu waits. */
export interface Deed {
  /** One key or several, typed quickly; `-` is a timeout. */
  readonly input: string;
  readonly during: 'prompt' | 'wait';
}

/** A caller who acts step by step. A timeout happens only while a menu waits. */
export class Caller {
  readonly #deeds: Deed[];
  /** Of an entry that was begun. */
  #left = '';

  constructor(deeds: readonly Deed[]) {
    this.#deeds = [...deeds];
  }

  /** The key that is pressed while a prompt plays, or null when it is heard to its end. */
  hears(): string | null {
    const next = this.#deeds[0];
    const isHeard = next === undefined || next.during === 'wait' || next.input === '-';
    return this.#left === '' && isHeard ? null : this.waits();
  }

  /** What is done while a menu waits; null: nothing more, the caller is left waiting. */
  waits(): string | null {
    if (this.#left === '') this.#left = this.#deeds.shift()?.input ?? '';
    return this.goesOn();
  }

  /** The next key of an entry that was begun; null: it was the last one. */
  goesOn(): string | null {
    const next = this.#left.slice(0, 1);
    this.#left = this.#left.slice(1);
    return next === '' ? null : next;
  }
}

/** What a call was like, in the words of a telephone system: files and names, not recordings and menus. */
export interface CallReport {
  readonly heard: readonly Heard[];
  readonly end:
    | { readonly kind: 'waiting'; readonly menu: string }
    /** Where the call was led, and the application that took it. */
    | { readonly kind: 'left'; readonly place: string; readonly application: string };
}

export type Heard = { readonly plays: string } | { readonly waitsMs: number };

/** A telephone system that runs an export, compared with the engine under the same names. */
export interface TelephoneSystem {
  readonly name: string;
  readonly write: (flow: Flow) => string;
  readonly run: (exported: string, deeds: readonly Deed[]) => CallReport;
  /** The engine's report in the terms of this system, except for the application that ends the call. */
  readonly expected: (flow: Flow, deeds: readonly Deed[]) => unknown;
}

const entry = entryName({ name: 'Front desk, “2026”', id: 'ivr_1' });

export const asterisk: TelephoneSystem = {
  name: 'Asterisk',
  write: (flow) => asteriskDialplan(flow, entry),
  run: (exported, deeds) => callDialplan(readDialplan(exported), entry, new Caller(deeds)),
  expected: (flow, deeds) =>
    inNames(
      callEngine(flow, new Caller(deeds), (file) => file),
      {
        menu: (name) => `${entry}_menu_${name}`,
        destination: (name) => `${entry}_destinations,${name}`,
      },
    ),
};

export const freeswitch: TelephoneSystem = {
  name: 'FreeSWITCH',
  write: (flow) => freeswitchMenus(flow, entry),
  run: (exported, deeds) =>
    callFreeswitch(readFreeswitch(exported), { number: entry, context: entry }, new Caller(deeds)),
  expected: (flow, deeds) =>
    inNames(
      callEngine(flow, new Caller(deeds), (file) => `/sounds/${file}.wav`),
      {
        menu: (name) => `${entry}_${name}`,
        destination: (name) => `${entry},to_${name}`,
      },
    ),
};

/** The common part of both reports: everything heard, in order, and where the call ends. */
export function route({ heard, end }: CallReport): unknown {
  return { heard, end: end.kind === 'waiting' ? end.menu : end.place };
}

function inNames(
  { heard, end }: EngineReport,
  { menu, destination }: Record<'menu' | 'destination', (name: string) => string>,
): unknown {
  switch (end.kind) {
    case 'waiting':
      return { heard, end: menu(end.menu) };
    case 'left':
      return { heard, end: destination(end.destination) };
    case 'dialled':
      throw new Error('These flows have no direct dial.');
  }
}
