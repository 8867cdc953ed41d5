import { type Ref, useState } from 'react';

import { TokenValue } from '../../contract/credential.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import styles from './secret-field.module.css';

/**
 * A field for a token: masked, shown at a press.
 *
 * What is pasted stays in the field itself and in no state of the page: whoever needs it reads it by `ref`, and clears it
 * there when it has been given on.
 */
export function SecretField({
  ref,
  label,
  error,
  hint,
  onEdit,
  onLeave,
}: {
  ref: Ref<HTMLInputElement>;
  label: string;
  error: string | undefined;
  hint: string;
  /** Told that it is another text now, not which. */
  onEdit: () => void;
  onLeave: () => void;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <div className={styles['line']}>
          <input
            {...tied}
            ref={ref}
            type={isShown ? 'text' : 'password'}
            className={inputStyles['input']}
            data-face="code"
            aria-required
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={onEdit}
            onBlur={onLeave}
          />
          <button
            type="button"
            className={styles['show']}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </Field>
  );
}

/** What is wrong with what is pasted, in a sentence. */
export function secretError(text: string): string | undefined {
  if (text.trim() === '') return 'The token is needed.';
  const parsed = TokenValue.safeParse(text);
  return parsed.success ? undefined : `This ${parsed.error.issues[0]?.message ?? 'is no token'}.`;
}
