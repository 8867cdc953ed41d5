import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { microphoneText, recordedAdvice, recordingsText } from '../../../text/menu/recordings-text.ts';
import { lengthText } from '../../../text/time.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useAct } from '../../kit/use-act.ts';
import { PlayBar } from '../play-bar.tsx';
import type { CutSound } from '../sound/sound-worker.ts';
import { usePlayer, useSoundAddress } from '../use-player.ts';
import styles from '../recordings.module.css';
import { type MicrophoneState, useMicrophone } from './use-microphone.ts';
import { Box } from '../../kit/box.tsx';

/** Records a prompt with the microphone: record, listen, again if need be, name it, save it. */
export function RecordDialog({
  onSaved,
  onClose,
}: {
  /** Gets the id of the new recording. */
  onSaved?: (id: string) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { state, start, stop } = useMicrophone();
  const [isWarned, setWarned] = useState(false);
  const isUnsaved = state.kind === 'heard' || state.kind === 'recording';

  const warning = isWarned && isUnsaved ? microphoneText.stillRecording : undefined;

  function mayClose(): boolean {
    if (!isUnsaved || isWarned) return true;
    setWarned(true);
    return false;
  }
  return (
    <Dialog ref={ref} title={microphoneText.title} mayClose={mayClose} onClose={onClose}>
      {state.kind === 'heard' ? (
        <HeardPart
          sound={state.sound}
          isCut={state.isCut}
          isWarned={isWarned}
          onAgain={() => {
            setWarned(false);
            void start();
          }}
          onSaved={onSaved}
          onDone={() => ref.current?.close()}
        />
      ) : (
        <>
          <ListenPart state={state} />
          <DialogButtons
            cancel={recordingsText.cancel}
            refusal={state.kind === 'trouble' ? state.reason : warning}
          >
            {state.kind === 'recording' || state.kind === 'stopping' ? (
              <ActionButton rank="main" isBusy={state.kind === 'stopping'} onPress={() => void stop()}>
                {microphoneText.stop}
              </ActionButton>
            ) : (
              <ActionButton rank="main" isBusy={state.kind === 'asking'} onPress={() => void start()}>
                {state.kind === 'trouble' ? microphoneText.tryAgain : microphoneText.record}
              </ActionButton>
            )}
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}

function HeardPart({
  sound,
  isCut,
  isWarned,
  onAgain,
  onSaved,
  onDone,
}: {
  sound: CutSound;
  isCut: boolean;
  isWarned: boolean;
  onAgain: () => void;
  onSaved: ((id: string) => void) | undefined;
  onDone: () => void;
}) {
  const act = useAct();
  const [name, setName] = useState('');
  const [isNameMissed, setNameMissed] = useState(false);
  const nameRef = useRef<HTMLInputElement>(null);
  const { outline, file } = sound;
  const player = usePlayer(useSoundAddress(file));
  const advice = recordedAdvice(outline.loudest);
  // “Stop” had the focus and is gone.
  useEffect(() => nameRef.current?.focus(), []);

  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '') {
      setNameMissed(true);
      nameRef.current?.focus();
      return;
    }
    const saved = await act.run(
      'save',
      () => askPortal('uploadRecording', { query: { name: name.trim() }, body: file }),
      'recording_added',
    );
    if (saved === null) return;
    onSaved?.(saved.value.id);
    onDone();
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack gap={4}>
        <Text role="status" tone="soft">
          {isCut ? microphoneText.stopped : microphoneText.recorded}
        </Text>
        <PlayBar name={microphoneText.what} player={player} outline={outline} lengthMs={null} />
        {advice === null ? null : <Box tone="warn">{advice}</Box>}
        <TextField
          ref={nameRef}
          label={microphoneText.name}
          value={name}
          hint={microphoneText.nameHint}
          error={isNameMissed && name.trim() === '' ? recordingsText.nameMissing : undefined}
          isRequired
          onChange={(typed) => setName(typed.slice(0, 100))}
        />
        <DialogButtons
          cancel={microphoneText.discard}
          refusal={act.refusal ?? (isWarned ? microphoneText.unsaved : undefined)}
        >
          <Button onPress={onAgain}>{microphoneText.again}</Button>
          <SubmitButton isBusy={act.state.kind === 'busy'}>
            {act.state.kind === 'busy' ? microphoneText.saving : microphoneText.save}
          </SubmitButton>
        </DialogButtons>
      </Stack>
    </form>
  );
}

/** How loud it is now. Too loud shows by its place on the scale, not by colour alone. */
function LevelMeter({ level }: { level: number }) {
  const percent = Math.round(level * 100);
  return (
    <Stack gap={1}>
      <div
        className={styles['scale']}
        role="meter"
        aria-label={microphoneText.level}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={styles['level']} data-loud={level > 0.97} style={{ width: `${percent}%` }} />
      </div>
      <Row gap={1} justify="between" aria-hidden="true">
        {Object.values(microphoneText.levels).map((level) => (
          <Text key={level} as="span" tone="soft" size="tiny">
            {level}
          </Text>
        ))}
      </Row>
    </Stack>
  );
}

/** What is shown before and during a recording. */
function ListenPart({ state }: { state: MicrophoneState }) {
  const isRecording = state.kind === 'recording';
  const beforeText = state.kind === 'asking' ? microphoneText.asking : microphoneText.ready;
  return (
    <Stack gap={4}>
      <Text role="status" tone="soft">
        {isRecording ? microphoneText.recording : beforeText}
      </Text>
      <p className={styles['clock']} aria-hidden="true">
        {isRecording ? lengthText(state.heardMs, 'tenths') : lengthText(0, 'tenths')}
        {isRecording ? (
          <Text as="span" tone="soft" size="medium" weight="regular">
            {' '}
            {microphoneText.atMost(lengthText(state.mostMs))}
          </Text>
        ) : null}
      </p>
      <LevelMeter level={isRecording ? state.level : 0} />
    </Stack>
  );
}
