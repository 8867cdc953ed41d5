import { useEffect, useRef, useState } from 'react';

import type { RecordingView } from '../../../contract/recording.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { isBusyWith } from '../../kit/use-act.ts';
import { PlayBar } from '../play-bar.tsx';
import type { CutSound, Quality } from '../sound/sound-worker.ts';
import { SoundThreadFailed, type SoundThread } from '../sound/start-sound-thread.ts';
import { usePlayer } from '../use-player.ts';
import { useSoundAddress } from '../use-sound-address.ts';
import { CutWaveform } from './cut-waveform.tsx';
import { type Cut, cutWords } from './cut.ts';
import styles from './sound-editor.module.css';
import { type HeldSound, threadFailedWords } from './use-held-sound.ts';
import { useSaveSound } from './use-save-sound.ts';

const qualities = [
  { value: 'own', label: 'As recorded' },
  { value: 'telephone', label: 'On the telephone' },
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
    if (error instanceof SoundThreadFailed) return { failure: threadFailedWords };
    throw error;
  }
}

/** The waveform with the cut, how it sounds in both qualities, and the two ways to save what is heard. */
export function SoundEditor({
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
  const [name, setName] = useState(`${recording.name.slice(0, 90)} (cut)`);
  const { act, replace, saveNew } = useSaveSound(recording);
  const heard = useCutSound(sound, cut, quality);
  const player = usePlayer(useSoundAddress(heard.made?.file));
  const file = async (): Promise<Blob> => (await sound.thread.cut(cut, quality)).file;
  const leftOut = cutWords(cut, all);
  const isChanged = leftOut !== null || quality === 'telephone';
  const uses = recording.used_by.length;

  return (
    <div className={styles['editor']}>
      <div className={styles['part']}>
        <CutWaveform outline={outline} cut={cut} all={all} onCut={setCut} />
        <div className={styles['cut']}>
          <p role="status" className={styles['words']}>
            {leftOut ?? 'Nothing is left out.'}
          </p>
          <Button onPress={() => setCut(found)}>Cut the silence</Button>
          <Button onPress={() => setCut(all)}>Keep all</Button>
        </div>
      </div>
      <FieldGroup
        legend="How it sounds"
        hint="A telephone carries 300 to 3,400 Hz in eight bits. What you hear is what is saved."
      >
        <Choice options={qualities} value={quality} onChange={setQuality} />
        <PlayBar name="what is kept" player={player} outline={heard.made?.outline ?? null} lengthMs={null} />
      </FieldGroup>
      <TextField
        label="Name, if saved as a new one"
        value={name}
        onChange={(typed) => setName(typed.slice(0, 100))}
      />
      {uses === 0 ? null : (
        <p className={styles['words']}>
          Replacing it changes what callers hear in {uses === 1 ? 'one place' : `${uses} places`} at once. The
          audio that is there now is not kept.
        </p>
      )}
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : heard.failure} />
        <Button onPress={onDone}>Cancel</Button>
        <ActionButton
          isBusy={isBusyWith(act, 'new') || name.trim() === ''}
          onPress={() => void saveNew(file, name.trim()).then((isSaved) => isSaved && onDone())}
        >
          Save as a new one
        </ActionButton>
        <ActionButton
          rank="main"
          isBusy={isBusyWith(act, 'replace') || !isChanged}
          onPress={() => void replace(file).then((isSaved) => isSaved && onDone())}
        >
          Replace
        </ActionButton>
      </DialogButtons>
    </div>
  );
}
