import { AddCredential, type ReplaceValue } from '../../contract/credential.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { TextField } from '../kit/text-field.tsx';
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

/** When a value ends, as a person says it where its service does not. */
export interface LifeDraft {
  /** Days, as typed. */
  readonly days: string;
  /** A day and a time on the person's clock, as the field has it: `2026-12-31T23:59`. */
  readonly end: string;
}

export const noLife: LifeDraft = { days: '', end: '' };

const lifeFields = ['validity_days', 'expires_at'] as const;
type LifeErrors = Partial<Record<(typeof lifeFields)[number], string | undefined>>;

/** What is asked of the service, and what is wrong with it by the service's own schema. */
export function readLife({ days, end }: LifeDraft): {
  readonly life: Pick<ReplaceValue, 'validity_days' | 'expires_at'>;
  readonly errors: LifeErrors;
} {
  const life = {
    ...(days.trim() === '' ? {} : { validity_days: /^\d+$/.test(days.trim()) ? Number(days) : Number.NaN }),
    ...(end === '' ? {} : { expires_at: instantOf(end) }),
  };
  const parsed = AddCredential.pick({ validity_days: true, expires_at: true }).safeParse(life);
  const errors: LifeErrors = {};
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = lifeFields.find((name) => name === path[0]);
    if (field !== undefined)
      errors[field] ??= `${field === 'expires_at' ? 'The end' : 'The validity'} ${message}.`;
  }
  return { life, errors };
}

/** The instant that a clock on the wall shows; what is no day is left for the schema to refuse. */
function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}
