import { useEffect, useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components';
import { speechPreview } from '../../../../contract/downloads.ts';
import type { Voice } from '../../../../contract/menu/speech.ts';
import { speakTextAs } from '../../../../core/speech/spoken-recording.ts';
import { readWavHead } from '../../../../core/recording/wav-head.ts';
import { keepDialogText, spokenSoundText as text } from '../../../../text/menu/prompt-field.ts';
import { changesText } from '../../../../text/menu/speech-window.ts';
import { recordingsText } from '../../../../text/menu/recordings-text.ts';
import { problemText } from '../../../../text/window/connection.ts';
import { readAudioFile } from '../../../recordings/read-recordings.ts';
import { holdFile, startSoundThread } from '../../../recordings/sound/start-sound-thread.ts';
import { usePlayer } from '../../../recordings/use-player.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { QuestionDialog } from '../../../kit/dialog.tsx';
import { readFile } from '../../../kit/read-portal.ts';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { isBusyWith, useAct } from '../../../kit/use-act.ts';
import { type SpokenState, spokenState } from '../play/spoken-state.ts';
import { SmallButton } from '../small-button.tsx';
import styles from './inspector.module.css';
import { useDesigner } from '../use-designer.ts';

/** After the last key, in milliseconds. */
const restMs = 800;

/** What callers hear of a spoken text: its state, how to listen to it, and what to do where they hear nothing. */
export function SpokenSound({
  label,
  words,
  isTyped,
  isLeft,
  onRecord,
  onKept,
}: {
  label: string;
  words: string;
  /** False: they are as they were when the field was opened, and speech is made when it is played. */
  isTyped: boolean;
  /** Whether the field was left with these words. */
  isLeft: boolean;
  onRecord: () => void;
  /** Gets the id of the recording. */
  onKept: (id: string) => void;
}) {
  const { referenceData } = useDesigner();
  const state = spokenState(words, referenceData);
  const made = useMadeSpeech(
    words,
    isTyped && state.kind === 'not_yet' ? makingAfterMs(state, isLeft) : null,
  );
  const [isKeeping, setKeeping] = useState(false);
  // What is wrong is said below the field.
  if (state.kind === 'unspoken')
    return state.problem.kind === 'no_voice' ? (
      <Row gap={3} align="center">
        <Link to="/settings#voices">{text.voices}</Link>
        <SmallButton icon="microphone" onPress={onRecord}>
          {recordingsText.record}
        </SmallButton>
      </Row>
    ) : null;

  const read = (): Promise<Blob | null> =>
    state.kind === 'not_yet' ? made.make() : readAudioFile(state.recording.id);
  return (
    <Stack gap={1}>
      <Toolbar className={styles['worded'] ?? ''} aria-label={text.sound(label)}>
        <Listen key={words} label={label} refusal={made.refusal} read={read} />
        <SmallButton onPress={() => setKeeping(true)}>{text.keep}</SmallButton>
      </Toolbar>
      <StateLine state={state} madeMs={made.lengthMs} />
      {isKeeping ? <KeepDialog words={words} onKept={onKept} onClose={() => setKeeping(false)} /> : null}
    </Stack>
  );
}

/** A natural voice takes longer than typing: it speaks once the field is left. Null: not by itself. */
function makingAfterMs({ voice }: Extract<SpokenState, { kind: 'not_yet' }>, isLeft: boolean): number | null {
  if (voice?.quality !== 'natural') return restMs;
  return isLeft ? 0 : null;
}

function StateLine({
  state,
  madeMs,
}: {
  state: Exclude<SpokenState, { kind: 'unspoken' }>;
  madeMs: number | null;
}) {
  const { voices, spokenAs } = useDesigner().referenceData;
  const act = useAct();
  if (state.kind === 'not_yet') {
    const { voice } = state;
    return (
      <Text tone="soft" size="small" role="status" breaks>
        {text.notYet(voice?.name ?? null, madeMs)}{' '}
        {voice === null || voice.language === spokenAs.speech_language
          ? ''
          : text.otherLanguage(voice.language)}
      </Text>
    );
  }
  const { id, speech, duration_ms: durationMs } = state.recording;
  if (state.kind === 'spoken')
    return (
      <Text tone="soft" size="small" role="status" breaks>
        {text.spoken(nameOfVoice(speech?.voice ?? '', voices), durationMs)}
      </Text>
    );
  const isBusy = isBusyWith(act, 'speak');
  return (
    <Row gap={2} wraps align="center">
      <Text tone="warn" size="small" role="status" breaks>
        {text.changed(changesText(state.recording.changed))}
      </Text>
      <SmallButton
        isDisabled={isBusy}
        onPress={() =>
          void act.run('speak', () => askPortal('speakRecordingAgain', { params: { id } }), 'recording_added')
        }
      >
        {isBusy ? text.speaking : text.again}
      </SmallButton>
      <Text tone="bad" size="small" role="alert" breaks>
        {act.refusal}
      </Text>
    </Row>
  );
}

function nameOfVoice(id: string, voices: readonly Voice[] | null): string {
  return voices?.find((voice) => voice.id === id)?.name ?? id;
}

/** Plays it in full quality, or as it is on the phone; while it plays, the other goes on at the same place. */
function Listen({
  label,
  refusal,
  read,
}: {
  label: string;
  /** Why there is nothing to play. */
  refusal: string | null;
  read: () => Promise<Blob | null>;
}) {
  const [isPhone, setPhone] = useState(false);
  const player = usePlayer(isPhone ? 'phone' : 'own', async () => {
    const file = await read();
    return file === null || !isPhone ? file : asOnPhone(file);
  });
  return (
    <>
      <SmallButton
        name={player.isPlaying ? text.stop(label) : text.play(label)}
        icon={player.isPlaying ? 'stop' : 'play'}
        onPress={player.toggle}
      />
      <SmallButton isPressed={isPhone} onPress={() => setPhone(!isPhone)}>
        {text.phone}
      </SmallButton>
      <Text tone="warn" size="small" role="status" breaks>
        {refusal ?? (player.hasFailed ? text.failed : '')}
      </Text>
    </>
  );
}

/** At 8 kHz, as telephones have it. */
async function asOnPhone(file: Blob): Promise<Blob> {
  const thread = await startSoundThread();
  try {
    const { all } = await holdFile(thread, await file.arrayBuffer(), null);
    return (await thread.cut(all, 'telephone')).file;
  } finally {
    thread.end();
  }
}

interface MadeSpeech {
  /** Null while there is none of this text. */
  readonly lengthMs: number | null;
  readonly refusal: string | null;
  /** The speech of the text: what is there or being made, or a new one. Null: refused. */
  readonly make: () => Promise<Blob | null>;
}

interface Making {
  readonly words: string;
  readonly stopping: AbortController;
  readonly file: Promise<Blob | null>;
}

/**
 * Speech of a text that has no recording, made by itself after a time that begins anew with each change of the text. What is made of a
 * text that has changed meanwhile is aborted. `afterMs` null: only when it is played.
 */
function useMadeSpeech(words: string, afterMs: number | null): MadeSpeech {
  const { spokenAs } = useDesigner().referenceData;
  const makingRef = useRef<Making | null>(null);
  const [made, setMade] = useState<{
    readonly words: string;
    readonly lengthMs: number | null;
    readonly refusal: string | null;
  } | null>(null);

  async function ask(stopping: AbortController): Promise<Blob | null> {
    const reply = await readFile(speechPreview.path, {
      posted: speakTextAs(words, spokenAs),
      signal: stopping.signal,
    });
    const file = reply.kind === 'ok' ? reply.value.content : null;
    const length = file === null ? null : await wavLengthMs(file);
    if (stopping.signal.aborted) return null;
    setMade({ words, lengthMs: length, refusal: reply.kind === 'ok' ? null : problemText(reply) });
    if (file === null) makingRef.current = null; // the next press tries again
    return file;
  }
  function make(): Promise<Blob | null> {
    const before = makingRef.current;
    if (before?.words === words) return before.file;
    before?.stopping.abort();
    const stopping = new AbortController();
    const file = ask(stopping);
    makingRef.current = { words, stopping, file };
    return file;
  }

  useEffect(() => {
    const timer = afterMs === null ? undefined : setTimeout(() => void make(), afterMs);
    return () => {
      clearTimeout(timer);
      makingRef.current?.stopping.abort();
      makingRef.current = null;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `make` is another function each time, and about these words
  }, [words, afterMs, spokenAs.speech_language, spokenAs.speech_voice, spokenAs.isOwn]);

  const known = made?.words === words ? made : null;
  return { lengthMs: known?.lengthMs ?? null, refusal: known?.refusal ?? null, make };
}

/** Null where it is no WAV file that is read here. */
async function wavLengthMs(file: Blob): Promise<number | null> {
  const head = readWavHead(new Uint8Array(await file.arrayBuffer()));
  if (!head.ok) return null;
  const { bytes, blockBytes, rate } = head.value;
  return Math.round((bytes / blockBytes / rate) * 1000);
}

/** Asks for the name of the recording that the text becomes. */
function KeepDialog({
  words,
  onKept,
  onClose,
}: {
  words: string;
  onKept: (id: string) => void;
  onClose: () => void;
}) {
  const { spokenAs } = useDesigner().referenceData;
  const [name, setName] = useState(() =>
    words
      .replace(/<[^<>]*>/g, '')
      .slice(0, 60)
      .trim(),
  );
  return (
    <QuestionDialog
      title={keepDialogText.title}
      cancel={keepDialogText.cancel}
      verb={keepDialogText.keep}
      pending={keepDialogText.keeping}
      isReady={name.trim() !== ''}
      // One that a person already keeps has its own name, and stays as it is.
      ask={() =>
        askPortal('speakRecording', { body: { ...speakTextAs(words, spokenAs), name: name.trim() } })
      }
      change="recording_added"
      onDone={({ id }) => onKept(id)}
      onClose={onClose}
    >
      <p>{keepDialogText.what}</p>
      <TextField
        label={keepDialogText.name}
        value={name}
        isRequired
        onChange={(typed) => setName(typed.slice(0, 100))}
      />
    </QuestionDialog>
  );
}
