import { type ReactNode, useId } from 'react';
import { type ChangePolicy, RotationPolicy } from '../../contract/credential.ts';
import type { HoursOfDay } from '../../contract/shapes.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Tick } from '../kit/tick.tsx';
import styles from './policy-fields.module.css';

/** When a value is replaced: after which share of its life, and in which hours if any are preferred. */
export function PolicyFields({
  draft,
  error,
  meaning,
  onChange,
}: {
  draft: PolicyDraft;
  error: string | undefined;
  /** What the share means for this very value. */
  meaning: ReactNode;
  onChange: (draft: PolicyDraft) => void;
}) {
  const id = useId();
  return (
    <div className={styles['fields']}>
      <Field label="Replace it after this share of its life" hint={meaning} error={error}>
        {(tied) => (
          <div className={styles['share']}>
            <input
              {...tied}
              type="range"
              className={styles['slider']}
              min={10}
              max={90}
              step={1}
              value={Math.round(draft.fraction * 100)}
              aria-valuetext={percent(draft.fraction)}
              onChange={(event) => onChange({ ...draft, fraction: event.target.valueAsNumber / 100 })}
            />
            <output htmlFor={tied.id} className={styles['percent']}>
              {percent(draft.fraction)}
            </output>
          </div>
        )}
      </Field>
      <Tick
        label="Prefer some hours"
        hint="A rotation waits for them, or comes early, as long as that is safe. Else it comes when it has to."
        isOn={draft.hasHours}
        onChange={(hasHours) => onChange({ ...draft, hasHours })}
      />
      {draft.hasHours ? (
        <div className={styles['hours']} role="group" aria-labelledby={`${id}-hours`}>
          <span id={`${id}-hours`} hidden>
            Preferred hours
          </span>
          {(['from', 'to'] as const satisfies (keyof HoursOfDay)[]).map((end) => (
            <Field key={end} label={end === 'from' ? 'From' : 'To'}>
              {(tied) => (
                <input
                  {...tied}
                  type="time"
                  className={inputStyles['input']}
                  value={draft.hours[end]}
                  onChange={(event) =>
                    onChange({ ...draft, hours: { ...draft.hours, [end]: event.target.value } })
                  }
                />
              )}
            </Field>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** When a value is replaced, as it stands in the form. */
export interface PolicyDraft {
  readonly fraction: number;
  readonly hasHours: boolean;
  readonly hours: HoursOfDay;
}

/** What preferred hours begin with when they are requested. */
const usualHours: HoursOfDay = { from: '02:00', to: '05:00' };

/** The policy as a form shows it. */
export function draftOf({ fraction, preferred_hours: hours }: RotationPolicy): PolicyDraft {
  return { fraction, hasHours: hours !== null, hours: hours ?? usualHours };
}

/** The policy that the form stands for, and what is wrong with it. */
export function readPolicy({ fraction, hasHours, hours }: PolicyDraft): {
  readonly policy: RotationPolicy | null;
  readonly error: string | undefined;
} {
  const parsed = RotationPolicy.safeParse({ fraction, preferred_hours: hasHours ? hours : null });
  if (parsed.success) return { policy: parsed.data, error: undefined };
  const issue = parsed.error.issues[0];
  const subject = issue?.path[0] === 'fraction' ? 'The share' : 'Each of the two times';
  return { policy: null, error: `${subject} ${issue?.message ?? 'is not valid'}.` };
}

/** What of a policy is another one now. */
export function policyChange(before: RotationPolicy, chosen: RotationPolicy): ChangePolicy {
  return {
    ...(chosen.fraction === before.fraction ? {} : { fraction: chosen.fraction }),
    ...(JSON.stringify(chosen.preferred_hours) === JSON.stringify(before.preferred_hours)
      ? {}
      : { preferred_hours: chosen.preferred_hours }),
  };
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
