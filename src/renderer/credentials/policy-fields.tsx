import { type ReactNode, useId } from 'react';
import { Row, Stack } from '../kit/layout.tsx';
import { RotationPolicy } from '../../contract/credential/credential.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import type { HoursOfDay } from '../../contract/shapes.ts';
import { policyFieldsText as text } from '../../text/credential/add-credential.ts';
import { fieldErrorText } from '../../text/window/window.ts';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { seedOf } from '../../core/credential/credential-state.ts';
import { dueAt, type ZoneOffset } from '../../core/rotation/due-at.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Text } from '../kit/text.tsx';
import { Tick } from '../kit/choice.tsx';
import styles from './credentials.module.css';

/** What preferred hours begin with when they are requested. */
const usualHours: HoursOfDay = { from: '02:00', to: '05:00' };
/** What a limit of the validity begins with. */
const usualDays = 90;

/** When a token is rotated: after which share of its lifetime, and in which hours if any are preferred. */
export function PolicyFields({
  policy,
  error,
  meaning,
  takesValidity,
  onChange,
}: {
  /** As it stands in the fields: a time may still be empty. */
  policy: RotationPolicy;
  error: string | undefined;
  /** What the share means for this very token. */
  meaning: ReactNode;
  /** Whether the service can be asked for how long tokens are valid. Default: not known, and nothing is offered. */
  takesValidity?: boolean;
  onChange: (policy: RotationPolicy) => void;
}) {
  const id = useId();
  const { validity_days: days, ...unlimited } = policy;
  const { fraction, preferred_hours: hours } = policy;
  const isValidityWrong = wrongField(policy)?.path[0] === 'validity_days';
  const percent = text.percent(fraction);
  return (
    <Stack gap={5}>
      <Field label={text.share} hint={meaning} error={isValidityWrong ? undefined : error}>
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
      {takesValidity === true ? (
        <Tick
          {...text.hasValidity}
          isOn={days !== undefined}
          onChange={(isOn) => onChange(isOn ? { ...policy, validity_days: usualDays } : unlimited)}
        />
      ) : null}
      {takesValidity === false ? <Text tone="soft">{text.noValidity}</Text> : null}
      {days === undefined ? null : (
        <Field label={text.validity} error={isValidityWrong ? error : undefined}>
          {(tied) => (
            <input
              {...tied}
              type="number"
              className={inputStyles['input']}
              min={1}
              max={longestValidityDays}
              value={Number.isNaN(days) ? '' : days}
              onChange={(event) => onChange({ ...policy, validity_days: event.target.valueAsNumber })}
            />
          )}
        </Field>
      )}
    </Stack>
  );
}

function wrongField(policy: RotationPolicy) {
  return RotationPolicy.safeParse(policy).error?.issues[0];
}

/** What is wrong with a policy, in a sentence. */
export function policyError(policy: RotationPolicy): string | undefined {
  const issue = wrongField(policy);
  if (issue === undefined) return undefined;
  const [field] = issue.path;
  return fieldErrorText(subjectOf(field), issue.message);
}

function subjectOf(field: PropertyKey | undefined): string {
  if (field === 'fraction') return text.subjects.fraction;
  return field === 'validity_days' ? text.subjects.validity : text.subjects.hours;
}

/** The person's zone, as the browser knows it. */
export const ownZone: ZoneOffset = (atMs) => -new Date(atMs).getTimezoneOffset();

/**
 * When a credential's current token would be rotated under another policy (ISO), by the function that the loop uses.
 *
 * A pause puts it off to its end; null while it has none, or while the rotation waits for something else than time.
 */
export function dueUnder(
  policy: RotationPolicy,
  one: Pick<
    CredentialView,
    'id' | 'generation' | 'obtained_at' | 'expires_at' | 'paused' | 'trouble' | 'rotation'
  >,
  nowMs: number,
  zone: ZoneOffset = ownZone,
): string | null {
  if (one.trouble !== null || one.rotation !== null) return null;
  const pausedUntil = one.paused === null ? new Date(0).toISOString() : one.paused.until;
  if (pausedUntil === null) return null;
  const lifetime = { obtainedAtMs: Date.parse(one.obtained_at), expiresAtMs: Date.parse(one.expires_at) };
  const dueMs = dueAt({ lifetime, policy, seed: seedOf(one.id, one.generation) }, zone);
  return new Date(Math.max(dueMs, Date.parse(pausedUntil), nowMs)).toISOString();
}

/**
 * About when a token that is not added yet would be rotated (ISO), without the few percent by which rotations are spread;
 * null if that is over already.
 */
export function aboutWhen(
  { fraction }: Pick<RotationPolicy, 'fraction'>,
  token: { readonly created_at?: string | null | undefined; readonly expires_at: string },
  now: string,
): string | null {
  const nowMs = Date.parse(now);
  const fromMs = Math.min(Date.parse(token.created_at ?? now), nowMs);
  const dueMs = fromMs + (Date.parse(token.expires_at) - fromMs) * fraction;
  return dueMs <= nowMs ? null : new Date(dueMs).toISOString();
}
