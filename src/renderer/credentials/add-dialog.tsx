import { useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { problemText } from '../../text/connection.ts';
import type { ConnectionTest } from '../../contract/credential-checks.ts';
import { AddCredential } from '../../contract/credential.ts';
import { defaultSettings } from '../../contract/settings.ts';
import { defaultPolicyOf } from '../../core/settings.ts';
import { addCredentialText as text, connectionTestText } from '../../text/add-credential.ts';
import { credentialPath } from '../kit/address.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button, SubmitButton } from '../kit/button.tsx';
import { Choice } from '../kit/choice.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FieldGroup } from '../kit/field.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Form, FormText, refuseField, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goInstead } from '../kit/navigation.ts';
import type { PortalProblem } from '../kit/portal-reply.ts';
import { Tick } from '../kit/tick.tsx';
import { presentSettings } from '../settings/use-settings.ts';
import { ConnectionResult } from './connection-test.tsx';
import { credentialNameOf, hostOf } from './credential-name.ts';
import { policyError, PolicyFields } from './policy-fields.tsx';
import { useStoreName } from './read-credentials.ts';
import { ExpiryFields, OptionalFields, SecretField } from './token-fields.tsx';

const issuers = (['here', 'elsewhere'] as const).map((value) => ({ value, label: text.issuers[value] }));

const fields = ['name', 'value', 'base_url', 'validity_days', 'expires_at', 'policy'] as const;

/** Adds a credential from a token that a person enters, and then shows its page, where the next steps are. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const form = useSchemaForm<z.input<typeof AddCredential>, AddCredential>(AddCredential, {
    name: '',
    value: '',
    base_url: null,
  });
  const [baseUrl, policy, remindOnly] = useWatch({
    control: form.control,
    name: ['base_url', 'policy', 'remind_only'],
  });
  const [test, setTest] = useState<ConnectionTest | 'asking' | null>(null);
  const [hasExpiry, setHasExpiry] = useState(false);
  /** Whether the service was found to have no rotate endpoint: then a reminder is offered. */
  const [cannotRotate, setCannotRotate] = useState(false);
  const [isNamed, setNamed] = useState(false);
  /** Whether the issuer is chosen with a mouse or a finger. */
  const isPointing = useRef(false);
  const settings = useLive(presentSettings).known?.value ?? defaultSettings;
  const vault = useStoreName();
  const usual = defaultPolicyOf(settings);
  const chosen = {
    fraction: policy?.fraction ?? usual.fraction,
    preferred_hours: policy?.preferred_hours ?? null,
  };
  const isElsewhere = typeof baseUrl === 'string';
  const { errors, isSubmitting, isSubmitted } = form.formState;
  const tokenName = test === null || test === 'asking' ? null : test.token?.name;
  const suggested = credentialNameOf(isElsewhere ? hostOf(baseUrl) : (tokenName ?? ''));
  useEffect(() => form.setFocus('value'), [form]);
  useEffect(() => {
    if (!isNamed) form.setValue('name', suggested, { shouldValidate: isSubmitted });
  }, [form, isNamed, isSubmitted, suggested]);
  useEffect(() => {
    // Arrow keys choose too, and go on doing so.
    if (isElsewhere && isPointing.current) form.setFocus('base_url');
  }, [form, isElsewhere]);

  /** What was found out about one token or service says nothing about another. */
  function forgetTest(): void {
    setTest(null);
    setCannotRotate(false);
    form.setValue('remind_only', undefined);
  }
  function refuse(problem: PortalProblem): void {
    const code = problem.kind === 'refused' ? problem.code : undefined;
    if (code === 'conflict') refuseField(form, 'name', problemText(problem));
    else refuseForm(form, fields, problem, 'credential_added');
    setCannotRotate((was) => was || code === 'cannot_rotate');
    if (form.getFieldState('expires_at').invalid) setHasExpiry(true);
  }
  async function testToken(): Promise<void> {
    if (!(await form.trigger(['value', 'base_url'], { shouldFocus: true }))) return;
    setTest('asking');
    const { value, base_url } = form.getValues();
    const tested = await askPortal('testConnection', { body: { value, base_url: base_url ?? null } });
    setTest(tested.kind === 'ok' ? tested.value : null);
    if (tested.kind !== 'ok') return refuse(tested);
    setCannotRotate(tested.value.rotation?.outcome === 'cannot_rotate');
    // The service does not say when it expires: the person has to.
    if (tested.value.token === null && tested.value.outcome !== 'refused') setHasExpiry(true);
  }
  async function add(body: AddCredential): Promise<void> {
    const added = await askPortal('addCredential', { body });
    if (added.kind === 'ok') goInstead(`${credentialPath(added.value.name)}?new=1`);
    else refuse(added);
  }

  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !isSubmitting} onClose={onClose}>
      <Form form={form} onSend={add}>
        <div onChange={forgetTest}>
          <SecretField {...text.token} hint={text.token.hint(vault)} />
        </div>
        <FieldGroup legend={text.issuer}>
          <div
            onPointerDown={() => (isPointing.current = true)}
            onKeyDown={() => (isPointing.current = false)}
          >
            <Choice
              options={issuers}
              value={isElsewhere ? 'elsewhere' : 'here'}
              onChange={(where) => {
                form.setValue('base_url', where === 'here' ? null : '');
                form.clearErrors('base_url');
                forgetTest();
              }}
            />
          </div>
          {!isElsewhere ? null : (
            <div onChange={forgetTest}>
              <FormText name="base_url" text={text.address} face="code" inputMode="url" isRequired />
            </div>
          )}
        </FieldGroup>
        <Stack gap={3} align="start">
          <ActionButton isBusy={test === 'asking'} onPress={() => void testToken()}>
            {test === 'asking' ? connectionTestText.testing : connectionTestText.test}
          </ActionButton>
          <ConnectionResult test={test === 'asking' ? null : test} />
        </Stack>
        <div onChange={() => setNamed(true)}>
          <FormText name="name" text={text.name} face="code" isRequired read={(name) => name.trim()} />
        </div>
        {cannotRotate || remindOnly === true ? (
          <Tick
            {...text.remindOnly}
            isOn={remindOnly === true}
            onChange={(isOn) => form.setValue('remind_only', isOn || undefined)}
          />
        ) : null}
        <ExpiryFields isOn={hasExpiry} onChange={setHasExpiry} />
        <OptionalFields
          label={text.policy.label}
          hint={text.policy.hint(usual)}
          isOn={policy !== undefined}
          onChange={(isOn) => form.setValue('policy', isOn ? usual : undefined)}
        >
          <PolicyFields
            policy={chosen}
            error={errors.policy === undefined ? undefined : policyError(chosen)}
            meaning={text.policy.meaning}
            onChange={(changed) => form.setValue('policy', changed, { shouldValidate: true })}
          />
        </OptionalFields>
        <DialogButtons>
          <FormRefusal reason={errors.root?.message} />
          <Button onPress={() => (isSubmitting ? undefined : ref.current?.close())}>{text.cancel}</Button>
          <SubmitButton isBusy={isSubmitting}>
            {isSubmitting ? text.adding : remindOnly === true ? text.addReminder : text.add}
          </SubmitButton>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
