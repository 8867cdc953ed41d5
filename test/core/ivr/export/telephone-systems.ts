import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { entryName } from '../../../../src/core/ivr/export/dialplan-names.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { Caller, type CallReport, type Deed, callEngine, type EngineReport } from './call-engine.ts';
import { callDialplan, readDialplan } from './read-dialplan.ts';
import { callFreeswitch, readFreeswitch } from './read-freeswitch.ts';

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
