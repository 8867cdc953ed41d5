import { type ReactNode, useRef } from 'react';
import type { DraftSummary, IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import { Text } from '../../kit/text.tsx';
import { emptyDocument } from '../../../core/ivr/edit/edit-nodes.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import styles from './drafts.module.css';
import { createDraft, useOpenDraft } from './open-in-designer.tsx';
import { TemplatePicture } from './template-picture.tsx';
import { freeName, templates } from './templates.ts';
import { templateText } from '../../../text/menu/designer-canvas.ts';
import { newMenuText } from '../../../text/menu/stored-menus.ts';

/** What a new menu starts with: a template, or nothing. Each choice opens a draft that has a name of its own. */
export function NewMenuDialog({
  drafts,
  onClose,
}: {
  drafts: readonly Pick<DraftSummary, 'name'>[];
  onClose: () => void;
}) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const { open, isBusy, refusal } = useOpenDraft();
  const empty = withSpokenPrompts(emptyDocument(newMenuText.emptyName));
  function begin(document: IvrDocument): void {
    open(() => createDraft({ ...document, name: freeName(document.name, drafts) }));
  }
  return (
    <Dialog ref={dialogRef} title={newMenuText.title} mayClose={() => !isBusy} onClose={onClose}>
      <ul className={styles['ways']}>
        {templates.map(({ name, document }) => (
          <Way key={name} name={document.name} what={templateText[name]} onPress={() => begin(document)}>
            <TemplatePicture document={document} />
          </Way>
        ))}
        <Way {...newMenuText.empty} onPress={() => begin(empty)}>
          <TemplatePicture document={empty} />
        </Way>
      </ul>
      <DialogButtons>
        <FormRefusal reason={refusal} />
        <Button onPress={() => dialogRef.current?.close()}>{newMenuText.cancel}</Button>
      </DialogButtons>
    </Dialog>
  );
}

/** A new menu then needs only its greeting. */
function withSpokenPrompts(document: IvrDocument): IvrDocument {
  const { wrongKey, timeout } = newMenuText.spoken;
  return {
    ...document,
    prompts: { wrong_key: `outbound_tts||${wrongKey}`, timeout: `outbound_tts||${timeout}` },
  };
}

function Way({
  name,
  what,
  onPress,
  children,
}: {
  name: string;
  what: string;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <button type="button" className={styles['way']} onClick={onPress}>
        {children}
        <Text as="span" size="normal" weight="bold">
          {name}
        </Text>
        <Text as="span" tone="soft" size="small">
          {what}
        </Text>
      </button>
    </li>
  );
}
