import { type RefObject, type SyntheticEvent, useEffect, useState } from 'react';

import type { CredentialView } from '../../../contract/credential-view.ts';
import { afterPress } from '../../kit/after-press.ts';
import { noLife } from '../life-draft.ts';
import { secretError } from '../secret-field.tsx';
import {
  addFields,
  type AddDraft,
  type AddErrors,
  type AddField,
  baseUrlOf,
  emptyDraft,
  readDraft,
} from './add-draft.ts';
import { useAdd } from './use-add.ts';

/**
 * What stands in the form, what is said about it, and what is done with it.
 *
 * A field is judged when it is left or when sending the form off finds it wrong, and from then on with every key. The
 * token is read from its field at that moment, and is in no state.
 */
export function useAddForm({
  formRef,
  valueRef,
  onAdded,
}: {
  formRef: RefObject<HTMLFormElement | null>;
  valueRef: RefObject<HTMLInputElement | null>;
  onAdded: (added: CredentialView) => void;
}) {
  const adding = useAdd();
  const [draft, setDraft] = useState(emptyDraft);
  const [judged, setJudged] = useState<ReadonlySet<AddField>>(new Set());
  const [valueError, setValueError] = useState<string>();
  /** Whether this service was found to have no rotate endpoint: then a reminder is offered. */
  const [cannotRotate, setCannotRotate] = useState(false);
  /** How often anything was changed, and how often it had been when the service was asked. */
  const [edits, setEdits] = useState(0);
  const [askedAt, setAskedAt] = useState(-1);
  const { busy, refusal, test } = adding.state;
  // What the service said holds until something is changed.
  const refused = refusal !== null && askedAt === edits ? refusal : null;
  const errors: AddErrors = { ...shownErrors(draft, judged), value: valueError, ...refused?.errors };

  useEffect(() => {
    if (refused !== null) focusFirstError(formRef.current);
  }, [formRef, refused]);

  const valueNow = (): string => valueRef.current?.value ?? '';

  function change(changes: Partial<AddDraft>): void {
    // Agreed to of one service, it is not agreed to of another.
    const elsewhere =
      changes.where === undefined && changes.baseUrl === undefined ? {} : { remindOnly: false };
    setDraft({ ...draft, ...elsewhere, ...changes });
    setEdits(edits + 1);
    if (changes.where === undefined && changes.baseUrl === undefined) return;
    adding.forgetTest();
    setCannotRotate(false);
  }
  function editValue(): void {
    setEdits(edits + 1);
    adding.forgetTest();
    if (valueError !== undefined) setValueError(secretError(valueNow()));
  }
  /** What was left empty is judged when the form is sent off: whoever only looks around need not be told. */
  function judge(field: AddField, text: string): void {
    if (text.trim() !== '') afterPress(() => setJudged((now) => new Set([...now, field])));
  }
  function judgeValue(): void {
    const text = valueNow();
    if (text !== '') afterPress(() => setValueError(secretError(text)));
  }
  /** Whether these fields are right; else they are said to be wrong, and the first gets the focus. */
  function areRight(fields: readonly AddField[]): boolean {
    const value = valueNow();
    const found = readDraft(draft, value).errors;
    const wrong = fields.filter((field) => found[field] !== undefined);
    setValueError(secretError(value));
    if (wrong.length === 0) return true;
    setJudged(new Set([...judged, ...wrong]));
    requestAnimationFrame(() => focusFirstError(formRef.current)); // once they are drawn
    return false;
  }
  async function testIt(): Promise<void> {
    if (!areRight(['value', 'base_url'])) return;
    setAskedAt(edits);
    const tested = await adding.test(valueNow(), baseUrlOf(draft));
    setCannotRotate(tested?.rotation?.outcome === 'cannot_rotate');
    if (tested?.token !== null || tested.outcome === 'refused') return;
    // The service does not tell when it ends: the person has to.
    setDraft((now) => ({ ...now, life: now.life ?? noLife }));
  }
  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault(); // the policy allows no page to be sent anywhere
    if (!areRight(addFields)) return;
    setAskedAt(edits);
    const added = await adding.add(readDraft(draft, valueNow()).body);
    if (added === null) return;
    const field = valueRef.current;
    if (field !== null) field.value = '';
    onAdded(added);
  }

  return {
    draft,
    errors,
    offersReminder: cannotRotate || refusal?.cannotRotate === true || draft.remindOnly,
    busy,
    test,
    reason: refused?.reason,
    change,
    editValue,
    judge,
    judgeValue,
    testIt,
    submit,
  };
}

/** What we see ourselves of the fields that are judged, but for the token. */
function shownErrors(draft: AddDraft, judged: ReadonlySet<AddField>): AddErrors {
  const { errors } = readDraft(draft, '');
  const shown = addFields.filter(
    (name) => name !== 'value' && judged.has(name) && errors[name] !== undefined,
  );
  return Object.fromEntries(shown.map((name) => [name, errors[name]]));
}

function focusFirstError(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
