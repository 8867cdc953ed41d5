import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ScenarioInput } from '../../../../contract/ivr-draft.ts';
import type { CallState } from '../../../../core/ivr/call/step.ts';
import { putScenario } from '../../../../core/ivr/edit/edit-nodes.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { readReference } from '../../../../contract/ivr-reference.ts';
import {
  destinationWords,
  inputsWords,
  keyWord,
  referenceWords,
  scenarioEndWords,
} from '../../../../text/phone-menu.ts';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { recordingWords } from '../inspector/recording-words.ts';
import { SmallButton } from '../inspector/small-button.tsx';
import { type ReferenceData, useDesigner } from '../use-designer.ts';
import type { Pace, PlayState } from './play-clock.ts';
import styles from './play-phone.module.css';
import { comesOutAt, scenarioOfCall } from './scenario-of-call.ts';
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
  if (kind === 'playing') return 'Skip prompt';
  return next === undefined || next === '-' ? 'Skip to timeout' : `Press ${next}`;
}

/** Where the call is, what plays, and how much of the menu's time is left. */
function CallScreen({ flow, state: { call, leftMs } }: { flow: Flow; state: PlayState }) {
  const { referenceData } = useDesigner();
  if (call.kind === 'ended') {
    return (
      <div className={styles['screen']} data-kind="ended">
        <p className={styles['where']}>The call reached</p>
        <p className={styles['now']}>{destinationWords(call.destination, referenceData)}</p>
        <code className={styles['where']}>{call.destination}</code>
      </div>
    );
  }
  const menu = flow.menus.get(call.menu);
  const wholeMs = (menu?.timeoutSeconds ?? 1) * 1000;
  return (
    <div className={styles['screen']} data-kind={call.kind}>
      <p className={styles['where']}>{menu?.name}</p>
      {call.kind === 'playing' ? (
        <p className={styles['now']}>Plays {promptName(call.prompts[0].recording, referenceData)}</p>
      ) : (
        <>
          <p className={styles['now']}>Waits for a key</p>
          <p className={styles['left']}>{((leftMs ?? wholeMs) / 1000).toFixed(1)} s left</p>
          <div className={styles['bar']} aria-hidden="true">
            <div className={styles['rest']} style={{ width: `${(100 * (leftMs ?? wholeMs)) / wholeMs}%` }} />
          </div>
        </>
      )}
    </div>
  );
}

/** A recording by its name where it is known here, a spoken text by its words. */
function promptName(prompt: string, { recordings }: ReferenceData): string {
  const reference = readReference(prompt);
  if (reference === null) return prompt;
  if (reference.type === 'outbound_tts') return `“${reference.id}”`;
  return recordingWords(reference.id, recordings) ?? referenceWords(prompt);
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

/** The keys of the phone; those that the menu uses are told by their edge, and by their name. */
function Keypad({ flow, call, onPress }: { flow: Flow; call: CallState; onPress: (key: string) => void }) {
  const used = call.kind === 'ended' ? undefined : flow.menus.get(call.menu)?.keys;
  return (
    <div className={styles['pad']} role="group" aria-label="Keypad">
      {keys.map((key) => {
        const isUsed = used?.has(key) === true;
        return (
          <button
            key={key}
            type="button"
            className={styles['key']}
            data-used={isUsed}
            aria-label={`${keyWord(key)}${isUsed ? '' : ', not used'}`}
            onClick={() => onPress(key)}
          >
            {key}
          </button>
        );
      })}
    </div>
  );
}

/** Keeps what was just done, with where it came out, to be run on every edit from now on. */
function SaveScenario({ flow, inputs }: { flow: Flow; inputs: readonly ScenarioInput[] }) {
  const { store, referenceData } = useDesigner();
  const [name, setName] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const end = scenarioEndWords(store.state().document, comesOutAt(flow, inputs), referenceData);
  const proposed = `Caller ${inputsWords(inputs)}: ${end}`.slice(0, 100);

  function save(): void {
    const { document } = store.state();
    const scenario = scenarioOfCall(document, flow, { name: name ?? proposed, inputs });
    if (scenario === null) {
      setSaid('This call is too long for a scenario. Call again with fewer keys.');
      return;
    }
    store.edit('save a scenario', (drawn) => putScenario(drawn, scenario));
    setName(null);
    setSaid(`Saved as “${scenario.name}”.`);
  }

  return (
    <>
      <div className={styles['save']}>
        <TextField label="Save as scenario" value={name ?? proposed} onChange={setName} />
        <Button onPress={save}>Save</Button>
      </div>
      <p className={styles['saved']} role="status">
        {said}
      </p>
    </>
  );
}
