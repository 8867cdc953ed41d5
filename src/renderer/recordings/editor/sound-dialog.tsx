import { useEffect, useRef, useState } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import type { RecordingView } from '../../../contract/recording.ts';
import { recordingsText, recordingText, trimmedText, trimText } from '../../../text/recordings.ts';
import { lengthText } from '../../../text/time.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import type { PortalReply } from '../../kit/portal-reply.ts';
import { TextField } from '../../kit/text-field.tsx';
import { Text } from '../../kit/text.tsx';
import { type Act, isBusyWith, useAct } from '../../kit/use-act.ts';
import type { Outline } from '../outline.ts';
import { PlayBar } from '../play-bar.tsx';
import { readAudio } from '../read-recordings.ts';
import type { CutSound, HeldFacts, Quality } from '../sound/sound-worker.ts';
import {
  holdFile,
  type SoundThread,
  SoundThreadFailed,
  startSoundThread,
} from '../sound/start-sound-thread.ts';
import { usePlayer, useSoundAddress } from '../use-player.ts';
import { Waveform } from '../waveform.tsx';
import styles from '../recordings.module.css';
import { type Cut, moveEnd, stepMs } from './cut.ts';

/** Cuts the silence off a recording, and lets it be heard as a caller would. */
export function SoundDialog({ recording, onClose }: { recording: RecordingView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const held = useHeldSound(recording);
  const close = (): void => ref.current?.close();

  return (
    <Dialog ref={ref} title={trimText.title(recording.name)} mayClose={() => true} onClose={onClose}>
      {held.kind === 'read' ? (
        <SoundEditor recording={recording} sound={held.sound} onDone={close} />
      ) : (
        <>
          <Text role="status" tone="soft" size="medium">
            {held.kind === 'reading' ? trimText.loading : null}
          </Text>
          <DialogButtons>
            <FormRefusal reason={held.kind === 'failed' ? held.reason : undefined} />
            <Button onPress={close}>{recordingsText.close}</Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}

const ends = [
  { end: 'from', label: trimText.start, at: 'fromMs' },
  { end: 'to', label: trimText.end, at: 'toMs' },
] as const;

/** A waveform with what is cut off shaded, and a handle at each end: sliders, moved by mouse, touch and keyboard. */
function CutWaveform({
  outline,
  cut,
  all,
  onCut,
}: {
  outline: Outline;
  cut: Cut;
  /** All of the sound. */
  all: Cut;
  onCut: (cut: Cut) => void;
}) {
  const shareOf = (ms: number): string => `${(ms / all.toMs) * 100}%`;
  return (
    <div className={styles['cut']}>
      <div className={styles['wave']}>
        <Waveform outline={outline} />
      </div>
      <div className={styles['off']} style={{ left: 0, width: shareOf(cut.fromMs) }} />
      <div className={styles['off']} style={{ right: 0, width: shareOf(all.toMs - cut.toMs) }} />
      {ends.map(({ end, label, at }) => (
        <input
          key={end}
          type="range"
          className={styles['handle']}
          aria-label={label}
          aria-valuetext={recordingText.of(lengthText(cut[at], 'tenths'), lengthText(all.toMs, 'tenths'))}
          min={0}
          max={all.toMs}
          step={stepMs}
          value={cut[at]}
          onChange={({ target }) => onCut(moveEnd(cut, end, Number(target.value), all.toMs))}
        />
      ))}
    </div>
  );
}

const qualities = [
  { value: 'own', label: trimText.own },
  { value: 'telephone', label: trimText.telephone },
] as const;

interface Heard {
  readonly made?: CutSound;
  readonly failure?: string;
}

/**
 * What is heard of a sound, made on its thread: the last that was made, while the next is.
 *
 * A handle is dragged faster than files are written. One is made at a time, and what was left behind meanwhile is not.
 */
function useCutSound({ thread }: HeldSound, cut: Cut, quality: Quality): Heard {
  const [heard, setHeard] = useState<Heard>({});
  const last = useRef<Promise<void>>(Promise.resolve());
  const wanted = useRef<object | null>(null);
  useEffect(() => {
    const mine = {};
    wanted.current = mine;
    last.current = last.current.then(async () => {
      if (wanted.current !== mine) return;
      const now = await makeCut(thread, cut, quality);
      if (wanted.current === mine) setHeard(now);
    });
    return () => {
      wanted.current = null;
    };
  }, [thread, cut, quality]);
  return heard;
}

async function makeCut(thread: SoundThread, cut: Cut, quality: Quality): Promise<Heard> {
  try {
    return { made: await thread.cut(cut, quality) };
  } catch (error) {
    if (error instanceof SoundThreadFailed) return { failure: trimText.noMemory };
    throw error;
  }
}

/** The waveform with the cut, how it sounds in both qualities, and the two ways to save what is heard. */
function SoundEditor({
  recording,
  sound,
  onDone,
}: {
  recording: RecordingView;
  sound: HeldSound;
  onDone: () => void;
}) {
  const { all, found, outline } = sound;
  const [cut, setCut] = useState(found);
  const [quality, setQuality] = useState<Quality>('own');
  const [name, setName] = useState(trimText.copyName(recording.name.slice(0, 90)));
  const { act, replace, saveNew } = useSaveSound(recording);
  const heard = useCutSound(sound, cut, quality);
  const player = usePlayer(useSoundAddress(heard.made?.file));
  const file = async (): Promise<Blob> => (await sound.thread.cut(cut, quality)).file;
  const trimmed = trimmedText(cut.fromMs, all.toMs - cut.toMs);
  const isChanged = trimmed !== null || quality === 'telephone';
  const uses = recording.used_by.length;

  return (
    <Stack gap={6}>
      <Stack gap={3}>
        <CutWaveform outline={outline} cut={cut} all={all} onCut={setCut} />
        <Row gap={2} wraps align="center">
          <div className={styles['words']}>
            <Text role="status" tone="soft" size="medium">
              {trimmed ?? trimText.nothing}
            </Text>
          </div>
          <Button onPress={() => setCut(found)}>{trimText.trimSilence}</Button>
          <Button onPress={() => setCut(all)}>{trimText.keepAll}</Button>
        </Row>
      </Stack>
      <FieldGroup legend={trimText.quality} hint={trimText.qualityHint}>
        <Choice options={qualities} value={quality} onChange={setQuality} />
        <PlayBar
          name={trimText.result}
          player={player}
          outline={heard.made?.outline ?? null}
          lengthMs={null}
        />
      </FieldGroup>
      <TextField label={trimText.newName} value={name} onChange={(typed) => setName(typed.slice(0, 100))} />
      {uses === 0 ? null : (
        <Text tone="soft" size="medium">
          {trimText.replacing(uses)}
        </Text>
      )}
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : heard.failure} />
        <Button onPress={onDone}>{recordingsText.cancel}</Button>
        <ActionButton
          isBusy={isBusyWith(act, 'new') || name.trim() === ''}
          onPress={() => void saveNew(file, name.trim()).then((isSaved) => isSaved && onDone())}
        >
          {trimText.saveNew}
        </ActionButton>
        <ActionButton
          rank="main"
          isBusy={isBusyWith(act, 'replace') || !isChanged}
          onPress={() => void replace(file).then((isSaved) => isSaved && onDone())}
        >
          {trimText.replace}
        </ActionButton>
      </DialogButtons>
    </Stack>
  );
}

/** Saves a changed sound in the place of a recording's, or as a new recording. Each has the file made, and answers whether it was saved. */
function useSaveSound({ id }: RecordingView): {
  readonly act: Act;
  readonly replace: (file: () => Promise<Blob>) => Promise<boolean>;
  readonly saveNew: (file: () => Promise<Blob>, name: string) => Promise<boolean>;
} {
  const act = useAct();
  return {
    act,
    replace: async (file) => {
      const ask = () => sent(file, (body) => askPortal('replaceRecording', { params: { id }, body }));
      return (await act.run('replace', ask, 'recording_replaced')) !== null;
    },
    saveNew: async (file, name) => {
      const ask = () => sent(file, (body) => askPortal('uploadRecording', { query: { name }, body }));
      return (await act.run('new', ask, 'recording_added')) !== null;
    },
  };
}

async function sent<T>(
  file: () => Promise<Blob>,
  send: (body: Blob) => Promise<PortalReply<T>>,
): Promise<PortalReply<T>> {
  let body: Blob;
  try {
    body = await file();
  } catch (error) {
    if (error instanceof SoundThreadFailed) return { kind: 'refused', reason: trimText.noMemory };
    throw error;
  }
  return send(body);
}

/** A recording whose samples lie on a thread of their own. */
interface HeldSound extends HeldFacts {
  readonly thread: SoundThread;
}

/** Whether the samples of a recording are there. */
export type Held =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly sound: HeldSound }
  | { readonly kind: 'failed'; readonly reason: string };

/** Reads and decodes a recording once, and holds it on a thread of its own while it is shown. */
function useHeldSound({ id, duration_ms: durationMs }: RecordingView): Held {
  const [held, setHeld] = useState<Held>({ kind: 'reading' });
  useEffect(() => {
    const leaving = new AbortController();
    void hold(id, durationMs, leaving.signal).then((now) => {
      if (!leaving.signal.aborted) setHeld(now);
    });
    return () => leaving.abort();
  }, [id, durationMs]);
  return held;
}

async function hold(id: string, durationMs: number | null, signal: AbortSignal): Promise<Held> {
  try {
    const file = await readAudio(id, signal);
    if (file === null) return { kind: 'failed', reason: trimText.unavailable };
    const thread = await startSoundThread();
    if (signal.aborted) thread.end();
    else signal.addEventListener('abort', thread.end);
    return { kind: 'read', sound: { ...(await holdFile(thread, file, durationMs)), thread } };
  } catch (error) {
    if (signal.aborted) return { kind: 'reading' };
    if (error instanceof SoundThreadFailed) return { kind: 'failed', reason: trimText.noMemory };
    if (error instanceof DOMException && error.name === 'EncodingError')
      return {
        kind: 'failed',
        reason: trimText.undecodable,
      };
    throw error;
  }
}
