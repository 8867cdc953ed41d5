import { useId } from 'react';
import type { TokenFacets } from '../../contract/token-list.ts';
import { scopes as allScopes, maxValidityDays, namedValidities, type Scope } from '../../contract/token.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Choice } from '../kit/choice.tsx';
import { Field, FieldGroup } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { TextField } from '../kit/text-field.tsx';
import { Tick } from '../kit/tick.tsx';
import styles from './category-field.module.css';
import { type DraftFieldsProps, ipRulesOf } from './token-draft.ts';

const counts: Resource<TokenFacets> = {
  key: ['tokens', 'facets', 'all'],
  about: ['token.issued'],
  read: (signal) => askPortal('tokenFacets', { signal }),
};

/** What the token is for; the categories in use are suggested, so that one is not written in two ways. */
export function CategoryField({
  category,
  error,
  onChange,
  onLeave,
}: {
  category: string;
  error: string | undefined;
  onChange: (category: string) => void;
  onLeave: () => void;
}) {
  const listId = useId();
  const inUse = useLive(counts).known?.value.categories ?? [];
  return (
    <Field label="Category" hint="Left empty, it is “general”." error={error}>
      {(tied) => (
        <>
          <input
            {...tied}
            type="text"
            list={listId}
            className={inputStyles['input']}
            value={category}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onLeave}
          />
          <datalist id={listId}>
            {inUse.map((one) => (
              <option key={one.category} value={one.category} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** From where the token may be used. */
export function IpRulesField({
  text,
  error,
  onChange,
  onLeave,
}: {
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onLeave: () => void;
}) {
  const { length } = ipRulesOf(text);
  return (
    <Field
      label="Allowed addresses"
      error={error}
      hint={
        length === 0
          ? 'Left empty, it works from any address. Else one address or CIDR range a line, such as 10.0.0.0/8 or ::1.'
          : `It works from ${length === 1 ? 'this one' : `these ${length}`} only; anywhere else it is refused.`
      }
    >
      {(tied) => (
        <textarea
          {...tied}
          rows={2}
          className={inputStyles['input']}
          data-face="code"
          value={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onLeave}
        />
      )}
    </Field>
  );
}

const meanings: Record<Scope, string> = { 'ivr:read': 'Read phone menus', 'ivr:write': 'Change phone menus' };

/** What the token may do. None ticked is not nothing but everything, so it is said in words. */
export function ScopesField({
  scopes,
  error,
  onChange,
}: {
  scopes: readonly Scope[];
  error: string | undefined;
  onChange: (scopes: readonly Scope[]) => void;
}) {
  return (
    <FieldGroup legend="Scopes" hint={wordsFor(scopes)} error={error}>
      {allScopes.map((scope) => (
        <Tick
          key={scope}
          label={
            <>
              {meanings[scope]} <code>{scope}</code>
            </>
          }
          isOn={scopes.includes(scope)}
          onChange={(isOn) =>
            onChange(allScopes.filter((other) => (other === scope ? isOn : scopes.includes(other))))
          }
        />
      ))}
    </FieldGroup>
  );
}

function wordsFor(scopes: readonly Scope[]): string {
  const [first, second] = scopes;
  if (first === undefined) return 'None ticked: unrestricted, every call that takes a token.';
  const rest = 'It may always replace itself.';
  if (second !== undefined) return `Both, and nothing that comes later. ${rest}`;
  return first === 'ivr:read'
    ? `Lists and reads phone menus, and changes none. ${rest}`
    : `Creates, replaces and deletes phone menus, and cannot read them. ${rest}`;
}

const options = [
  ...namedValidities.map((days) => ({
    value: String(days),
    label: days === 1 ? '1 day' : `${days} days`,
  })),
  { value: 'custom', label: 'Other' },
];

/** How long the token works: one of the named spans, or any number of days. */
export function ValidityField({ draft, error, onChange, onLeave }: DraftFieldsProps) {
  return (
    <FieldGroup legend="Valid for" hint="Every rotation starts this time anew.">
      <Choice options={options} value={draft.validity} onChange={(validity) => onChange({ validity })} />
      {draft.validity === 'custom' ? (
        <div className={styles['days']}>
          <TextField
            label={`Days, from 1 to ${maxValidityDays}`}
            value={draft.customDays}
            error={error}
            inputMode="numeric"
            isRequired
            onChange={(customDays) => onChange({ customDays })}
            onLeave={onLeave}
          />
        </div>
      ) : null}
    </FieldGroup>
  );
}
