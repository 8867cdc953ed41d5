import type { Voice, VoiceList } from '../../contract/menu/speech.ts';
import { covers } from '../../core/speech/pronunciation.ts';
import { voiceFor } from '../../core/speech/speech-request.ts';
import { languageName, voiceFieldText as text, voiceName } from '../../text/menu/speech-window.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Field } from '../kit/field.tsx';
import { Grid } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import linkStyles from '../kit/link.module.css';
import type { Resource } from '../kit/live/resource.ts';
import selectStyles from '../kit/select.module.css';

/** The voices of the computer that the service runs on, and what texts are spoken with there. */
export const knownVoices: Resource<VoiceList> = {
  key: ['voices'],
  about: ['settings.', 'voice'],
  read: (signal) => askPortal('listVoices', { signal }),
};

export interface ChosenVoice {
  /** Empty: as the settings have it, where that can be chosen. */
  readonly language: string;
  /** Null: the first voice of the language. */
  readonly voice: string | null;
}

/** Chooses a language, and one of its voices. Another language begins with its first voice. */
export function VoiceFields({
  voices,
  chosen,
  usual = null,
  hasWayToAdd = true,
  onChange,
}: {
  voices: readonly Voice[];
  chosen: ChosenVoice;
  /** The language of the settings, where leaving it to them can be chosen. */
  usual?: string | null;
  /** Whether it leads to the settings where there is no voice. */
  hasWayToAdd?: boolean;
  onChange: (chosen: ChosenVoice) => void;
}) {
  const { language, voice } = chosen;
  const isUsual = language === '';
  const ofLanguage = isUsual ? [] : voicesOf(voices, language);
  const isGone = voice !== null && !ofLanguage.some(({ id }) => id === voice);
  const first = voiceFor({ language, voice: null }, voices);
  const hasNone = first === null && !isUsual;
  return (
    <Grid min={13} gap={4}>
      <Field
        label={text.language}
        error={hasNone ? text.noVoice(language) : undefined}
        hint={
          hasNone && hasWayToAdd ? (
            <Link to="/settings#voices" className={linkStyles['link']}>
              {text.addVoice}
            </Link>
          ) : undefined
        }
      >
        {(tied) => (
          <select
            {...tied}
            className={selectStyles['select']}
            value={language}
            onChange={({ target }) => onChange({ language: target.value, voice: null })}
          >
            {usual === null ? null : <option value="">{text.asSettings(usual)}</option>}
            {languagesOf(voices, isUsual ? (usual ?? '') : language).map((one) => (
              <option key={one} value={one}>
                {languageName(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isUsual ? null : (
        <Field label={text.voice}>
          {(tied) => (
            <select
              {...tied}
              className={selectStyles['select']}
              value={voice ?? ''}
              onChange={({ target }) =>
                onChange({ language, voice: target.value === '' ? null : target.value })
              }
            >
              <option value="">{text.firstVoice(first?.name ?? null)}</option>
              {ofLanguage.map((one) => (
                <option key={one.id} value={one.id}>
                  {voiceName(one)}
                </option>
              ))}
              {isGone ? <option value={voice}>{text.missing(voice)}</option> : null}
            </select>
          )}
        </Field>
      )}
    </Grid>
  );
}

/** The languages that there are voices for, and the one that is chosen, by name. */
export function languagesOf(voices: readonly Pick<Voice, 'language'>[], chosen: string): readonly string[] {
  const all = new Set([chosen, ...voices.map(({ language }) => language)]);
  return [...all].toSorted((one, other) => languageName(one).localeCompare(languageName(other)));
}

/** The voices that can speak a language: `en-US` for `en-US` and `en`. */
function voicesOf(voices: readonly Voice[], language: string): readonly Voice[] {
  return voices.filter((one) => covers(one.language, language) || covers(language, one.language));
}
