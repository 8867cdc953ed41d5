import type { NodeId } from '../../../contract/ivr-draft.ts';
import { invariant } from '../../unreachable.ts';
import type { Flow, FlowMenu, FlowTarget } from '../flow.ts';
import { plainNames } from './plain-names.ts';

/** What the parts of a flow are called on a telephone system. Each of them is made of `a-z`, `0-9` and `_`. */
export interface DialplanNames {
  /** By the menu's id. */
  readonly menus: ReadonlyMap<string, string>;
  /** By the recording as the body writes it: the name of its audio file, without folder and ending. */
  readonly prompts: ReadonlyMap<string, string>;
  /** By the destination as the body writes it. */
  readonly destinations: ReadonlyMap<string, string>;
}

/** The same for Asterisk and FreeSWITCH, so that one folder of audio files serves both. */
export function dialplanNames(flow: Flow): DialplanNames {
  const menus = menusFromStart(flow);
  return {
    menus: plainNames(menus.map(({ id }) => id)),
    prompts: plainNames(menus.flatMap(promptsOf)),
    destinations: plainNames(
      menus.flatMap(targetsOf).flatMap((to) => (to.kind === 'destination' ? [to.destination] : [])),
    ),
  };
}

/** The menu that a call meets first, then the others in their order. */
export function menusFromStart(flow: Flow): FlowMenu[] {
  const start = flow.menus.get(flow.start);
  const others = [...flow.menus.values()].filter(({ id }) => id !== flow.start);
  return start === undefined ? others : [start, ...others];
}

/** The name of what is certainly there. */
export function nameIn(names: ReadonlyMap<string, string>, key: NodeId | string): string {
  const name = names.get(key);
  invariant(name !== undefined, 'every part of a flow has a name');
  return name;
}

function promptsOf({ recording, wrongKey, silence }: FlowMenu): string[] {
  return [recording, wrongKey.recording, silence.retryRecording, silence.lastRecording];
}

function targetsOf({ keys, wrongKey, silence }: FlowMenu): FlowTarget[] {
  return [...Array.from(keys.values(), ({ to }) => to), wrongKey.to, silence.to];
}
