import { type CallStep, startCall, step } from '../../../../src/core/ivr/call/step.ts';
import { dialplanNames, entryName, nameIn } from '../../../../src/core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import type { ScenarioInput } from '../../../../src/contract/menu/ivr-draft.ts';
import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import { callDialplan, readDialplan } from './read-dialplan.ts';
import { callFreeswitch, readFreeswitch } from './read-freeswitch.ts';

/** The engine's call, in the names of the telephone systems; `sound` says how they name a file. */
export function callEngine(flow: Flow, caller: Caller, sound: (name: string) => string): EngineReport {
  const names = dialplanNames(flow, '');
  const heard: Heard[] = [];
  let state = note(startCall(flow));
  for (;;) {
    if (state.kind === 'ended')
      return { heard, end: { kind: 'left', destination: nameIn(names.destinations, state.destination) } };
    if (state.kind === 'playing') {
      const key = caller.hears();
      if (key !== null) {
        const pressed = step(flow, state, { kind: 'key', key });
        // A key that counts for nothing does not end the prompt either.
        if (pressed.happenings.length > 0) {
          state = note(pressed);
          continue;
        }
      }
      state = note(step(flow, state, { kind: 'prompt_ended' }));
      continue;
    }
    const input = caller.waits();
    if (input === null) return { heard, end: { kind: 'waiting', menu: nameIn(names.menus, state.menu) } };
    state = note(step(flow, state, input === '-' ? { kind: 'silence' } : { kind: 'key', key: input }));
  }

  function note({ state, happenings }: CallStep) {
    for (const happening of happenings) {
      if (happening.kind === 'playing')
        heard.push({ plays: sound(nameIn(names.prompts, happening.prompt.recording)) });
      if (happening.kind === 'waiting') heard.push({ waitsMs: happening.seconds * 1000 });
    }
    return state;
  }
}

export interface EngineReport {
  readonly heard: readonly Heard[];
  readonly end:
    | { readonly kind: 'waiting'; readonly menu: string }
    | { readonly kind: 'left'; readonly destination: string };
}

/** What a caller does, and when: while the next prompt plays, or once a menu waits. */
export interface Deed {
  readonly input: ScenarioInput;
  readonly during: 'prompt' | 'wait';
}

/** A caller who acts step by step. A timeout happens only while a menu waits. */
export class Caller {
  readonly #deeds: Deed[];

  constructor(deeds: readonly Deed[]) {
    this.#deeds = [...deeds];
  }

  /** The key that is pressed while a prompt plays, or null when it is heard to its end. */
  hears(): string | null {
    const next = this.#deeds[0];
    if (next === undefined || next.during === 'wait' || next.input === '-') return null;
    this.#deeds.shift();
    return next.input;
  }

  /** What is done while a menu waits; null: nothing more, the caller is left waiting. */
  waits(): string | null {
    return this.#deeds.shift()?.input ?? null;
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
      callEngine(flow, new Caller(deeds), (name) => `rotavox/${name}`),
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
      callEngine(flow, new Caller(deeds), (name) => `/sounds/rotavox/${name}.wav`),
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
  return { heard, end: end.kind === 'waiting' ? menu(end.menu) : destination(end.destination) };
}
