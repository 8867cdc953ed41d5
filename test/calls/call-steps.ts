import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallDetail } from '../../src/contract/calls/call.ts';
import type { CallHappening } from '../../src/contract/menu/ivr-call.ts';
import { type CallInput, type CallStep, startCall, step } from '../../src/core/ivr/call/step.ts';
import type { Flow } from '../../src/core/ivr/flow.ts';
import type { AudioFormat } from '../../src/contract/menu/recording.ts';

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
      case 'resumed':
      case 'sms':
        return [];
    }
  });
}

/** The same of the simulator for a caller who presses the keys once a menu waits; `-` is a timeout. */
export function simulatedSteps(flow: Flow, keys: readonly string[]): string[] {
  const lines: string[] = [];
  const note = ({ state, happenings }: CallStep): CallStep['state'] => {
    lines.push(...happenings.flatMap(lineOf));
    return state;
  };
  let state = note(startCall(flow));
  const left = [...keys];
  while (state.kind !== 'ended') {
    const key = state.kind === 'waiting' ? left.shift() : undefined;
    if (state.kind === 'waiting' && key === undefined) break;
    const input: CallInput =
      key === undefined ? { kind: 'prompt_ended' } : key === '-' ? { kind: 'silence' } : { kind: 'key', key };
    state = note(step(flow, state, input));
  }
  return lines;
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
