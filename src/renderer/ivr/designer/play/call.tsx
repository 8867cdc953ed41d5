import { type KeyboardEvent, useEffect, useRef } from 'react';

import type { ScenarioInput } from '../../../../contract/ivr-draft.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { Button } from '../../../kit/button.tsx';
import { SmallButton } from '../inspector/small-button.tsx';
import { inputsWords } from '../scenarios/inputs-text.ts';
import { CallScreen } from './call-screen.tsx';
import { Keypad } from './keypad.tsx';
import type { Pace } from './play-clock.ts';
import styles from './play-phone.module.css';
import { SaveScenario } from './save-scenario.tsx';
import { useCall } from './use-call.ts';

const paces = [
  { value: 'real', label: '1×', name: '1×, as fast as in life' },
  { value: 'fast', label: '10×', name: '10×, ten times as fast, without sound' },
  { value: 'steps', label: 'Steps', name: 'Steps, time goes on when you press' },
] as const;

/** A call: what plays, the keys, the clock, what happened so far, and keeping it as a scenario. */
export function Call({
  flow,
  inputs,
  pace,
  isMuted,
  onPace,
  onMuted,
  onAgain,
}: {
  flow: Flow;
  inputs: readonly ScenarioInput[];
  pace: Pace;
  isMuted: boolean;
  onPace: (pace: Pace) => void;
  onMuted: (isMuted: boolean) => void;
  onAgain: (inputs: readonly ScenarioInput[]) => void;
}) {
  const { clock, state } = useCall({ flow, inputs, pace, isMuted });
  const { call, log, toCome } = state;
  const callRef = useRef<HTMLDivElement>(null);
  const logRef = useRef<HTMLDivElement>(null);

  // A call that begins takes the digits of the keyboard at once, also one that begins again.
  useEffect(() => callRef.current?.focus(), []);

  useEffect(() => {
    logRef.current?.scrollTo({ top: logRef.current.scrollHeight });
  }, [log]);

  function press(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !/^[0-9*#]$/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    clock.press(event.key);
  }

  return (
    // The digits of the keyboard are those of the phone, wherever in it the focus is.
    <div
      ref={callRef}
      className={styles['call']}
      role="group"
      aria-label="Call"
      tabIndex={-1}
      onKeyDown={press}
    >
      <CallScreen flow={flow} state={state} />
      {toCome.length === 0 ? null : <p className={styles['note']}>The caller then {inputsWords(toCome)}.</p>}
      <Keypad flow={flow} call={call} onPress={(key) => clock.press(key)} />
      <div className={styles['row']}>
        <div className={styles['pace']} role="group" aria-label="How time passes">
          {paces.map(({ value, label, name }) => (
            <SmallButton
              key={value}
              name={name}
              isPressed={pace === value}
              onPress={() => {
                onPace(value);
                clock.setPace(value);
              }}
            >
              {label}
            </SmallButton>
          ))}
        </div>
        <SmallButton
          name={isMuted ? 'Sound on' : 'Sound off'}
          icon={isMuted ? 'mute' : 'sound'}
          isPressed={isMuted}
          onPress={() => {
            onMuted(!isMuted);
            clock.setMuted(!isMuted);
          }}
        />
      </div>
      <div className={styles['row']}>
        {call.kind === 'ended' ? null : (
          <Button onPress={() => clock.advance()}>{nextWords(call.kind, toCome[0])}</Button>
        )}
        <Button rank={call.kind === 'ended' ? 'main' : 'plain'} onPress={() => onAgain(inputs)}>
          {inputs.length > 0 ? 'Play it again' : 'Call again'}
        </Button>
        {inputs.length === 0 ? null : <Button onPress={() => onAgain([])}>Call yourself</Button>}
      </div>
      <div ref={logRef} className={styles['log']} role="log" aria-label="What happened" tabIndex={0}>
        <ol>
          {log.map(({ kind, words }, place) => (
            <li key={place} className={styles['line']} data-kind={kind}>
              {words}
            </li>
          ))}
        </ol>
      </div>
      <SaveScenario flow={flow} inputs={state.inputs} />
    </div>
  );
}

function nextWords(kind: 'playing' | 'waiting', next: ScenarioInput | undefined): string {
  if (kind === 'playing') return 'Prompt over';
  return next === undefined || next === '-' ? 'Time over' : `Press ${next}`;
}
