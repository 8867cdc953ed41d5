import { type ChangePolicy, RotationPolicy } from '../../contract/credential.ts';
import type { HoursOfDay } from '../../contract/hours-of-day.ts';

/** When a value is replaced, as it stands in the form. */
export interface PolicyDraft {
  readonly fraction: number;
  readonly hasHours: boolean;
  readonly hours: HoursOfDay;
}

/** What preferred hours begin with when they are wished. */
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
export function policyChange(before: RotationPolicy, wished: RotationPolicy): ChangePolicy {
  return {
    ...(wished.fraction === before.fraction ? {} : { fraction: wished.fraction }),
    ...(JSON.stringify(wished.preferred_hours) === JSON.stringify(before.preferred_hours)
      ? {}
      : { preferred_hours: wished.preferred_hours }),
  };
}

/** A policy in words: "at 67 % of its life, between 02:00 and 05:00". */
export function policyWords({ fraction, preferred_hours: hours }: RotationPolicy): string {
  const when = hours === null ? 'at any hour' : `between ${hours.from} and ${hours.to} where that is in time`;
  return `at ${percent(fraction)} of its life, ${when}`;
}

export function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
