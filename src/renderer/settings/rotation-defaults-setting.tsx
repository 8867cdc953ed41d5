import { useEffect, useEffectEvent, useState } from 'react';
import type { RotationPolicy } from '../../contract/credential/credential.ts';
import type { Settings } from '../../contract/service/settings.ts';
import { dueAt } from '../../core/rotation/due-at.ts';
import { defaultPolicyOf } from '../../core/change-settings.ts';
import { ownZone, policyError, PolicyFields } from '../credentials/policy-fields.tsx';
import { settingsText } from '../../text/service/settings-text.ts';
import { durationText } from '../../text/time.ts';
import { Moment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { useMinute } from '../kit/use-minute.ts';
import styles from './settings.module.css';
import { Setting } from './setting.tsx';
import { type SaveSettings, useSaving } from './use-settings.ts';

const { rotation: text } = settingsText;

/** A slider that is moved and a time that is typed say many things on the way; saved is what stays this long. */
const settledMs = 400;

/** The policy that a credential gets when nothing else is said. Saved when a change has settled, or is left. */
export function RotationDefaultsSetting({ settings, save }: { settings: Settings; save: SaveSettings }) {
  const { saving, submit, refuse } = useSaving(save);
  /** What is chosen and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<RotationPolicy | null>(null);
  const policy = defaultPolicyOf(settings);
  const shown = draft ?? policy;

  const commit = useEffectEvent(async () => {
    if (draft === null || saving.kind === 'saving') return;
    const error = policyError(draft);
    if (error !== undefined) {
      refuse(error);
      return;
    }
    const { fraction, preferred_hours } = draft;
    // What was chosen meanwhile stays.
    if (await submit({ rotation_fraction: fraction, rotation_preferred_hours: preferred_hours }))
      setDraft((now) => (now === draft ? null : now));
  });
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => void commit(), settledMs);
    return () => clearTimeout(timer);
  }, [draft]);

  return (
    <Setting
      title={text.title}
      hint={text.hint}
      saving={saving.kind === 'refused' ? { kind: 'idle' } : saving} // a refusal is said at the field
    >
      <div className={styles['wide']}>
        <PolicyFields
          policy={shown}
          error={saving.kind === 'refused' ? saving.reason : undefined}
          meaning={<PolicyMeaning policy={policyError(shown) === undefined ? shown : policy} />}
          onChange={setDraft}
        />
      </div>
    </Setting>
  );
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The validity that most tokens have. */
const exampleDays = 7;

/** What a policy means for a token of a week: by the function that the loop itself uses. */
function PolicyMeaning({ policy }: { policy: RotationPolicy }) {
  const nowMs = useMinute();
  const lifetime = { obtainedAtMs: nowMs, expiresAtMs: nowMs + exampleDays * dayMs };
  // Two thirds are no whole number: without this 4 d 16 h would read as an hour less.
  const waitMs = Math.round((policy.fraction * exampleDays * dayMs) / minuteMs) * minuteMs;
  const dueMs = dueAt({ lifetime, policy, seed: 'example' }, ownZone);
  return (
    <RichText
      text={text.meaning(exampleDays, durationText(waitMs))}
      parts={{ at: <Moment at={new Date(dueMs).toISOString()} /> }}
    />
  );
}
