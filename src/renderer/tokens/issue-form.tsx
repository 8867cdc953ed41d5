import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { Button, SubmitButton } from '../kit/button.tsx';
import { useCommandLine } from '../kit/command-line.tsx';
import { DialogButtons } from '../kit/dialog.tsx';
import { afterPress, FormRefusal } from '../kit/form-refusal.tsx';
import { TextField } from '../kit/text-field.tsx';
import { Tick } from '../kit/tick.tsx';
import { CategoryField, IpRulesField, ScopesField, ValidityField } from './issue-fields.tsx';
import styles from './issue-form.module.css';
import {
  credentialNameOf,
  type DraftErrors,
  type DraftField,
  draftFields,
  type DraftFieldsProps,
  emptyDraft,
  finishedRules,
  type IssueOrder,
  readDraft,
  type TokenDraft,
} from './token-draft.ts';

/**
 * What a new token is to be.
 *
 * A field is judged when it is left or when sending the form off finds it wrong, and from then on with every key.
 */
export function IssueForm({
  isBusy,
  refusal,
  onIssue,
  onCancel,
}: {
  isBusy: boolean;
  /** What the service refused. */
  refusal: { readonly reason: string | undefined; readonly errors: DraftErrors } | undefined;
  onIssue: (order: IssueOrder) => void;
  onCancel: () => void;
}) {
  const [draft, setDraft] = useState(emptyDraft);
  const [judged, setJudged] = useState<ReadonlySet<DraftField>>(new Set());
  const [answered, setAnswered] = useState<TokenDraft>(emptyDraft);
  const nameRef = useRef<HTMLInputElement>(null);
  const formRef = useRef<HTMLFormElement>(null);
  // What the service said holds until something is changed; its fields are judged from then on.
  const refused = refusal?.errors ?? {};
  const errors = {
    ...(draft === answered ? refused : {}),
    ...ownErrors(draft, new Set([...judged, ...fieldsOf(refused)])),
  };

  useEffect(() => nameRef.current?.focus(), []);
  useEffect(() => {
    if (refusal !== undefined) focusFirstError(formRef.current);
  }, [refusal]);

  function change(changes: Partial<TokenDraft>): void {
    setDraft({ ...draft, ...changes });
  }
  /** What was left empty is judged when the form is sent off: whoever only looks around need not be told. */
  function judge(field: DraftField, text: string): void {
    if (text.trim() !== '') afterPress(() => setJudged((now) => new Set([...now, field])));
  }
  function submit(event: SyntheticEvent): void {
    event.preventDefault(); // the policy allows no page to be sent anywhere
    const { order, errors: found } = readDraft(draft);
    const wrong = fieldsOf(found);
    if (wrong.length > 0) {
      setJudged(new Set([...judged, ...wrong]));
      requestAnimationFrame(() => focusFirstError(formRef.current)); // once they are drawn
      return;
    }
    setAnswered(draft);
    onIssue(order);
  }

  return (
    <form ref={formRef} className={styles['form']} noValidate onSubmit={submit}>
      <div className={styles['pair']}>
        <TextField
          ref={nameRef}
          label="Name"
          hint="For the app that will use it."
          value={draft.name}
          error={errors.name}
          isRequired
          onChange={(name) => change({ name })}
          onLeave={() => judge('name', draft.name)}
        />
        <CategoryField
          category={draft.category}
          error={errors.category}
          onChange={(category) => change({ category })}
          onLeave={() => judge('category', draft.category)}
        />
      </div>
      <ValidityField
        draft={draft}
        error={errors.validity}
        onChange={change}
        onLeave={() => judge('validity', draft.customDays)}
      />
      <ScopesField scopes={draft.scopes} error={errors.scopes} onChange={(scopes) => change({ scopes })} />
      <IpRulesField
        text={draft.ipRules}
        error={errors.ipRules}
        onChange={(ipRules) => change({ ipRules })}
        onLeave={() => judge('ipRules', draft.ipRules)}
      />
      <KeepFreshFields
        draft={draft}
        error={errors.credentialName}
        onChange={change}
        onLeave={() => judge('credentialName', credentialNameOf(draft))}
      />
      <DialogButtons>
        <FormRefusal reason={refusal?.reason} />
        <Button onPress={onCancel}>Cancel</Button>
        <SubmitButton isBusy={isBusy}>Issue token</SubmitButton>
      </DialogButtons>
    </form>
  );
}

/** What we see ourselves of the fields that are judged. The rule that is being typed is, when its field is. */
function ownErrors(draft: TokenDraft, judged: ReadonlySet<DraftField>): DraftErrors {
  const finished = judged.has('ipRules') ? draft.ipRules : finishedRules(draft.ipRules);
  const { errors } = readDraft({ ...draft, ipRules: finished });
  const shown = fieldsOf(errors).filter((field) => judged.has(field) || field === 'ipRules');
  return Object.fromEntries(shown.map((field) => [field, errors[field]]));
}

function fieldsOf(errors: DraftErrors): DraftField[] {
  return draftFields.filter((field) => errors[field] !== undefined);
}

function focusFirstError(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** Whether Rotavox itself keeps the token fresh, and under which name. */
function KeepFreshFields({ draft, error, onChange, onLeave }: DraftFieldsProps) {
  const ref = useRef<HTMLDivElement>(null);
  const commandLine = useCommandLine();
  useEffect(() => {
    // Ticked, there is one more field to see, at the end of a dialog that may be longer than the window.
    if (draft.isKeptFresh) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [draft.isKeptFresh]);

  return (
    <div ref={ref} className={styles['fields']}>
      <Tick
        label="Keep this fresh"
        hint="Rotavox puts it into this machine’s keychain and replaces it there before it ends."
        isOn={draft.isKeptFresh}
        onChange={(isKeptFresh) => onChange({ isKeptFresh })}
      />
      {draft.isKeptFresh ? (
        <div className={styles['name']}>
          <TextField
            label="Credential name"
            hint={
              commandLine === null ? (
                'Scripts and windows know it by this name.'
              ) : (
                <>
                  Scripts get the current value with{' '}
                  <code>
                    {commandLine} get {credentialNameOf(draft) || 'NAME'}
                  </code>
                  .
                </>
              )
            }
            face="code"
            value={credentialNameOf(draft)}
            error={error}
            isRequired
            onChange={(credentialName) => onChange({ credentialName })}
            onLeave={onLeave}
          />
        </div>
      ) : null}
    </div>
  );
}
