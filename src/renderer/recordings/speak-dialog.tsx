import { useId, useRef, useState } from 'react';
import { ivrBounds } from '../../contract/menu/ivr.ts';
import type { RecordingView, SpeakRecording } from '../../contract/menu/recording.ts';
import { speakText as text } from '../../text/menu/speech-window.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { QuestionDialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { useLive } from '../kit/live/use-live.ts';
import { RichText } from '../kit/rich-text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { ListenButton } from './listen-button.tsx';
import { type ChosenVoice, knownVoices, VoiceFields } from './voice-fields.tsx';

const longestName = 100;

/** Makes a recording of a text: type it, choose a voice, listen, save it. */
export function SpeakDialog({
  onSaved,
  onClose,
}: {
  onSaved: (recording: RecordingView) => void;
  onClose: () => void;
}) {
  const voices = useLive(knownVoices).known?.value;
  const [typed, setTyped] = useState('');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ChosenVoice | null>(null);
  const [isChecked, setChecked] = useState(false);
  const textRef = useRef<HTMLTextAreaElement>(null);
  const listenErrorId = useId();
  const as = chosen ?? (voices && { language: voices.language, voice: voices.voice });
  const spoken = typed.trim();
  const error = textError(spoken);

  /** Whether there is something to speak; if not, the field says why, and has the focus. */
  function check(): boolean {
    setChecked(true);
    if (error !== undefined) textRef.current?.focus();
    return error === undefined;
  }
  function ask() {
    if (!check()) return null;
    const body = {
      text: spoken,
      ...(as && { language: as.language }),
      ...(as?.voice && { voice: as.voice }),
      ...(name.trim() !== '' && { name: name.trim() }),
    } as SpeakRecording;
    return askPortal('speakRecording', { body });
  }
  return (
    <QuestionDialog
      title={text.title}
      cancel={text.cancel}
      verb={text.save}
      pending={text.saving}
      ask={ask}
      change="recording_added"
      onDone={onSaved}
      onClose={onClose}
    >
      <Field
        label={text.text}
        hint={
          <RichText
            text={text.textHint}
            parts={{ pause: <code>{text.pause}</code>, digits: <code>{text.digits}</code> }}
          />
        }
        error={isChecked ? error : undefined}
      >
        {(tied) => (
          <textarea
            {...tied}
            ref={textRef}
            className={inputStyles['input']}
            rows={3}
            aria-required
            placeholder={text.example}
            value={typed}
            // A spoken text is one line in a menu.
            onChange={({ target }) => setTyped(target.value.replace(/(?<!\s)\s*[\r\n]+\s*/g, ' '))}
          />
        )}
      </Field>
      {voices === undefined || as === undefined ? null : (
        <VoiceFields voices={voices.voices} chosen={as} onChange={setChosen} />
      )}
      <ListenButton
        heard={{ text: spoken, language: as?.language ?? null, voice: as?.voice ?? null }}
        errorId={listenErrorId}
        check={check}
      />
      <TextField
        label={text.name}
        value={name}
        hint={text.nameHint}
        onChange={(changed) => setName(changed.slice(0, longestName))}
      />
    </QuestionDialog>
  );
}

function textError(spoken: string): string | undefined {
  if (spoken === '') return text.textMissing;
  if (spoken.includes('|')) return text.oneLine;
  return spoken.length > ivrBounds.spokenLength ? text.tooLong(ivrBounds.spokenLength) : undefined;
}
