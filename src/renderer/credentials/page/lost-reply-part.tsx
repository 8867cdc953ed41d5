import { type ReactNode, useState } from 'react';
import { type CredentialView, isDead } from '../../../contract/credential/credential-view.ts';
import { isAsked } from '../../../contract/credential/provider-inputs.ts';
import { mayHaveStandby, providerFacts } from '../../../providers/catalogue.ts';
import { lostReplyText as text } from '../../../text/credential/credential-page.ts';
import { inputLabel, providerName } from '../../../text/credential/providers.ts';
import { serviceText } from '../../../text/credential/credentials.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Field } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import inputStyles from '../../kit/input.module.css';
import { Row, Stack } from '../../kit/layout.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment } from '../../kit/moment.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { AnswerLine } from '../connection-test.tsx';
import { allCredentials, useKnownCredential } from '../read-credentials.ts';
import { ReplaceDialog } from './replace-dialog.tsx';

/** What keeps a token from being lost with a reply: a recovery credential, or a second token. Nothing where the service needs neither. */
export function LostReplyPart({ one }: { one: CredentialView }) {
  const facts = providerFacts(one.provider.id);
  const hasRecovery = facts.inputs.some(
    (input) => input.name === recovery && isAsked(input, facts, one.provider.inputs),
  );
  const hasSecond = mayHaveStandby(one.provider);
  if (!hasRecovery && !hasSecond) return null;
  return (
    <Card isPart title={text.title}>
      <Stack gap={5}>
        <Text tone="soft">{text.lead(providerName(one.provider.id))}</Text>
        {hasRecovery ? <Recovery one={one} /> : null}
        {hasSecond ? <SecondToken one={one} /> : null}
      </Stack>
    </Card>
  );
}

const recovery = 'recovery';

/** Which other credential obtains a token that was lost. */
function Recovery({ one }: { one: CredentialView }) {
  const act = useAct();
  const show = useKnownCredential();
  const chosen = one.provider.inputs[recovery] ?? '';
  const [wanted, setWanted] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const value = wanted ?? chosen;
  const others = useLive(allCredentials).known?.value.credentials ?? [];
  const names = others
    .filter(({ provider, base_url: url }) => provider.id === one.provider.id && url === one.base_url)
    .map(({ name }) => name)
    .filter((name) => name !== one.name);
  // One that was removed is still named.
  const listed = chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
  const isBusy = isBusyWith(act, 'recovery');

  async function save(): Promise<void> {
    const body = { input: recovery, credential: value === '' ? null : value };
    const ask = () => askPortal('changeCredentialHelper', { params: { name: one.name }, body });
    const changed = await act.run('recovery', ask, 'credential_changed');
    if (changed === null) return;
    show(changed.value);
    setWanted(undefined);
    setSaved(true);
  }
  return (
    <Stack gap={2}>
      {listed.length === 0 ? (
        <Part title={inputLabel(one.provider.id, recovery)}>{text.noOther(serviceText(one))}</Part>
      ) : (
        <Field label={inputLabel(one.provider.id, recovery)} hint={text.recovery}>
          {(tied) => (
            <select
              {...tied}
              className={inputStyles['input']}
              value={value}
              onChange={({ target }) => {
                setWanted(target.value);
                setSaved(false);
              }}
            >
              <option value="">{text.none}</option>
              {listed.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Row gap={2} wraps align="center">
        {value === chosen ? null : (
          <ActionButton rank="main" isBusy={isBusy} onPress={() => void save()}>
            {isBusy ? text.saving : text.save}
          </ActionButton>
        )}
        <AnswerLine tone="good" words={isSaved ? text.saved : null} />
      </Row>
      <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
    </Stack>
  );
}

/** The way to a second token, to another one, or back to one. */
function SecondToken({ one }: { one: CredentialView }) {
  const act = useAct();
  const show = useKnownCredential();
  const [isEntering, setEntering] = useState(false);
  const isBusy = isBusyWith(act, 'remove');
  const { standby } = one;

  async function remove(): Promise<void> {
    const ask = () => askPortal('removeStandbyToken', { params: { name: one.name } });
    const removed = await act.run('remove', ask, 'credential_changed');
    if (removed !== null) show(removed.value);
  }
  return (
    <Stack gap={2}>
      <Part title={text.second.title}>
        {standby === null ? (
          text.second.none
        ) : (
          <RichText text={text.second.there} parts={{ at: <ExactMoment at={standby.expires_at} /> }} />
        )}
      </Part>
      <Row gap={2} wraps>
        {isDead(one) ? null : (
          <ActionButton onPress={() => setEntering(true)}>
            {standby === null ? text.second.enter : text.second.change}
          </ActionButton>
        )}
        {standby === null ? null : (
          <ActionButton isBusy={isBusy} onPress={() => void remove()}>
            {isBusy ? text.second.removing : text.second.remove}
          </ActionButton>
        )}
      </Row>
      <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
      {isEntering ? <ReplaceDialog one={one} isSecond onClose={() => setEntering(false)} /> : null}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text as="h3" size="medium" weight="bold">
        {title}
      </Text>
      <Text tone="soft" size="small">
        {children}
      </Text>
    </div>
  );
}
