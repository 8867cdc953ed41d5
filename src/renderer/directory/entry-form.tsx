import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { Extension, SmsTemplate } from '../../contract/menu/directory.ts';
import { directoryText as text, smsCodingText, smsCulpritText } from '../../text/menu/directory-text.ts';
import { fieldErrorText } from '../../text/window/window.ts';
import { ActionButton } from '../kit/button.tsx';
import inputStyles from '../kit/input.module.css';
import { isBusyWith } from '../kit/use-act.ts';
import type { DirectoryChanges, Entry } from './use-directory.ts';
import styles from './directory.module.css';
import { smsLength } from './sms-length.ts';

/**
 * One entry while it is changed, in the place of its row. The id stays: it is what menus know it by.
 *
 * Enter saves, in a text together with Ctrl; Esc leaves it as it was.
 */
export function EntryForm({
  draft,
  changes,
  onDraft,
  onDone,
}: {
  draft: Entry;
  changes: DirectoryChanges;
  onDraft: (draft: Entry) => void;
  onDone: () => void;
}) {
  const nameRef = useRef<HTMLInputElement>(null);
  const boxRef = useRef<HTMLDivElement>(null);
  const [isTried, setTried] = useState(false);
  const errors = entryErrors(draft);
  const error = isTried ? (errors.name ?? errors.text) : undefined;
  const { id, name, text: message } = draft;

  useEffect(() => nameRef.current?.select(), []);

  function leave(): void {
    const row = boxRef.current?.closest<HTMLElement>('[data-index]');
    onDone();
    row?.focus();
  }
  async function save(): Promise<void> {
    setTried(true);
    if (Object.keys(errors).length > 0) return;
    if (await changes.save({ ...draft, name: name.trim() })) leave();
  }
  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    } else if (
      event.key === 'Enter' &&
      (event.ctrlKey || event.metaKey || event.target === nameRef.current)
    ) {
      event.preventDefault();
      void save();
    }
  }
  return (
    <div
      ref={boxRef}
      className={`${styles['row']} ${styles['edited']}`}
      role="presentation"
      onKeyDown={press}
    >
      <Text as="div" role="cell" tone="soft" isCut title={id}>
        <code>{id}</code>
      </Text>
      <div role="cell">
        <input
          ref={nameRef}
          type="text"
          className={inputStyles['input']}
          aria-label={text.nameOf(id)}
          aria-invalid={(isTried && errors.name !== undefined) || undefined}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => onDraft({ ...draft, name: target.value })}
        />
        <Text role="alert" tone="bad" size="tiny" isCut>
          {error}
        </Text>
      </div>
      {message === null ? null : (
        <Stack role="cell" gap={1}>
          <textarea
            className={[inputStyles['input'], styles['text']].join(' ')}
            aria-label={text.textOf(id)}
            aria-invalid={(isTried && errors.text !== undefined) || undefined}
            value={message}
            maxLength={1600}
            onChange={({ target }) => onDraft({ ...draft, text: target.value })}
          />
          <LengthWords text={message} />
        </Stack>
      )}
      <Row role="cell" gap={2}>
        <ActionButton
          rank="main"
          about={name}
          isBusy={isBusyWith(changes.act, 'save')}
          onPress={() => void save()}
        >
          {text.save}
        </ActionButton>
        <ActionButton about={name} onPress={leave}>
          {text.cancel}
        </ActionButton>
      </Row>
    </div>
  );
}

/** How many messages a text is sent as, and what makes it longer than it looks. */
export function LengthWords({ text: message }: { text: string }) {
  const length = smsLength(message);
  return (
    <Text tone="soft" size="small" isTabular title={smsCulpritText(length) ?? undefined}>
      {smsCodingText(length)}
    </Text>
  );
}

export type EntryErrors = Readonly<Partial<Record<'id' | 'name' | 'text', string>>>;

/** What is wrong with an entry as it is typed, by the contract's own rules; nothing when it can be sent. */
export function entryErrors(entry: Entry): EntryErrors {
  const { id, name } = entry;
  const checked = entry.text === null ? Extension.safeParse({ id, name }) : SmsTemplate.safeParse(entry);
  if (checked.success) return {};
  const errors: Record<string, string> = {};
  for (const { path, message } of checked.error.issues)
    errors[String(path[0])] ??= fieldErrorText(text.id.subject, message);
  return errors;
}
