import { type KeyboardEvent, useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components';
import { flushSync } from 'react-dom';
import { type SpokenTag, taggable, type TextSpan, withTag } from '../../../../core/speech/tag-text.ts';
import { spokenTagFault } from '../../../../core/speech/spoken-text.ts';
import { recordingText } from '../../../../text/menu/designer-inspector.ts';
import { spokenFieldText as text } from '../../../../text/menu/prompt-field.ts';
import input from '../../../kit/input.module.css';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { SmallButton } from '../small-button.tsx';
import styles from './inspector.module.css';
import type { TiedToPath } from './spec-field.tsx';

/** A spoken text, with the buttons that put a tag at what is selected, and the place of a tag that cannot be read. */
export function SpokenField({
  label,
  tied,
  words,
  onChange,
  onLeave,
}: {
  label: string;
  tied: TiedToPath;
  words: string;
  onChange: (words: string) => void;
  onLeave: () => void;
}) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const [note, setNote] = useState('');
  /** The words that are to sound otherwise. */
  const [asked, setAsked] = useState<{ readonly span: TextSpan; readonly of: string } | null>(null);
  // A place in another text than that in which it was asked for is another place.
  const aliased = asked?.of === words ? asked.span : null;
  const fault = spokenTagFault(words);

  function selected(): TextSpan {
    const { selectionStart: from = 0, selectionEnd: to = 0 } = ref.current ?? {};
    return { from, to };
  }
  function select({ from, to }: TextSpan): void {
    ref.current?.focus();
    ref.current?.setSelectionRange(from, to);
  }
  function put(tag: SpokenTag, at: TextSpan): void {
    const made = withTag(words, at, tag);
    setNote(made === null ? text.cannotTag[tag.kind] : '');
    if (made === null) return;
    flushSync(() => onChange(made.text));
    select(made.selected);
    onLeave();
  }
  function askAlias(): void {
    const span = taggable(words, selected(), 'alias');
    setNote(span === null ? text.cannotTag.alias : '');
    setAsked(span === null ? null : { span, of: words });
  }

  return (
    <div className={styles['spoken']}>
      <Stack gap={1}>
        <textarea
          {...tied}
          ref={ref}
          aria-invalid={tied['aria-invalid'] ?? (fault === null ? undefined : true)}
          className={input['input']}
          rows={3}
          placeholder={recordingText.say}
          value={words}
          // A spoken text is one line in the body.
          onChange={({ target }) => {
            setNote('');
            setAsked(null);
            onChange(target.value.replace(/(?<!\s)\s*[\r\n]+\s*/g, ' '));
          }}
          onBlur={onLeave}
        />
        {words === '' ? null : (
          <Toolbar className={styles['worded'] ?? ''} aria-label={text.tags(label)}>
            <SmallButton title={text.pauseHint} onPress={() => put({ kind: 'pause' }, selected())}>
              {text.pause}
            </SmallButton>
            <SmallButton title={text.digitsHint} onPress={() => put({ kind: 'digits' }, selected())}>
              {text.digits}
            </SmallButton>
            <SmallButton title={text.aliasHint} onPress={askAlias}>
              {text.alias}
            </SmallButton>
            {fault?.kind === 'unreadable' ? (
              <SmallButton onPress={() => select({ from: fault.at, to: fault.at + fault.found.length })}>
                {text.show}
              </SmallButton>
            ) : null}
          </Toolbar>
        )}
        {aliased === null ? null : (
          <AliasLine
            word={words.slice(aliased.from, aliased.to)}
            onApply={(say) => {
              setAsked(null);
              put({ kind: 'alias', say }, aliased);
            }}
            onCancel={() => {
              setAsked(null);
              select(aliased);
            }}
          />
        )}
        <Text tone="soft" size="small" role="status">
          {note}
        </Text>
      </Stack>
    </div>
  );
}

/** How a word sounds in this text, and the way to how it sounds in all. Enter applies it, Escape does not. */
function AliasLine({
  word,
  onApply,
  onCancel,
}: {
  word: string;
  onApply: (say: string) => void;
  onCancel: () => void;
}) {
  const [say, setSay] = useState('');
  function apply(): void {
    if (say.trim() !== '') onApply(say);
  }
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') apply();
    else onCancel();
  }
  return (
    <Stack gap={1}>
      <Row gap={1} align="center">
        <input
          type="text"
          ref={focusOnce}
          className={input['input']}
          aria-label={text.aliasOf(word)}
          placeholder={text.aliasOf(word)}
          value={say}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setSay(target.value)}
          onKeyDown={press}
        />
        <SmallButton isDisabled={say.trim() === ''} onPress={apply}>
          {text.apply}
        </SmallButton>
        <SmallButton onPress={onCancel}>{text.cancel}</SmallButton>
      </Row>
      <Text as="span" tone="soft" size="small">
        {text.onlyHere}{' '}
        <Link to={`/recordings?pronounce=${encodeURIComponent(word)}`}>{text.everywhere}</Link>
      </Text>
    </Stack>
  );
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
}
