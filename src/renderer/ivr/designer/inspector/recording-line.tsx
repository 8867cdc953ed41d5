import { useEffect, useRef, useState } from 'react';
import { readReference } from '../../../../contract/ivr-reference.ts';
import { kindWords } from '../../../../text/phone-menu.ts';
import { Link } from '../../../kit/link.tsx';
import { browserVoice } from '../play/prompt-voice.ts';
import { useDesigner } from '../use-designer.ts';
import { Combo, type Offer } from './combo.tsx';
import panel from '../panel.module.css';
import styles from './fields.module.css';
import { SmallButton } from '../small-button.tsx';
import { SpecField } from './spec-field.tsx';
import { recordingText as text } from '../../../../text/designer-inspector.ts';
import { RichText } from '../../../kit/rich-text.tsx';
import { recordingTitle } from '../reference-data.ts';

type PromptType = 'recording' | 'outbound_tts' | 'raw';

/** What callers hear: a recording by its name, a recording that is not here by its id, or a spoken text. */
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
    // A recording without an id is an empty field; an empty spoken text keeps its kind.
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
            className={panel['select']}
            aria-label={text.kindOf(label)}
            value={type}
            onChange={({ target }) => write({ type: target.value as PromptType })}
            onBlur={() => store.settle()}
          >
            <option value="recording">{kindWords.recording}</option>
            <option value="outbound_tts">{kindWords.outbound_tts}</option>
            {type === 'raw' ? <option value="raw">{text.asWritten}</option> : null}
          </select>
          <Combo
            tied={tied}
            value={id}
            offers={offers}
            onChange={(typed) => write({ id: typed })}
            onLeave={() => store.settle()}
          />
          {value === null || id === '' ? null : <ListenButton key={value} prompt={value} label={label} />}
        </div>
      )}
    </SpecField>
  );
}

/** The name and length of the recording, or how to find one; nothing for one that is not here. */
function Known({ id }: { id: string }) {
  const { recordings } = useDesigner().referenceData;
  if (id !== '') return recordingTitle(id, recordings);
  return recordings.length > 0 ? (
    text.search
  ) : (
    <RichText
      text={text.none}
      parts={{
        record: <Link to="/recordings">{text.record}</Link>,
      }}
    />
  );
}

function partsOf(value: string | null): { readonly type: PromptType; readonly id: string } {
  if (value === null) return { type: 'recording', id: '' };
  const reference = readReference(value);
  if (reference?.type !== 'recording' && reference?.type !== 'outbound_tts')
    return { type: 'raw', id: value };
  return { type: reference.type, id: reference.id };
}

const listenStates = {
  idle: { name: text.listen, icon: 'play' },
  playing: { name: text.stop, icon: 'stop' },
  silent: { name: text.silent, icon: 'mute' },
} as const;

/** Plays and stops a prompt. Says so if the prompt cannot be played here. */
function ListenButton({ prompt, label }: { prompt: string; label: string }) {
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

  const { name, icon } = listenStates[state];
  return <SmallButton name={name(label)} icon={icon} onPress={press} />;
}
