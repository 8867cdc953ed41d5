import { useEffect, useRef, useState } from 'react';

import { browserVoice } from '../play/prompt-voice.ts';
import { useDesigner } from '../use-designer.ts';
import { SmallButton } from './small-button.tsx';

/** Plays a prompt, and ends it again. Says so where nothing can be heard of it here. */
export function ListenButton({ prompt, what }: { prompt: string; what: string }) {
  const { surroundings } = useDesigner();
  const [state, setState] = useState<'idle' | 'playing' | 'silent'>('idle');
  const stopRef = useRef<(() => void) | null>(null);

  function stop(): void {
    stopRef.current?.();
    stopRef.current = null;
  }
  useEffect(() => stop, [prompt]);

  function press(): void {
    stop();
    if (state === 'playing') {
      setState('idle');
      return;
    }
    stopRef.current = browserVoice(() => surroundings.recordings).play(prompt, () => setState('idle'));
    setState(stopRef.current === null ? 'silent' : 'playing');
  }

  const name =
    state === 'silent'
      ? `${what} cannot be heard here: there is no audio, and no voice to speak it`
      : `${state === 'playing' ? 'Stop' : 'Listen to'} ${what}`;
  return (
    <SmallButton
      name={name}
      icon={state === 'playing' ? 'stop' : state === 'silent' ? 'mute' : 'play'}
      onPress={press}
    />
  );
}
