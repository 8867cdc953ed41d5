/*
 * Fields that are edited on a card itself, without the inspector: the name and the prompt of a menu or a message, the id of a destination.
 */
import { useReactFlow } from '@xyflow/react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { EndNode, IvrDocument, MenuNode, MessageNode } from '../../../../contract/menu/ivr-draft.ts';
import { ivrBounds } from '../../../../contract/menu/ivr.ts';
import { readReference } from '../../../../contract/menu/ivr-reference.ts';
import { changeEnd, changeMenu, changeMessage } from '../../../../core/ivr/edit/edit-nodes.ts';
import { editText } from '../../../../text/menu/designer.ts';
import { referenceTitle } from '../../../../text/menu/phone-menu.ts';
import { cardText } from '../../../../text/menu/designer-canvas.ts';
import { type ReferenceData, useDesigner, useDesignerState } from '../use-designer.ts';
import { namedOf } from './card-content.ts';
import styles from './cards.module.css';
import { sightAt } from './screen-box.ts';

/** Whether a field is edited on its card now. */
export function useIsOnCard(path: string): boolean {
  return useDesignerState(({ cardField }) => cardField === path);
}

/** Lets a person type into a field on its card; from afar, where it could not be read, in the inspector. */
export function useTypeInto(): (path: string) => void {
  const { store } = useDesigner();
  const { getZoom } = useReactFlow();
  return (path) => {
    // A schedule is chosen from a list.
    if (sightAt(getZoom()) === 'far' || path.endsWith('.hours')) store.requestFocus(path);
    else store.editOnCard(path);
  };
}

/** A part that has a name and a prompt. */
type SpeakingNode = MenuNode | MessageNode;

function changeSpeaking(
  document: IvrDocument,
  { kind, id }: SpeakingNode,
  change: Partial<Pick<SpeakingNode, 'name' | 'recording'>>,
): IvrDocument {
  return kind === 'menu' ? changeMenu(document, id, change) : changeMessage(document, id, change);
}

const changeTexts = { menu: editText.changeMenu, message: editText.changeMessage } as const;

export function NameField({ node }: { node: SpeakingNode }) {
  const { store } = useDesigner();
  const path = `nodes.${node.id}.name`;
  return (
    <CardField
      label={cardText.fields.name}
      text={node.name}
      most={ivrBounds.name.max}
      onSave={(name) => {
        // What was just added has a name until it is given another.
        if (name !== '')
          store.edit(changeTexts[node.kind].name, (document) => changeSpeaking(document, node, { name }));
      }}
      onClose={() => store.editOnCard(null, path)}
      onNext={() => store.editOnCard(`nodes.${node.id}.recording`)}
    />
  );
}

/** What callers hear: the words that are spoken, or the name of a recording. */
export function PromptField({ node }: { node: SpeakingNode }) {
  const { store, referenceData } = useDesigner();
  const path = `nodes.${node.id}.recording`;
  return (
    <CardField
      label={cardText.fields.prompt}
      text={promptWords(node.recording, referenceData)}
      isLong
      onSave={(words) =>
        store.edit(changeTexts[node.kind].recording, (document) =>
          changeSpeaking(document, node, { recording: promptOf(words, referenceData) }),
        )
      }
      onClose={() => store.editOnCard(null, path)}
    />
  );
}

/** The id of a destination; a name of the directory is as good. */
export function RefField({ end }: { end: EndNode }) {
  const { store, referenceData } = useDesigner();
  const path = `nodes.${end.id}.ref`;
  const known = namedOf(end.type, referenceData) ?? [];
  function change(document: IvrDocument, typed: string): IvrDocument {
    const named = known.find(({ name }) => name.toLocaleLowerCase() === typed.toLocaleLowerCase());
    const isId = known.some(({ id }) => id === typed);
    return changeEnd(document, end.id, { ref: isId ? typed : (named?.id ?? typed) });
  }
  return (
    <CardField
      label={cardText.fields.ref}
      text={end.ref}
      known={known}
      onSave={(typed) => store.edit(editText.changeDestinationId, (document) => change(document, typed))}
      onClose={() => store.editOnCard(null, path)}
    />
  );
}

function promptWords(recording: string | null, { recordings }: ReferenceData): string {
  if (recording === null) return '';
  const reference = readReference(recording);
  if (reference?.type === 'outbound_tts') return reference.id;
  return (
    recordings.find(({ id }) => reference?.type === 'recording' && id === reference.id)?.name ??
    referenceTitle(recording)
  );
}

/** The recording with this name, or the words as speech. */
function promptOf(words: string, { recordings }: ReferenceData): string | null {
  if (words === '') return null;
  const named = recordings.find(({ name }) => name.toLocaleLowerCase() === words.toLocaleLowerCase());
  if (named !== undefined) return `recording||${named.id}`;
  const [, unlisted] = /^recording (\S+)$/i.exec(words) ?? [];
  if (unlisted !== undefined) return `recording||${unlisted}`;
  const [, sound] = /^sound (\S+)$/i.exec(words) ?? [];
  if (sound !== undefined) return `sound||${sound}`;
  const type = readReference(words)?.type;
  return type === 'recording' || type === 'sound' ? words : `outbound_tts||${words}`;
}

/** A field on a card: Enter and leaving it save, which is one step to undo; Escape leaves everything as it was. */
function CardField({
  label,
  text,
  most,
  isLong = false,
  known = [],
  onSave,
  onClose,
  onNext,
}: {
  label: string;
  text: string;
  most?: number;
  isLong?: boolean;
  /** What the browser offers while somebody types. */
  known?: readonly { readonly id: string; readonly name: string }[];
  onSave: (text: string) => void;
  onClose: () => void;
  /** Tab leads to the next field of the card. */
  onNext?: () => void;
}) {
  const [typed, setTyped] = useState(text);
  const listId = useId();
  const fieldRef = useRef<(HTMLInputElement & HTMLTextAreaElement) | null>(null);
  const isOver = useRef(false);
  useEffect(() => {
    fieldRef.current?.focus({ preventScroll: true });
    fieldRef.current?.select();
  }, []);

  function close(isSaved: boolean): void {
    if (isOver.current) return;
    isOver.current = true;
    const written = typed.trim().replace(/(?<!\s)\s*[\r\n]+\s*/g, ' ');
    if (isSaved && written !== text) onSave(written);
    onClose();
  }
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const isNext = event.key === 'Tab' && !event.shiftKey && onNext !== undefined;
    if (event.key !== 'Enter' && event.key !== 'Escape' && !isNext) return;
    event.preventDefault();
    event.stopPropagation();
    const card = fieldRef.current?.closest<HTMLElement>('.react-flow__node');
    close(event.key !== 'Escape');
    if (isNext) onNext();
    else card?.focus({ preventScroll: true });
  }

  const field = {
    ref: fieldRef,
    className: [styles['field'], 'nodrag', 'nopan', 'nowheel'].join(' '),
    'aria-label': label,
    value: typed,
    autoComplete: 'off',
    spellCheck: isLong,
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    onKeyDown: press,
    onBlur: () => close(true),
    onDoubleClick: (event: { stopPropagation: () => void }) => event.stopPropagation(),
  };
  if (isLong) return <textarea {...field} rows={4} placeholder={cardText.fields.promptHint} />;
  return (
    <>
      <input {...field} maxLength={most} list={known.length === 0 ? undefined : listId} />
      {known.length === 0 ? null : (
        <datalist id={listId}>
          {known.map(({ id, name }) => (
            <option key={id} value={id} label={name} />
          ))}
        </datalist>
      )}
    </>
  );
}
