import { useEffect, useRef, useState } from 'react';
import { readReference } from '../../../../contract/ivr-reference.ts';
import { kindWords } from '../../../../text/phone-menu.ts';
import { Link } from '../../../kit/link.tsx';
import { browserVoice } from '../play/prompt-voice.ts';
import { useDesigner } from '../use-designer.ts';
import { Combo, type Offer } from './combo.tsx';
import styles from './recording-line.module.css';
import { recordingWords } from './recording-words.ts';
import { SmallButton } from './small-button.tsx';
import { SpecField } from './spec-field.tsx';

type PromptType = 'recording' | 'outbound_tts' | 'raw';

/** What callers hear: a recording of here by its name, one that lives elsewhere by its id, or a spoken text. */
export function RecordingLine({
  label,
  spec,
  path,
  value,
  onChange,
}: {
  label: string;
  spec: string;
  path: string;
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const { store, referenceData } = useDesigner();
  const { type, id } = partsOf(value);

  function offers(): readonly Offer[] {
    if (type !== 'recording') return [];
    return referenceData.recordings.map(({ id: known, name }) => ({ value: String(known), name }));
  }

  function write(change: { type?: PromptType; id?: string }): void {
    const next = { type, id, ...change };
    if (next.type === 'raw') onChange(next.id === '' ? null : next.id);
    // A recording without an id is an open field; a text that is still to be written keeps its kind.
    else onChange(next.type === 'recording' && next.id === '' ? null : `${next.type}||${next.id}`);
  }

  return (
    <SpecField
      label={label}
      spec={spec}
      path={path}
      hint={type === 'recording' ? <Known id={id} /> : undefined}
    >
      {(tied) => (
        <div className={styles['pick']}>
          <select
            className={styles['type']}
            aria-label={`${label}: kind`}
            value={type}
            onChange={({ target }) => write({ type: target.value as PromptType })}
            onBlur={() => store.settle()}
          >
            <option value="recording">{kindWords.recording}</option>
            <option value="outbound_tts">{kindWords.outbound_tts}</option>
            {type === 'raw' ? <option value="raw">As written</option> : null}
          </select>
          <Combo
            tied={tied}
            value={id}
            offers={offers}
            onChange={(typed) => write({ id: typed })}
            onLeave={() => store.settle()}
          />
          {value === null || id === '' ? null : (
            <ListenButton key={value} prompt={value} what={`“${label}”`} />
          )}
        </div>
      )}
    </SpecField>
  );
}

/** What is known of the recording, or how to find one; nothing of one that is not here. */
function Known({ id }: { id: string }) {
  const { recordings } = useDesigner().referenceData;
  if (id !== '') return recordingWords(id, recordings);
  return recordings.length > 0 ? (
    'Search by name, or type an id.'
  ) : (
    <>
      Type an id, or{' '}
      <Link to="/recordings" className={styles['link']}>
        record or upload one
      </Link>
      .
    </>
  );
}

function partsOf(value: string | null): { readonly type: PromptType; readonly id: string } {
  if (value === null) return { type: 'recording', id: '' };
  const reference = readReference(value);
  if (reference?.type !== 'recording' && reference?.type !== 'outbound_tts')
    return { type: 'raw', id: value };
  return { type: reference.type, id: reference.id };
}

/** Plays a prompt, and ends it again. Says so where nothing can be heard of it here. */
function ListenButton({ prompt, what }: { prompt: string; what: string }) {
  const { referenceData } = useDesigner();
  const [state, setState] = useState<'idle' | 'playing' | 'silent'>('idle');
  const stopRef = useRef<(() => void) | null>(null);

  function stop(): void {
    stopRef.current?.();
    stopRef.current = null;
  }
  useEffect(() => stop, [prompt]);

  function press(): void {
    stop();
    if (state === 'playing') {
      setState('idle');
      return;
    }
    stopRef.current = browserVoice(() => referenceData.recordings).play(prompt, () => setState('idle'));
    setState(stopRef.current === null ? 'silent' : 'playing');
  }

  const name =
    state === 'silent'
      ? `${what} cannot be heard here: there is no audio, and no voice to speak it`
      : `${state === 'playing' ? 'Stop' : 'Listen to'} ${what}`;
  return (
    <SmallButton
      name={name}
      icon={state === 'playing' ? 'stop' : state === 'silent' ? 'mute' : 'play'}
      onPress={press}
    />
  );
}
