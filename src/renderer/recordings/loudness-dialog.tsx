import { useRef } from 'react';
import type { RecordingView } from '../../contract/menu/recording.ts';
import { heldSoundText, loudnessText, recordingsText } from '../../text/menu/recordings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { PlayBar } from './play-bar.tsx';
import type { CutSound, LevelledSound } from './sound/sound-worker.ts';
import { useHeldSound } from './use-held-sound.ts';
import { usePlayer, useSoundAddress } from './use-player.ts';

/** A smaller difference is not heard, in LU. */
const unheardLu = 0.5;

interface Loudness {
  readonly before: CutSound;
  /** Null: silence. */
  readonly after: LevelledSound | null;
}

/** Makes a recording as loud as spoken prompts: plays it before and after, and puts the result in its place. */
export function LoudnessDialog({ recording, onClose }: { recording: RecordingView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const sound = useHeldSound<Loudness>(recording, async (thread, { all }) => ({
    before: await thread.cut(all, 'own'),
    after: await thread.level(),
  }));
  return (
    <Dialog ref={ref} title={loudnessText.title(recording.name)} mayClose={() => true} onClose={onClose}>
      {sound.kind === 'made' ? (
        <Levelled recording={recording} loudness={sound.made} onDone={() => ref.current?.close()} />
      ) : (
        <>
          <Text role="status" tone="soft" size="medium">
            {sound.kind === 'reading' ? heldSoundText.loading : null}
          </Text>
          <DialogButtons
            cancel={recordingsText.close}
            refusal={sound.kind === 'failed' ? sound.reason : undefined}
          />
        </>
      )}
    </Dialog>
  );
}

function Levelled({
  recording: { id, used_by: usedBy },
  loudness: { before, after },
  onDone,
}: {
  recording: RecordingView;
  loudness: Loudness;
  onDone: () => void;
}) {
  const own = usePlayer(useSoundAddress(before.file));
  const made = usePlayer(useSoundAddress(after?.file));
  const act = useAct();
  const isDone = after === null || isSame(after);

  async function replace(file: Blob): Promise<void> {
    const ask = () => askPortal('replaceRecording', { params: { id }, body: file });
    if ((await act.run('replace', ask, 'recording_replaced')) !== null) onDone();
  }
  return (
    <Stack gap={6}>
      <Text role="status" tone="soft" size="medium">
        {wordsOf(after)}
      </Text>
      <Stack gap={3}>
        <Text>{loudnessText.before}</Text>
        <PlayBar name={loudnessText.before} player={own} outline={before.outline} lengthMs={null} />
        {after === null || isDone ? null : (
          <>
            <Text>{loudnessText.after}</Text>
            <PlayBar name={loudnessText.after} player={made} outline={after.outline} lengthMs={null} />
          </>
        )}
      </Stack>
      {isDone || usedBy.length === 0 ? null : (
        <Text tone="soft" size="medium">
          {heldSoundText.replacing(usedBy.length)}
        </Text>
      )}
      <DialogButtons cancel={isDone ? recordingsText.close : recordingsText.cancel} refusal={act.refusal}>
        {isDone ? null : (
          <ActionButton
            rank="main"
            isBusy={isBusyWith(act, 'replace')}
            onPress={() => void replace(after.file)}
          >
            {heldSoundText.replace}
          </ActionButton>
        )}
      </DialogButtons>
    </Stack>
  );
}

function wordsOf(after: LevelledSound | null): string {
  if (after === null) return loudnessText.silent;
  const { before, lufs } = after;
  return isSame(after) ? loudnessText.same(before) : loudnessText.change(before, lufs);
}

function isSame({ before, lufs }: LevelledSound): boolean {
  return Math.abs(lufs - before) < unheardLu;
}
