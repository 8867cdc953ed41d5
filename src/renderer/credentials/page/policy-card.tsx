import { useState } from 'react';
import type { CredentialView } from '../../../contract/credential-view.ts';
import type { RotationPolicy } from '../../../contract/credential.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { useMinute } from '../../kit/use-minute.ts';
import { AnswerLine } from '../answer-line.tsx';
import { policyText } from '../../../text/credentials.ts';
import { durationText } from '../../../text/time.ts';
import { lifeMs } from '../life-words.ts';
import { dueUnder } from '../planned-life.ts';
import { draftOf, policyChange, type PolicyDraft, PolicyFields, readPolicy } from '../policy-fields.tsx';
import { useKnownCredential } from '../read-credentials.ts';
import styles from './credential-page.module.css';

/** When a value is replaced: what holds, and what another choice would mean before it is saved. */
export function PolicyCard({ one }: { one: CredentialView }) {
  const act = useAct();
  const show = useKnownCredential();
  /** What is chosen and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<PolicyDraft | null>(null);
  const [isSaved, setSaved] = useState(false);
  const chosen = draft ?? draftOf(one.policy);
  const { policy, error } = readPolicy(chosen);
  const change = policy === null ? {} : policyChange(one.policy, policy);
  const isChanged = draft !== null && (policy === null || Object.keys(change).length > 0);

  async function save(): Promise<void> {
    if (policy === null) return;
    const asked = await act.run(
      'save',
      () => askPortal('changeCredentialPolicy', { params: { name: one.name }, body: change }),
      'it was saved',
    );
    if (asked === null) return;
    show(asked.value);
    setDraft(null);
    setSaved(true);
  }

  return (
    <Card title="When it is replaced" aside={policyText(one.policy)}>
      <div className={styles['policy']}>
        <PolicyFields
          draft={chosen}
          error={error}
          meaning={<PolicyMeaning one={one} policy={policy} isChanged={isChanged} />}
          onChange={(changed) => {
            setDraft(changed);
            setSaved(false);
          }}
        />
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <div className={styles['buttons']}>
          {isChanged ? (
            <>
              <ActionButton rank="main" isBusy={isBusyWith(act, 'save')} onPress={() => void save()}>
                Save
              </ActionButton>
              <Button onPress={() => setDraft(null)}>Leave as it was</Button>
            </>
          ) : null}
          <AnswerLine tone="good" words={isSaved && !isChanged ? 'Saved' : null} />
        </div>
      </div>
    </Card>
  );
}

/** What a policy means for the value that is held: after how long, and at which instant exactly. */
function PolicyMeaning({
  one,
  policy,
  isChanged,
}: {
  one: CredentialView;
  /** Null: it is not one yet. */
  policy: RotationPolicy | null;
  isChanged: boolean;
}) {
  const minute = useMinute();
  const [mountedAt] = useState(() => Date.now());
  if (policy === null) return null;
  const whole = lifeMs(one);
  const next =
    one.trouble !== null
      ? null
      : isChanged
        ? dueUnder(policy, one, Math.max(minute, mountedAt))
        : one.next_rotation_at;
  return (
    <>
      About {durationText(whole * policy.fraction)} into a lifetime of {durationText(whole)}
      {next === null ? null : (
        <>
          ; {isChanged ? 'the next one would be ' : 'the next one is '}
          <ExactMoment at={next} />
        </>
      )}
      .
    </>
  );
}
