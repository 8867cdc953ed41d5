import { useDeferredValue, useMemo, useState } from 'react';

import type { RecordingView } from '../../../contract/recording.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { isBusyWith } from '../../kit/use-act.ts';
import { outlineOf } from '../outline.ts';
import { PlayBar } from '../play-bar.tsx';
import { findSound } from '../sound/find-sound.ts';
import { partOf, type Sound } from '../sound/sound.ts';
import { telephoneSound } from '../sound/telephone-sound.ts';
import { usePlayer } from '../use-player.ts';
import { useSoundAddress } from '../use-sound-address.ts';
import { CutWaveform } from './cut-waveform.tsx';
import { cutOf, cutWords, spanOf } from './cut.ts';
import styles from './sound-editor.module.css';
import { useSaveSound } from './use-save-sound.ts';

const qualities = [
  { value: 'own', label: 'As recorded' },
  { value: 'telephone', label: 'On the telephone' },
] as const;

/** The waveform with the cut, how it sounds in both qualities, and the two ways to save what is heard. */
export function SoundEditor({
  recording,
  sound,
  onDone,
}: {
  recording: RecordingView;
  sound: Sound;
  onDone: () => void;
}) {
  const all = useMemo(() => cutOf(sound, null), [sound]);
  const found = useMemo(() => cutOf(sound, findSound(sound)), [sound]);
  const [cut, setCut] = useState(found);
  const [quality, setQuality] = useState<(typeof qualities)[number]['value']>('own');
  const [name, setName] = useState(`${recording.name.slice(0, 90)} (cut)`);
  const { act, replace, saveNew } = useSaveSound(recording);

  const outline = useMemo(() => outlineOf(sound), [sound]);
  const line = useMemo(() => (quality === 'telephone' ? telephoneSound(sound) : sound), [sound, quality]);
  const shownCut = useDeferredValue(cut); // dragged faster than a file can be written
  const heard = useMemo(() => partOf(line, spanOf(line, shownCut)), [line, shownCut]);
  const heardOutline = useMemo(() => outlineOf(heard), [heard]);
  const player = usePlayer(useSoundAddress(heard));
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
        <PlayBar name="what is kept" player={player} outline={heardOutline} lengthMs={null} />
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
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={onDone}>Cancel</Button>
        <ActionButton
          isBusy={isBusyWith(act, 'new') || name.trim() === ''}
          onPress={() => void saveNew(heard, name.trim()).then((isSaved) => isSaved && onDone())}
        >
          Save as a new one
        </ActionButton>
        <ActionButton
          rank="main"
          isBusy={isBusyWith(act, 'replace') || !isChanged}
          onPress={() => void replace(heard).then((isSaved) => isSaved && onDone())}
        >
          Replace
        </ActionButton>
      </DialogButtons>
    </div>
  );
}
