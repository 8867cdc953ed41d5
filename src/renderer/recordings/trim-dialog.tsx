import { useRef } from 'react';
import { Stack } from '../kit/layout.tsx';
import type { RecordingView } from '../../contract/menu/recording.ts';
import { heldSoundText, recordingsText, trimmedText, trimText } from '../../text/menu/recordings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { PlayBar, Waveform } from './play-bar.tsx';
import styles from './recordings.module.css';
import type { CutSound, HeldFacts } from './sound/sound-worker.ts';
import { useHeldSound } from './use-held-sound.ts';
import { usePlayer, useSoundAddress } from './use-player.ts';

/** Cuts the silence off both ends of a recording: shows and plays what is left, and puts it in the recording's place. */
export function TrimDialog({ recording, onClose }: { recording: RecordingView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const trimmed = useHeldSound<TrimmedSound>(recording, async (thread, held) => ({
    ...held,
    cut: await thread.cut(held.found, 'own'),
  }));

  return (
    <Dialog ref={ref} title={trimText.title(recording.name)} mayClose={() => true} onClose={onClose}>
      {trimmed.kind === 'made' ? (
        <Trimmed recording={recording} sound={trimmed.made} onDone={() => ref.current?.close()} />
      ) : (
        <>
          <Text role="status" tone="soft" size="medium">
            {trimmed.kind === 'reading' ? heldSoundText.loading : null}
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
          {heldSoundText.replacing(uses)}
        </Text>
      )}
      <DialogButtons
        cancel={removed === null ? recordingsText.close : recordingsText.cancel}
        refusal={act.refusal}
      >
        {removed === null ? null : (
          <ActionButton rank="main" isBusy={isBusyWith(act, 'replace')} onPress={() => void replace()}>
            {heldSoundText.replace}
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
