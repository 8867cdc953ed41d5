import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Box } from '../../../kit/box.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import type { ScenarioInput } from '../../../../contract/menu/ivr-draft.ts';
import type { PlannedCall } from '../../../../core/ivr/call/run-scenario.ts';
import { type CallState, waitSeconds } from '../../../../core/ivr/call/step.ts';
import { putScenario } from '../../../../core/ivr/edit/edit-nodes.ts';
import { isEntry, longerEntry } from '../../../../core/ivr/call/dialable.ts';
import { type Flow, nodeName } from '../../../../core/ivr/flow.ts';
import { destinationTitle, keyLabel, scenarioEndTitle } from '../../../../text/menu/phone-menu.ts';
import { Button } from '../../../kit/button.tsx';
import { useShortcut } from '../../../kit/keys/use-shortcut.ts';
import { TextField } from '../../../kit/text-field.tsx';
import { SmallButton } from '../small-button.tsx';
import { useDesigner } from '../use-designer.ts';
import type { Pace, PlayState } from './play-clock.ts';
import panel from '../panel.module.css';
import styles from './play-phone.module.css';
import { isUnheard } from './spoken-state.ts';
import { endOfCall, repeatableCall, scenarioOfCall, useCall } from './use-call.ts';
import { editText, shortcutText } from '../../../../text/menu/designer.ts';
import { phoneText as text } from '../../../../text/menu/test-call.ts';
import { promptTitle } from '../../../../text/menu/recordings-text.ts';

const paces = ['real', 'fast', 'steps'] as const;

/** A test call: what plays, the keys, the clock, the log, and saving it as a scenario. */
export function Call({
  flow,
  planned,
  takesFocus,
  pace,
  isMuted,
  onPace,
  onMuted,
  onAgain,
}: {
  flow: Flow;
  planned: PlannedCall;
  takesFocus: boolean;
  pace: Pace;
  isMuted: boolean;
  onPace: (pace: Pace) => void;
  onMuted: (isMuted: boolean) => void;
  onAgain: (inputs: readonly ScenarioInput[]) => void;
}) {
  const { clock, state } = useCall({ flow, planned, pace, isMuted });
  const { inputs } = planned;
  const { call, log, toCome } = state;
  const callRef = useRef<HTMLDivElement>(null);
  const logRef = useRef<HTMLDivElement>(null);

  // A new call takes the digits of the keyboard at once, and begins at its top also where it is taller than its panel.
  const begin = useEffectEvent(() => {
    if (!takesFocus) return;
    callRef.current?.focus({ preventScroll: true });
    callRef.current?.closest('section')?.scrollIntoView({ block: 'start' });
  });
  useEffect(() => begin(), []);

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
    // The digits of the keyboard press the keys of the phone, wherever in the phone the focus is.
    <Stack
      ref={callRef}
      gap={3}
      className={styles['call']}
      role="group"
      aria-label={text.call}
      tabIndex={-1}
      onKeyDown={press}
    >
      <CallScreen flow={flow} state={state} />
      {toCome.length === 0 ? null : <p className={panel['note']}>{text.then(toCome)}</p>}
      <Keypad flow={flow} call={call} onPress={(key) => clock.press(key)} />
      <Row gap={1} wraps align="center" justify="between">
        <Row gap={1} role="group" aria-label={text.pace}>
          {paces.map((one) => (
            <SmallButton
              key={one}
              name={text.paces[one].name}
              isPressed={pace === one}
              onPress={() => {
                onPace(one);
                clock.setPace(one);
              }}
            >
              {text.paces[one].label}
            </SmallButton>
          ))}
        </Row>
        <SmallButton
          name={isMuted ? text.soundOn : text.soundOff}
          icon={isMuted ? 'mute' : 'sound'}
          isPressed={isMuted}
          onPress={() => {
            onMuted(!isMuted);
            clock.setMuted(!isMuted);
          }}
        />
      </Row>
      <Row gap={1} wraps align="center" justify="between">
        {call.kind === 'ended' ? null : (
          <Button onPress={() => clock.advance()}>
            {nextText(call.kind === 'playing' ? 'playing' : 'waiting', toCome[0])}
          </Button>
        )}
        <Button rank={call.kind === 'ended' ? 'main' : 'plain'} onPress={() => onAgain(inputs)}>
          {inputs.length > 0 ? text.playAgain : text.callAgain}
        </Button>
        {inputs.length === 0 ? null : <Button onPress={() => onAgain([])}>{text.callYourself}</Button>}
      </Row>
      <Box ref={logRef} className={styles['log']} role="log" aria-label={text.log} tabIndex={0}>
        <ol>
          {log.map(({ kind, text: line }, place) => (
            <Text key={place} as="li" tone={lineTones[kind] ?? 'soft'} size="small">
              {line}
            </Text>
          ))}
        </ol>
      </Box>
      <SaveScenario
        flow={flow}
        call={repeatableCall({ ...planned, inputs: state.inputs }, clock.time, state.happenings)}
      />
    </Stack>
  );
}

const lineTones: Partial<Record<string, 'plain' | 'warn'>> = {
  key: 'plain',
  silence: 'plain',
  led: 'plain',
  ignored: 'warn',
};

function nextText(kind: 'playing' | 'waiting', next: ScenarioInput | undefined): string {
  if (kind === 'playing') return text.skipPrompt;
  return next === undefined || next === '-' ? text.skipToTimeout : text.press(next);
}

/** Where the call is, what plays, and the time left before the timeout. */
function CallScreen({ flow, state: { call, leftMs } }: { flow: Flow; state: PlayState }) {
  const { referenceData } = useDesigner();
  if (call.kind === 'ended') {
    return (
      <Box isSunken className={styles['screen']}>
        <p className={panel['note']}>{text.reached}</p>
        <Text weight="bold">{destinationTitle(call.destination, referenceData)}</Text>
        <code className={panel['note']}>{call.destination}</code>
      </Box>
    );
  }
  const wholeMs = call.kind === 'playing' ? 1 : waitSeconds(flow, call) * 1000;
  return (
    <Box isSunken className={styles['screen']}>
      <p className={panel['note']}>{nodeName(flow, call.menu)}</p>
      {call.kind === 'playing' ? (
        <>
          <Text weight="bold">
            {text.plays(promptTitle(call.prompts[0].recording, referenceData.recordings))}
          </Text>
          {isUnheard(call.prompts[0].recording, referenceData) ? (
            <Text tone="warn" size="small">
              {text.unheard}
            </Text>
          ) : null}
        </>
      ) : (
        <>
          <Text weight="bold">{call.kind === 'waiting' ? text.waits : text.collects(call.digits)}</Text>
          <Text size="small" isTabular>
            {text.left(leftMs ?? wholeMs)}
          </Text>
          <div className={styles['bar']} aria-hidden="true">
            <div className={styles['rest']} style={{ width: `${(100 * (leftMs ?? wholeMs)) / wholeMs}%` }} />
          </div>
        </>
      )}
    </Box>
  );
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

/** The keys of the phone; those that the menu uses have another edge and name. */
function Keypad({ flow, call, onPress }: { flow: Flow; call: CallState; onPress: (key: string) => void }) {
  const menu = call.kind === 'ended' ? undefined : flow.menus.get(call.menu);
  const digits = call.kind === 'collecting' ? call.digits : '';
  return (
    <div className={styles['pad']} role="group" aria-label={text.keypad}>
      {keys.map((key) => {
        const entry = `${digits}${key}`;
        const isUsed =
          menu !== undefined &&
          (isEntry(menu, flow.extensions, entry) || longerEntry(menu, flow.extensions, entry) !== null);
        return (
          <button
            key={key}
            type="button"
            className={styles['key']}
            data-used={isUsed}
            aria-label={text.key(keyLabel(key), isUsed)}
            onClick={() => onPress(key)}
          >
            {key}
          </button>
        );
      })}
    </div>
  );
}

/** Saves the inputs of this call, with the destination that it reached, as a scenario. */
function SaveScenario({ flow, call }: { flow: Flow; call: PlannedCall }) {
  const { store, referenceData } = useDesigner();
  const [name, setName] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const end = scenarioEndTitle(store.state().document, endOfCall(flow, call), referenceData);
  const proposed = text.proposedName(call.inputs, end).slice(0, 100);

  function save(): void {
    const { document } = store.state();
    const scenario = scenarioOfCall(document, flow, { name: name ?? proposed, planned: call });
    if (scenario === null) {
      setMessage(text.tooLong);
      return;
    }
    store.edit(editText.saveScenario, (drawn) => putScenario(drawn, scenario));
    setName(null);
    setMessage(text.saved(scenario.name));
  }
  useShortcut('Mod+Enter', shortcutText.saveScenario, save);

  return (
    <>
      <div className={styles['save']}>
        <TextField label={text.saveAs} value={name ?? proposed} onChange={setName} />
        <Button onPress={save}>{text.save}</Button>
      </div>
      <Text size="small" role="status">
        {message}
      </Text>
    </>
  );
}
