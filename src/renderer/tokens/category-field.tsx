import { useId } from 'react';

import type { TokenFacets } from '../../contract/token-list.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';

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
