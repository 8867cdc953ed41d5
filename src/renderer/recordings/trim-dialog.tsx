import { useEffect, useRef, useState } from 'react';
import { Stack } from '../kit/layout.tsx';
import type { RecordingView } from '../../contract/menu/recording.ts';
import { recordingsText, trimmedText, trimText } from '../../text/menu/recordings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { PlayBar } from './play-bar.tsx';
import { readAudio } from './read-recordings.ts';
import styles from './recordings.module.css';
import type { CutSound, HeldFacts } from './sound/sound-worker.ts';
import { holdFile, SoundThreadFailed, startSoundThread } from './sound/start-sound-thread.ts';
import { usePlayer, useSoundAddress } from './use-player.ts';
import { Waveform } from './waveform.tsx';

/** Cuts the silence off both ends of a recording: shows and plays what is left, and puts it in the recording's place. */
export function TrimDialog({ recording, onClose }: { recording: RecordingView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const trimmed = useTrimmed(recording);

  return (
    <Dialog ref={ref} title={trimText.title(recording.name)} mayClose={() => true} onClose={onClose}>
      {trimmed.kind === 'made' ? (
        <Trimmed recording={recording} sound={trimmed.sound} onDone={() => ref.current?.close()} />
      ) : (
        <>
          <Text role="status" tone="soft" size="medium">
            {trimmed.kind === 'reading' ? trimText.loading : null}
          </Text>
          <DialogButtons
            cancel={recordingsText.close}
            refusal={trimmed.kind === 'failed' ? trimmed.reason : undefined}
          />
        </>
      )}
    </Dialog>
  );
}

function Trimmed({
  recording,
  sound: { all, found, outline, cut },
  onDone,
}: {
  recording: RecordingView;
  sound: TrimmedSound;
  onDone: () => void;
}) {
  const player = usePlayer(useSoundAddress(cut.file));
  const act = useAct();
  const removed = trimmedText(found.fromMs, all.toMs - found.toMs);
  const uses = recording.used_by.length;
  const shareOf = (ms: number): string => `${(ms / all.toMs) * 100}%`;

  async function replace(): Promise<void> {
    const ask = () => askPortal('replaceRecording', { params: { id: recording.id }, body: cut.file });
    if ((await act.run('replace', ask, 'recording_replaced')) !== null) onDone();
  }
  return (
    <Stack gap={6}>
      <Stack gap={3}>
        <div className={styles['cut']}>
          <div className={styles['wave']}>
            <Waveform outline={outline} />
          </div>
          <div className={styles['off']} style={{ left: 0, width: shareOf(found.fromMs) }} />
          <div className={styles['off']} style={{ right: 0, width: shareOf(all.toMs - found.toMs) }} />
        </div>
        <Text role="status" tone="soft" size="medium">
          {removed ?? trimText.nothing}
        </Text>
      </Stack>
      <PlayBar name={trimText.result} player={player} outline={cut.outline} lengthMs={null} />
      {uses === 0 || removed === null ? null : (
        <Text tone="soft" size="medium">
          {trimText.replacing(uses)}
        </Text>
      )}
      <DialogButtons
        cancel={removed === null ? recordingsText.close : recordingsText.cancel}
        refusal={act.refusal}
      >
        {removed === null ? null : (
          <ActionButton rank="main" isBusy={isBusyWith(act, 'replace')} onPress={() => void replace()}>
            {trimText.replace}
          </ActionButton>
        )}
      </DialogButtons>
    </Stack>
  );
}

/** A recording, and what is left of it without the silence at both ends. */
interface TrimmedSound extends HeldFacts {
  readonly cut: CutSound;
}

type Trim =
  | { readonly kind: 'reading' }
  | { readonly kind: 'made'; readonly sound: TrimmedSound }
  | { readonly kind: 'failed'; readonly reason: string };

function useTrimmed({ id, duration_ms: durationMs }: RecordingView): Trim {
  const [trim, setTrim] = useState<Trim>({ kind: 'reading' });
  useEffect(() => {
    const leaving = new AbortController();
    void trimSilence(id, durationMs, leaving.signal).then((now) => {
      if (!leaving.signal.aborted) setTrim(now);
    });
    return () => leaving.abort();
  }, [id, durationMs]);
  return trim;
}

/** Reads, decodes and cuts on a thread that ends with it, or when its dialog is closed. */
async function trimSilence(id: string, durationMs: number | null, signal: AbortSignal): Promise<Trim> {
  try {
    const file = await readAudio(id, signal);
    if (file === null) return { kind: 'failed', reason: trimText.unavailable };
    const thread = await startSoundThread();
    try {
      if (signal.aborted) return { kind: 'reading' };
      signal.addEventListener('abort', thread.end);
      const held = await holdFile(thread, file, durationMs);
      return { kind: 'made', sound: { ...held, cut: await thread.cut(held.found, 'own') } };
    } finally {
      thread.end();
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'reading' };
    if (error instanceof SoundThreadFailed) return { kind: 'failed', reason: trimText.noMemory };
    if (error instanceof DOMException && error.name === 'EncodingError')
      return { kind: 'failed', reason: trimText.undecodable };
    throw error;
  }
}
