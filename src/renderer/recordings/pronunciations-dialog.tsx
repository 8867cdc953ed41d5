import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import type { PronunciationList, PronunciationName, Voice } from '../../contract/menu/speech.ts';
import { languageName, pronunciationsText as text, voiceFieldText } from '../../text/menu/speech-window.ts';
import { problemText } from '../../text/window/connection.ts';
import { fieldErrorText } from '../../text/window/window.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, SubmitButton } from '../kit/button.tsx';
import { Dialog, DialogButtons, useEntries } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { Grid, Row, Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import selectStyles from '../kit/select.module.css';
import { TextField } from '../kit/text-field.tsx';
import { Text } from '../kit/text.tsx';
import { ListenButton } from './listen-button.tsx';
import styles from './recordings.module.css';
import { pronunciations } from './read-recordings.ts';
import { knownVoices, languagesOf } from './voice-fields.tsx';

type Pronunciation = PronunciationList['pronunciations'][number];

/** The words that voices would read wrong: each can be heard and removed, and another can be added. */
export function PronunciationsDialog({ word = '', onClose }: { word?: string; onClose: () => void }) {
  const live = useLive(pronunciations);
  const voices = useLive(knownVoices).known?.value;
  const [typed, setTyped] = useState({ word, say: '', language: '' });
  const [refused, setRefused] = useState<Refused>({});
  const [told, setTold] = useState('');
  const [isBusy, setBusy] = useState(false);
  const entries = useEntries(isBusy);
  const wordRef = useRef<HTMLInputElement>(null);
  const sayRef = useRef<HTMLInputElement>(null);
  const listenErrorId = useId();
  // A word that is given is half of it.
  useEffect(() => {
    if (word !== '') sayRef.current?.focus();
  }, [word]);
  const known = live.known?.value.pronunciations ?? [];

  function type(change: Partial<typeof typed>): void {
    setTyped((before) => ({ ...before, ...change }));
    setRefused({});
    entries.onChange();
  }
  async function change(set: Pronunciation[], remove: PronunciationName[]): Promise<boolean> {
    setBusy(true);
    const reply = await askPortal('changePronunciations', {
      body: { set: set.map(({ word, say, language }) => ({ word, say, language })), remove },
    });
    setBusy(false);
    if (reply.kind === 'ok') {
      live.retry();
      return true;
    }
    setRefused(
      refusalOf(
        reply.kind === 'refused' ? reply.errors : undefined,
        problemText(reply, 'pronunciations_changed'),
      ),
    );
    return false;
  }
  async function add(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const missing = missingField(typed);
    if (missing !== null) {
      setRefused({ [missing]: missing === 'word' ? text.wordMissing : text.sayMissing });
      (missing === 'word' ? wordRef : sayRef).current?.focus();
      return;
    }
    const one = {
      word: typed.word.trim(),
      say: typed.say.trim(),
      language: typed.language || null,
      recordings: 0,
    };
    if (!(await change([one], []))) return;
    setTyped({ word: '', say: '', language: typed.language });
    setTold(text.added(one.word));
    wordRef.current?.focus();
  }
  async function remove({ word: gone, language }: Pronunciation): Promise<void> {
    if (isBusy || !(await change([], [{ word: gone, language }]))) return;
    setTold(text.removed(gone));
    wordRef.current?.focus(); // its button has gone
  }
  return (
    <Dialog title={text.title} mayClose={entries.mayClose} onClose={onClose}>
      <Stack gap={4}>
        <Text tone="soft">{text.lead}</Text>
        <PronunciationRows known={known} voices={voices?.voices ?? []} onRemove={(one) => void remove(one)} />
        <form noValidate onSubmit={(event) => void add(event)}>
          <Stack gap={4}>
            {known.length === 0 ? null : (
              <Text as="h3" size="normal" weight="bold">
                {text.addTitle}
              </Text>
            )}
            <Grid min={12} gap={4}>
              <TextField
                ref={wordRef}
                label={text.word}
                hint={text.wordHint}
                error={refused.word}
                value={typed.word}
                onChange={(changed) => type({ word: changed })}
              />
              <TextField
                ref={sayRef}
                label={text.say}
                hint={text.sayHint}
                error={refused.say}
                value={typed.say}
                onChange={(changed) => type({ say: changed })}
              />
            </Grid>
            <Field label={voiceFieldText.language}>
              {(tied) => (
                <select
                  {...tied}
                  className={selectStyles['select']}
                  value={typed.language}
                  onChange={({ target }) => type({ language: target.value })}
                >
                  <option value="">{text.everyLanguage}</option>
                  {languagesOf(voices?.voices ?? [], voices?.language ?? 'en-US').map((one) => (
                    <option key={one} value={one}>
                      {languageName(one)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Row gap={3} wraps align="center">
              <ListenButton
                heard={heardOf(typed.say.trim(), typed.language, voices?.voices)}
                about={text.newOne}
                errorId={listenErrorId}
                check={() => {
                  if (typed.say.trim() !== '') return true;
                  setRefused({ say: text.sayMissing });
                  sayRef.current?.focus();
                  return false;
                }}
              />
              <Text role="status" tone="good" size="small">
                {told}
              </Text>
            </Row>
            <DialogButtons cancel={text.close} refusal={refused.whole ?? entries.warning}>
              <SubmitButton isBusy={isBusy}>{text.add}</SubmitButton>
            </DialogButtons>
          </Stack>
        </form>
      </Stack>
    </Dialog>
  );
}

function PronunciationRows({
  known,
  voices,
  onRemove,
}: {
  known: readonly Pronunciation[];
  voices: readonly Voice[];
  onRemove: (one: Pronunciation) => void;
}) {
  const id = useId();
  if (known.length === 0)
    return (
      <Text tone="soft" size="medium">
        {text.none}
      </Text>
    );
  return (
    <Stack as="ul" gap={3} aria-label={text.title} className={styles['words']} tabIndex={0}>
      {known.map((one, place) => (
        <Row as="li" gap={3} wraps align="center" justify="between" key={`${one.word} ${one.language}`}>
          <Stack gap={1} className={styles['word']}>
            <Text breaks>
              <Text as="strong" weight="bold">
                {one.word}
              </Text>{' '}
              {text.saidAs} <bdi>{one.say}</bdi>
            </Text>
            <Text tone="soft" size="small">
              {one.language === null ? text.everyLanguage : languageName(one.language)} ·{' '}
              {text.recordings(one.recordings)}
            </Text>
          </Stack>
          <Row gap={2} wraps align="center">
            <ListenButton
              heard={heardOf(one.say, one.language ?? '', voices)}
              about={one.word}
              errorId={`${id}-${place}`}
            />
            <ActionButton about={one.word} onPress={() => onRemove(one)}>
              {text.remove}
            </ActionButton>
          </Row>
        </Row>
      ))}
    </Stack>
  );
}

/** With a voice of its language; for every language, as the settings have it. */
function heardOf(say: string, language: string, voices: readonly Voice[] | undefined) {
  const isSpoken = language !== '' && voices?.some((one) => one.language === language);
  return { text: say, language: isSpoken ? language : null, voice: null };
}

function missingField({ word, say }: { word: string; say: string }): 'word' | 'say' | null {
  if (word.trim() === '') return 'word';
  return say.trim() === '' ? 'say' : null;
}

interface Refused {
  readonly word?: string;
  readonly say?: string;
  readonly whole?: string;
}

/** At the field that it is about, where it is about one. */
function refusalOf(
  errors: readonly { readonly field: string; readonly message: string }[] | undefined,
  whole: string,
): Refused {
  const error = errors?.[0];
  if (error?.field.endsWith('.word')) return { word: fieldErrorText(text.word, error.message) };
  if (error?.field.endsWith('.say')) return { say: fieldErrorText(text.say, error.message) };
  return { whole };
}
