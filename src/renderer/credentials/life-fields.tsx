import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { TextField } from '../kit/text-field.tsx';
import type { LifeDraft, LifeErrors } from './life-draft.ts';
import styles from './life-fields.module.css';

/** When a value ends, where its service does not tell: on a day, or so many days from now. */
export function LifeFields({
  draft,
  errors,
  onChange,
}: {
  draft: LifeDraft;
  errors: LifeErrors;
  onChange: (draft: LifeDraft) => void;
}) {
  return (
    <div className={styles['fields']}>
      <Field label="It ends on" hint="On your clock. One of the two is enough." error={errors.expires_at}>
        {(tied) => (
          <input
            {...tied}
            type="datetime-local"
            className={inputStyles['input']}
            value={draft.end}
            onChange={(event) => onChange({ ...draft, end: event.target.value })}
          />
        )}
      </Field>
      <TextField
        label="Valid for, in days"
        hint="As its service gives each new one."
        value={draft.days}
        error={errors.validity_days}
        inputMode="numeric"
        onChange={(days) => onChange({ ...draft, days })}
      />
    </div>
  );
}
