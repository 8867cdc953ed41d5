import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { freeswitchMenus } from '../../../../src/core/ivr/export/freeswitch-menus.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { Caller, type CallReport, type Deed } from './caller.ts';
import { callEngine, type EngineReport } from './call-engine.ts';
import { callDialplan, readDialplan } from './read-dialplan.ts';
import { callFreeswitch, readFreeswitch } from './read-freeswitch.ts';

/** A telephone system that runs what was exported, beside the engine in the same names. */
export interface TelephoneSystem {
  readonly name: string;
  readonly write: (flow: Flow) => string;
  readonly run: (exported: string, deeds: readonly Deed[]) => CallReport;
  /** The engine's report as this system should give it, the application that takes the call aside. */
  readonly expected: (flow: Flow, deeds: readonly Deed[]) => unknown;
}

export const asterisk: TelephoneSystem = {
  name: 'Asterisk',
  write: asteriskDialplan,
  run: (exported, deeds) => callDialplan(readDialplan(exported), 'rotavox', new Caller(deeds)),
  expected: (flow, deeds) =>
    inNames(
      callEngine(flow, new Caller(deeds), (name) => `rotavox/${name}`),
      {
        menu: (name) => `rotavox_menu_${name}`,
        destination: (name) => `rotavox_destinations,${name}`,
      },
    ),
};

export const freeswitch: TelephoneSystem = {
  name: 'FreeSWITCH',
  write: freeswitchMenus,
  run: (exported, deeds) =>
    callFreeswitch(readFreeswitch(exported), { number: 'rotavox', context: 'rotavox' }, new Caller(deeds)),
  expected: (flow, deeds) =>
    inNames(
      callEngine(flow, new Caller(deeds), (name) => `/sounds/rotavox/${name}.wav`),
      {
        menu: (name) => `rotavox_${name}`,
        destination: (name) => `rotavox,to_${name}`,
      },
    ),
};

/** What both reports have: everything heard, in order, and where the call is in the end. */
export function route({ heard, end }: CallReport): unknown {
  return { heard, end: end.kind === 'waiting' ? end.menu : end.place };
}

function inNames(
  { heard, end }: EngineReport,
  { menu, destination }: Record<'menu' | 'destination', (name: string) => string>,
): unknown {
  return { heard, end: end.kind === 'waiting' ? menu(end.menu) : destination(end.destination) };
}
