import { useId, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { CredentialName } from '../../contract/credential/credential.ts';
import type { TokenFacets } from '../../contract/token/token-list.ts';
import { IssueToken, namedValidities, scopes as allScopes } from '../../contract/token/token.ts';
import { issueTokenText as text } from '../../text/token/issue-token-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Choice, Tick } from '../kit/choice.tsx';
import { Field, FieldGroup } from '../kit/field.tsx';
import { afterPress } from '../kit/form-refusal.tsx';
import { errorAt, FormText, readNumber } from '../kit/form.tsx';
import inputStyles from '../kit/input.module.css';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import styles from './issue-dialog.module.css';

const IssueFields = IssueToken.extend({
  credential_name: CredentialName.optional(),
  /** Whether it may do everything or what `scopes` names. An empty list means everything to the service. */
  access: z.enum(['full', 'some']),
});

/** A token, and the name of its credential when Rotavox is to rotate it. */
export const IssueForm = IssueFields.refine(({ access, scopes }) => access === 'full' || scopes.length > 0, {
  path: ['scopes'],
  error: text.scopes.none,
});
export type IssueDraft = z.input<typeof IssueForm>;

/** The name alone, for another try. */
export const RetryForm = IssueFields.pick({ credential_name: true }).required();

const counts: Resource<TokenFacets> = {
  key: ['tokens', 'facets', 'all'],
  about: ['token.issued'],
  read: (signal) => askPortal('tokenFacets', { signal }),
};

/** What the token is for; the categories in use are suggested, so that one is not written in two ways. */
export function CategoryField() {
  const listId = useId();
  const inUse = useLive(counts).known?.value.categories ?? [];
  return (
    <FormText name="category" text={text.category} list={listId} read={(typed) => typed.trim() || undefined}>
      <datalist id={listId}>
        {inUse.map((one) => (
          <option key={one.category} value={one.category} />
        ))}
      </datalist>
    </FormText>
  );
}

/** The addresses and ranges in a text, with white space or commas between them. */
export function readRules(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((rule) => rule !== '');
}

/** Those that are complete: one that is being typed is checked when it is followed by something. */
export function completeRules(typed: string): string[] {
  return readRules(typed.replace(/(?<![^\s,])[^\s,]+$/, ''));
}

/** From where the token may be used. A rule is checked as soon as the next one begins, or when the field is left. */
export function AddressesField() {
  const { clearErrors, formState, setValue, trigger } = useFormContext<IssueDraft>();
  const [typed, setTyped] = useState('');
  const rules = readRules(typed);
  const wrong = formState.errors.ip_restrictions;
  const place = Array.isArray(wrong) ? wrong.findIndex((error) => error !== undefined) : -1;

  function change(now: string): void {
    setTyped(now);
    setValue('ip_restrictions', readRules(now));
    if (IssueToken.shape.ip_restrictions.safeParse(completeRules(now)).success)
      clearErrors('ip_restrictions');
    else void trigger('ip_restrictions');
  }
  return (
    <Field
      label={text.addresses.label}
      hint={text.addresses.hint(rules.length)}
      error={errorAt(formState.errors, 'ip_restrictions', text.addresses.subject(rules[place]))}
    >
      {(tied) => (
        <textarea
          {...tied}
          rows={2}
          className={inputStyles['input']}
          data-face="code"
          value={typed}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
          onBlur={() => rules.length > 0 && afterPress(() => void trigger('ip_restrictions'))}
        />
      )}
    </Field>
  );
}

const accesses = (['full', 'some'] as const).map((value) => ({ value, label: text.scopes.access[value] }));

/** What the token may do: everything, or what is selected. */
export function ScopesField() {
  const { formState, setValue } = useFormContext<IssueDraft>();
  const scopes = useWatch<IssueDraft, 'scopes'>({ name: 'scopes' }) ?? [];
  const access = useWatch<IssueDraft, 'access'>({ name: 'access' });
  const shouldValidate = formState.isSubmitted;
  return (
    <FieldGroup
      legend={text.scopes.label}
      hint={text.scopes.hint(access === 'full' ? 'full' : scopes)}
      error={errorAt(formState.errors, 'scopes', text.scopes.subject)}
    >
      <Choice
        options={accesses}
        value={access}
        onChange={(value) => setValue('access', value, { shouldValidate })}
      />
      {access === 'full' ? null : (
        <div role="group" aria-label={text.scopes.only}>
          {allScopes.map((scope) => (
            <Tick
              key={scope}
              label={
                <>
                  {text.scopes.meanings[scope]} <code>{scope}</code>
                </>
              }
              isOn={scopes.includes(scope)}
              onChange={(isOn) =>
                setValue(
                  'scopes',
                  allScopes.filter((other) => (other === scope ? isOn : scopes.includes(other))),
                  { shouldValidate },
                )
              }
            />
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

const options = [
  ...namedValidities.map((days) => ({ value: String(days), label: text.validity.days(days) })),
  { value: 'other', label: text.validity.other },
];

/** How long the token is valid: one of the named spans, or any number of days. */
export function ValidityField() {
  const { setValue } = useFormContext<IssueDraft>();
  const days = useWatch<IssueDraft, 'validity_days'>({ name: 'validity_days' });
  const [isOther, setOther] = useState(false);

  function choose(value: string): void {
    setOther(value === 'other');
    if (value !== 'other') setValue('validity_days', Number(value), { shouldValidate: true });
  }
  return (
    <FieldGroup legend={text.validity.label} hint={text.validity.hint}>
      <Choice options={options} value={isOther ? 'other' : String(days)} onChange={choose} />
      {isOther ? (
        <div className={styles['days']}>
          <FormText
            name="validity_days"
            text={text.validity.otherDays}
            inputMode="numeric"
            isRequired
            read={readNumber}
          />
        </div>
      ) : null}
    </FieldGroup>
  );
}
