import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Toolbar } from 'react-aria-components';
import { readReference } from '../../../../contract/menu/ivr-reference.ts';
import { kindNames } from '../../../../text/menu/phone-menu.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { pbxSounds } from '../../../recordings/read-recordings.ts';
import { browserVoice } from '../play/prompt-voice.ts';
import { useDesigner } from '../use-designer.ts';
import { Combo, matching, type Offer } from './combo.tsx';
import panel from '../panel.module.css';
import styles from './inspector.module.css';
import { SmallButton } from '../small-button.tsx';
import { SpokenField } from './spoken-field.tsx';
import { SpokenSound } from './spoken-sound.tsx';
import { focusField, SpecField, tooLong } from './spec-field.tsx';
import { ivrBounds, IvrRecordingType } from '../../../../contract/menu/ivr.ts';
import { flowPromptText, recordingText as text } from '../../../../text/menu/designer-inspector.ts';
import { promptTitle, recordingTitle } from '../../../../text/menu/recordings-text.ts';
import { audioFiles } from '../../../recordings/upload/upload-list.tsx';
import { uploadFile } from '../../../recordings/upload/use-uploads.ts';

type PromptType = IvrRecordingType | 'raw';

/** What callers hear: a recording by its name, a recording that is not here by its id, or a spoken text. */
export function RecordingLine({
  label,
  path,
  value,
  fallback = null,
  onMakeDefault,
  onChange,
}: {
  label: string;
  path: string;
  value: string | null;
  /** What plays while this is empty. */
  fallback?: string | null;
  /** Makes this prompt what plays in all menus that have none. */
  onMakeDefault?: (() => void) | undefined;
  onChange: (value: string | null) => void;
}) {
  const { store, referenceData } = useDesigner();
  // While nothing is chosen: words.
  const [kind, setKind] = useState<PromptType>('outbound_tts');
  const { type, id } = partsOf(value, kind);
  /** Speech is made of what is typed or pasted here, not of what is only looked at. */
  const [opened] = useState(value);
  /** The words that were there when the field was left last. */
  const [left, setLeft] = useState<string | null>(null);
  const [isRecording, setRecording] = useState(false);
  const [upload, setUpload] = useState<PromptUpload>({ kind: 'idle', note: null });
  const isSpoken = type === 'outbound_tts';

  const sounds = useLive(pbxSounds(type === 'sound')).known?.value ?? [];

  function offers(sought: string): readonly Offer[] {
    if (type === 'sound')
      return matching(
        sounds.map(({ name, text: said }) => ({ value: name, name: said })),
        sought,
      );
    if (type !== 'recording') return [];
    return matching(
      referenceData.recordings.map(({ id: known, name }) => ({ value: String(known), name })),
      sought,
    );
  }

  /** A whole name is as good as the id. */
  function leave(): void {
    const name = id.trim().toLocaleLowerCase();
    const isId = referenceData.recordings.some((known) => String(known.id) === id);
    const named = referenceData.recordings.find((known) => known.name.toLocaleLowerCase() === name);
    if (type === 'recording' && !isId && named !== undefined) write({ id: String(named.id) });
    store.settle();
  }

  function write(change: { type?: PromptType; id?: string }): void {
    const next = { type, id, ...change };
    setKind(next.type === 'raw' ? 'outbound_tts' : next.type);
    if (next.id === '') onChange(null);
    else onChange(next.type === 'raw' ? next.id : `${next.type}||${next.id}`);
  }

  function hint(): ReactNode {
    if (upload.kind === 'sending') return text.uploading;
    if (value === null && fallback !== null) {
      return flowPromptText.default(promptTitle(fallback, referenceData.recordings));
    }
    if (type === 'sound') return sounds.find(({ name }) => name === id)?.text ?? text.soundHint;
    if (type !== 'recording') return undefined;
    return (
      <>
        <Known id={id} /> {upload.kind === 'idle' ? upload.note : null}
      </>
    );
  }
  const textError = isSpoken ? tooLong(id, ivrBounds.spokenLength) : undefined;

  return (
    <SpecField
      label={label}
      path={path}
      hint={hint()}
      error={upload.kind === 'refused' ? upload.reason : textError}
    >
      {(tied) => (
        <div className={styles['pick']}>
          <select
            className={panel['select']}
            aria-label={text.kindOf(label)}
            value={type}
            onChange={({ target }) => {
              flushSync(() => write({ type: target.value as PromptType }));
              // What is chosen here is said in the field, and the next thing to be written.
              if (target.value === 'outbound_tts') focusField(path);
            }}
            onBlur={() => store.settle()}
          >
            <option value="recording">{kindNames.recording}</option>
            <option value="outbound_tts">{kindNames.outbound_tts}</option>
            <option value="sound">{kindNames.sound}</option>
            {type === 'raw' ? <option value="raw">{text.asWritten}</option> : null}
          </select>
          {isSpoken ? (
            <SpokenField
              label={label}
              tied={tied}
              words={id}
              onChange={(words) => write({ id: words })}
              onLeave={() => {
                setLeft(id);
                store.settle();
              }}
            />
          ) : (
            <div className={styles['spoken']}>
              <Combo
                tied={tied}
                value={id}
                offers={offers}
                onChange={(typed) => write({ id: typed })}
                onLeave={leave}
              />
            </div>
          )}
          <Toolbar className={styles['tools'] ?? ''} aria-label={text.toolsOf(label)}>
            {value === null || id === '' || isSpoken ? null : (
              <ListenButton key={value} prompt={value} label={label} />
            )}
            <PromptMakers
              label={label}
              isRecording={isRecording}
              onRecording={setRecording}
              onMade={(made) => {
                setUpload({ kind: 'idle', note: null });
                onChange(`recording||${made}`);
              }}
              onUpload={setUpload}
            />
            {onMakeDefault === undefined ? null : (
              <SmallButton name={flowPromptText.makeDefault(label)} icon="star" onPress={onMakeDefault} />
            )}
          </Toolbar>
          {isSpoken && id.trim() !== '' && id.length <= ivrBounds.spokenLength ? (
            <div className={styles['sound']}>
              <SpokenSound
                label={label}
                words={id}
                isTyped={value !== opened}
                isLeft={left === id}
                onRecord={() => setRecording(true)}
                onKept={(kept) => onChange(`recording||${kept}`)}
              />
            </div>
          ) : null}
        </div>
      )}
    </SpecField>
  );
}

/** The name and length of the recording, or how to find one; nothing for one that is not here. */
function Known({ id }: { id: string }) {
  const { recordings } = useDesigner().referenceData;
  if (id !== '') return recordingTitle(id, recordings);
  return recordings.length > 0 ? text.search : text.none;
}

function partsOf(
  value: string | null,
  emptyKind: PromptType,
): { readonly type: PromptType; readonly id: string } {
  if (value === null) return { type: emptyKind, id: '' };
  const reference = readReference(value);
  const type = IvrRecordingType.safeParse(reference?.type);
  return reference === null || !type.success
    ? { type: 'raw', id: value }
    : { type: type.data, id: reference.id };
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
    stopRef.current = browserVoice(referenceData).play(prompt, () => setState('idle'));
    setState(stopRef.current === null ? 'silent' : 'playing');
  }

  const { name, icon } = listenStates[state];
  return <SmallButton name={name(label)} icon={icon} onPress={press} />;
}

const RecordDialog = lazy(async () => ({
  default: (await import('../../../recordings/microphone/record-dialog.tsx')).RecordDialog,
}));

/** Where the upload of a prompt stands, as the field shows it. */
type PromptUpload =
  | { readonly kind: 'idle'; /** What was done with the file. */ readonly note: string | null }
  | { readonly kind: 'sending' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Records or uploads a prompt where it is needed; the new recording is chosen. */
function PromptMakers({
  label,
  isRecording,
  onRecording,
  onMade,
  onUpload,
}: {
  label: string;
  isRecording: boolean;
  onRecording: (isRecording: boolean) => void;
  onMade: (id: string) => void;
  onUpload: (state: PromptUpload) => void;
}) {
  const inputRef = useRef<HTMLInputElement>(null);

  async function upload(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    onUpload({ kind: 'sending' });
    const state = await uploadFile(file.name, () => Promise.resolve(file));
    if (state.kind === 'refused') {
      onUpload(state);
      return;
    }
    onUpload({ kind: 'idle', note: state.note });
    onMade(state.id);
  }

  return (
    <>
      <SmallButton name={text.recordFor(label)} icon="microphone" onPress={() => onRecording(true)} />
      <SmallButton name={text.uploadFor(label)} icon="upload" onPress={() => inputRef.current?.click()} />
      <input
        ref={inputRef}
        type="file"
        hidden
        accept={audioFiles}
        aria-label={text.fileFor(label)}
        onChange={({ currentTarget }) => {
          void upload(currentTarget.files?.[0]);
          currentTarget.value = ''; // the same file can be chosen again
        }}
      />
      {isRecording ? (
        <Suspense>
          <RecordDialog onSaved={onMade} onClose={() => onRecording(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
