import { type CallStep, startCall, step } from '../../../../src/core/ivr/call/step.ts';
import { dialplanNames, nameIn } from '../../../../src/core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import type { Caller, Heard } from './caller.ts';

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
