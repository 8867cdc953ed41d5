import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallDetail } from '../../src/contract/calls/call.ts';
import type { CallHappening } from '../../src/contract/menu/ivr-call.ts';
import {
  type CallInput,
  type CallStep,
  type CallTime,
  startCall,
  step,
} from '../../src/core/ivr/call/step.ts';
import type { Flow } from '../../src/core/ivr/flow.ts';
import type { AudioFormat } from '../../src/contract/menu/recording.ts';
import { anyTime } from '../fixtures/any-time.ts';

/** What happened in a call, without times and pauses, to be compared with the simulator. */
export function callSteps({ moments }: CallDetail): string[] {
  return moments.flatMap((moment) => {
    switch (moment.kind) {
      case 'entered':
      case 'timeout':
        return [moment.kind];
      case 'played':
        return [`played ${moment.recording}`];
      case 'waited':
        return ['waited'];
      case 'key':
        return [`key ${moment.key}${moment.used ? '' : ' (wrong)'}`];
      case 'led':
        return ['destination' in moment.to ? `to ${moment.to.destination}` : 'to a menu'];
      case 'hours':
        return [`hours ${moment.state}`];
      case 'resumed':
      case 'sms':
        return [];
    }
  });
}

/**
 * The same of the simulator for a caller who enters one of `entries` each time that a menu waits: a key, the keys of a number, or `-` for a
 * timeout.
 */
export function simulatedSteps(
  flow: Flow,
  entries: readonly string[],
  now: CallTime = anyTime,
): SimulatedCall['steps'] {
  return simulatedCaller(flow, entries, now).steps;
}

export interface SimulatedCall {
  readonly steps: string[];
  /** What was entered: of each entry what leads on, without the keys that would come after. */
  readonly entered: string[];
}

export function simulatedCaller(flow: Flow, entries: readonly string[], now: CallTime): SimulatedCall {
  const steps: string[] = [];
  const entered: string[] = [];
  const left = [...entries];
  let typing: string[] = [];
  let { state } = note(startCall(flow, now));
  while (state.kind !== 'ended') {
    const input = next(state.kind);
    if (input === null) break;
    ({ state } = note(step(flow, state, input, now)));
  }
  return { steps, entered };

  function note(taken: CallStep): CallStep {
    steps.push(...taken.happenings.flatMap(lineOf));
    return taken;
  }

  function next(doing: 'playing' | 'waiting' | 'collecting'): CallInput | null {
    if (doing === 'playing') return { kind: 'prompt_ended' };
    if (doing === 'waiting') {
      const entry = left.shift();
      if (entry === undefined) return null;
      entered.push('');
      typing = entry.split('');
    }
    const key = typing.shift();
    if (key === undefined) return { kind: 'digits_ended' };
    entered.push(`${entered.pop() ?? ''}${key}`);
    return key === '-' ? { kind: 'silence' } : { kind: 'key', key };
  }
}

function lineOf(happening: CallHappening): string[] {
  switch (happening.kind) {
    case 'entered':
      return ['entered'];
    case 'silence':
      return ['timeout'];
    case 'playing':
      return [`played ${happening.prompt.recording}`];
    case 'waiting':
      return ['waited'];
    case 'key':
      return [`key ${happening.key}${happening.used ? '' : ' (wrong)'}`];
    case 'led':
      return [happening.to.kind === 'destination' ? `to ${happening.to.destination}` : 'to a menu'];
    case 'hours':
      return [`hours ${happening.state}`];
    case 'digits':
    case 'sms':
      return [];
  }
}

const folder = join(import.meta.dirname, '../fixtures/sounds');

function sample(name: string, format: AudioFormat) {
  return { name, format, seconds: 1, bytes: () => new Uint8Array(readFileSync(join(folder, name))) };
}

/** A second of a tone, as encoders of these formats write it (lame, oggenc, opusenc). */
export const audioFiles = [
  sample('tone.mp3', 'mp3'),
  sample('tone-vorbis.ogg', 'ogg'),
  sample('tone-opus.ogg', 'ogg'),
];
