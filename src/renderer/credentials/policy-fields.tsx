import { type ReactNode, useId } from 'react';
import { Row, Stack } from '../kit/layout.tsx';
import { RotationPolicy } from '../../contract/credential.ts';
import type { HoursOfDay } from '../../contract/shapes.ts';
import { policyFieldsText as text } from '../../text/add-credential.ts';
import { fieldErrorText } from '../../text/form.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Tick } from '../kit/tick.tsx';
import styles from './policy-fields.module.css';

/** What preferred hours begin with when they are requested. */
const usualHours: HoursOfDay = { from: '02:00', to: '05:00' };

/** When a token is rotated: after which share of its lifetime, and in which hours if any are preferred. */
export function PolicyFields({
  policy,
  error,
  meaning,
  onChange,
}: {
  /** As it stands in the fields: a time may still be empty. */
  policy: RotationPolicy;
  error: string | undefined;
  /** What the share means for this very token. */
  meaning: ReactNode;
  onChange: (policy: RotationPolicy) => void;
}) {
  const id = useId();
  const { fraction, preferred_hours: hours } = policy;
  const percent = text.percent(fraction);
  return (
    <Stack gap={5}>
      <Field label={text.share} hint={meaning} error={error}>
        {(tied) => (
          <Row gap={4} align="center">
            <input
              {...tied}
              type="range"
              className={styles['slider']}
              min={10}
              max={90}
              step={1}
              value={Math.round(fraction * 100)}
              aria-valuetext={percent}
              onChange={(event) => onChange({ ...policy, fraction: event.target.valueAsNumber / 100 })}
            />
            <output htmlFor={tied.id} className={styles['percent']}>
              {percent}
            </output>
          </Row>
        )}
      </Field>
      <Tick
        {...text.hasHours}
        isOn={hours !== null}
        onChange={(isOn) => onChange({ ...policy, preferred_hours: isOn ? usualHours : null })}
      />
      {hours === null ? null : (
        <Row gap={4} className={styles['hours']} role="group" aria-labelledby={`${id}-hours`}>
          <span id={`${id}-hours`} hidden>
            {text.hours}
          </span>
          {(['from', 'to'] as const).map((end) => (
            <Field key={end} label={text.ends[end]}>
              {(tied) => (
                <input
                  {...tied}
                  type="time"
                  className={inputStyles['input']}
                  value={hours[end]}
                  onChange={(event) =>
                    onChange({ ...policy, preferred_hours: { ...hours, [end]: event.target.value } })
                  }
                />
              )}
            </Field>
          ))}
        </Row>
      )}
    </Stack>
  );
}

/** What is wrong with a policy, in a sentence. */
export function policyError(policy: RotationPolicy): string | undefined {
  const issue = RotationPolicy.safeParse(policy).error?.issues[0];
  if (issue === undefined) return undefined;
  return fieldErrorText(text.subjects[issue.path[0] === 'fraction' ? 'fraction' : 'hours'], issue.message);
}
