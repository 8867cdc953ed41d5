import { useState } from 'react';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import type { ChangePolicy, RotationPolicy } from '../../../contract/credential/credential.ts';
import { policyCardText as text } from '../../../text/credential/credential-page.ts';
import { policyText } from '../../../text/credential/credentials.ts';
import { durationText } from '../../../text/time.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { useMinute } from '../../kit/use-minute.ts';
import { AnswerLine } from '../connection-test.tsx';
import { dueUnder, policyError, PolicyFields } from '../policy-fields.tsx';
import { lifetimeMs } from '../state-sign.tsx';
import { useKnownCredential } from '../read-credentials.ts';
import { Row, Stack } from '../../kit/layout.tsx';

/** When a credential is rotated: what is set, and what another choice would mean before it is saved. */
export function PolicyPart({ one }: { one: CredentialView }) {
  const act = useAct();
  const show = useKnownCredential();
  /** What is chosen and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<RotationPolicy | null>(null);
  const [isSaved, setSaved] = useState(false);
  const policy = draft ?? one.policy;
  const error = policyError(policy);
  const change = policyChange(one.policy, policy);
  const isChanged = Object.keys(change).length > 0;

  async function save(): Promise<void> {
    if (error !== undefined) return;
    const asked = await act.run(
      'save',
      () => askPortal('changeCredentialPolicy', { params: { name: one.name }, body: change }),
      'credential_changed',
    );
    if (asked === null) return;
    show(asked.value);
    setDraft(null);
    setSaved(true);
  }

  return (
    <Card isPart title={text.title} aside={policyText(one.policy)}>
      <Stack gap={4}>
        <PolicyFields
          policy={policy}
          error={error}
          takesValidity={one.takes_validity}
          meaning={
            error === undefined ? <PolicyMeaning one={one} policy={policy} isChanged={isChanged} /> : null
          }
          onChange={(changed) => {
            setDraft(changed);
            setSaved(false);
          }}
        />
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Row gap={2} wraps align="center">
          {isChanged ? (
            <>
              <ActionButton rank="main" isBusy={isBusyWith(act, 'save')} onPress={() => void save()}>
                {text.save}
              </ActionButton>
              <Button onPress={() => setDraft(null)}>{text.cancel}</Button>
            </>
          ) : null}
          <AnswerLine tone="good" words={isSaved && !isChanged ? text.saved : null} />
        </Row>
      </Stack>
    </Card>
  );
}

/** What a policy means for the current token: after how long it is rotated, and at which instant exactly. */
function PolicyMeaning({
  one,
  policy,
  isChanged,
}: {
  one: CredentialView;
  policy: RotationPolicy;
  isChanged: boolean;
}) {
  const minute = useMinute();
  const [mountedAt] = useState(() => Date.now());
  const whole = lifetimeMs(one);
  const spans = [durationText(whole * policy.fraction), durationText(whole)] as const;
  const planned = isChanged ? dueUnder(policy, one, Math.max(minute, mountedAt)) : one.next_rotation_at;
  if (one.trouble !== null || planned === null) return text.meaning(...spans);
  return (
    <RichText
      text={isChanged ? text.meaningChanged(...spans) : text.meaningNext(...spans)}
      parts={{ next: <ExactMoment at={planned} /> }}
    />
  );
}

/** What of a policy is another one now. */
export function policyChange(before: RotationPolicy, chosen: RotationPolicy): ChangePolicy {
  return {
    ...(chosen.fraction === before.fraction ? {} : { fraction: chosen.fraction }),
    ...(JSON.stringify(chosen.preferred_hours) === JSON.stringify(before.preferred_hours)
      ? {}
      : { preferred_hours: chosen.preferred_hours }),
    ...(chosen.validity_days === before.validity_days ? {} : { validity_days: chosen.validity_days ?? null }),
  };
}
