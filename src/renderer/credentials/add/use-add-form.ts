import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { ConnectionTest } from '../../../contract/credential-checks.ts';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { afterPress } from '../../kit/form-refusal.tsx';
import { askPortal } from '../../kit/ask-portal.ts';
import type { PortalProblem } from '../../kit/portal-reply.ts';
import { problemWords } from '../../kit/problem-words.ts';
import { noLife } from '../life-fields.tsx';
import { secretError } from '../secret-field.tsx';
import {
  type AddDraft,
  type AddErrors,
  addErrorsOf,
  type AddField,
  addFields,
  type AddOrder,
  baseUrlOf,
  emptyDraft,
  readDraft,
} from './add-draft.ts';

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

/** Where adding stands. */
export interface AddState {
  readonly busy: 'add' | 'test' | null;
  readonly refusal: {
    readonly reason: string | undefined;
    readonly errors: AddErrors;
    /** Whether it was refused because its service cannot rotate it. */
    readonly cannotRotate?: boolean;
  } | null;
  readonly test: ConnectionTest | null;
}

const untouched: AddState = { busy: null, refusal: null, test: null };

/** Tests a value and has it kept fresh, one at a time. No value stays here: each is in the one question that needs it. */
function useAdd() {
  const [state, setState] = useState(untouched);
  const isBusy = useRef(false);

  async function once<T>(work: () => Promise<T>): Promise<T | null> {
    if (isBusy.current) return null;
    isBusy.current = true;
    try {
      return await work();
    } finally {
      isBusy.current = false;
    }
  }

  async function add(body: AddOrder): Promise<CredentialView | null> {
    setState((now) => ({ ...now, busy: 'add', refusal: null }));
    const added = await askPortal('addCredential', { body });
    if (added.kind !== 'ok') {
      setState((now) => ({ ...now, busy: null, refusal: refusalOf(added) }));
      return null;
    }
    setState(untouched);
    return added.value;
  }

  async function test(value: string, baseUrl: string | null): Promise<ConnectionTest | null> {
    setState({ busy: 'test', refusal: null, test: null });
    const tested = await askPortal('testConnection', { body: { value, base_url: baseUrl } });
    if (tested.kind !== 'ok') {
      setState({ ...untouched, refusal: refusalOf(tested) });
      return null;
    }
    setState({ ...untouched, test: tested.value });
    return tested.value;
  }

  return {
    state,
    add: (body: AddOrder) => once(() => add(body)),
    test: (value: string, baseUrl: string | null) => once(() => test(value, baseUrl)),
    /** What was found out about a value says nothing about another one. */
    forgetTest: () => setState((now) => (now.test === null ? now : { ...now, test: null })),
  };
}

function refusalOf(problem: PortalProblem): AddState['refusal'] {
  const reason = problemWords(problem, 'it is kept fresh');
  if (problem.kind !== 'refused') return { reason, errors: {} };
  if (problem.code === 'cannot_rotate')
    return {
      reason: reason.replace(/ To be reminded .*--remind-only\./, ''),
      errors: {},
      cannotRotate: true,
    };
  if (problem.code === 'conflict') return { reason: undefined, errors: { name: reason } };
  const errors = addErrorsOf(problem.errors ?? []);
  return { reason: Object.keys(errors).length === 0 ? reason : undefined, errors };
}
