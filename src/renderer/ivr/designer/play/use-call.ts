import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';

import type { ScenarioInput } from '../../../../contract/ivr-draft.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { useDesigner } from '../use-designer.ts';
import { litPath } from './lit-path.ts';
import { type Pace, PlayClock, type PlayState } from './play-clock.ts';
import { browserTimer } from './play-timer.ts';
import { promptMs } from './prompt-length.ts';
import { browserVoice } from './prompt-voice.ts';

/** One call, from when it is shown until it is not: nothing sounds or counts after that. */
export function useCall({
  flow,
  inputs,
  pace,
  isMuted,
}: {
  flow: Flow;
  inputs: readonly ScenarioInput[];
  pace: Pace;
  isMuted: boolean;
}): { readonly clock: PlayClock; readonly state: PlayState } {
  const { store, surroundings } = useDesigner();
  const [clock] = useState(() => {
    const { recordings } = surroundings;
    return new PlayClock({
      flow,
      inputs,
      pace,
      isMuted,
      timer: browserTimer,
      voice: browserVoice(() => recordings),
      lengthOf: (prompt) => promptMs(prompt, recordings),
    });
  });
  const state = useSyncExternalStore(clock.subscribe, clock.state);
  const { happenings, call } = state;
  const light = useEffectEvent(() => store.light(litPath(store.state().document, happenings, call)));

  useEffect(() => {
    clock.start();
    return () => clock.close();
  }, [clock]);
  useEffect(() => light(), [happenings]);
  return { clock, state };
}
