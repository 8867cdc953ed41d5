import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { type SignInView, StartSignIn } from '../../contract/sign-in.ts';
import { addCredentialText as text } from '../../text/add-credential.ts';
import { signInText } from '../../text/sign-in.ts';
import { credentialPath } from '../kit/address.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Form, FormText, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { goInstead } from '../kit/navigation.ts';
import { Text } from '../kit/text.tsx';
import { ProviderInputs } from './provider-inputs.tsx';
import type { ServiceEntry } from './service-list.tsx';
import { SignInLink } from './sign-in-link.tsx';
import { SecretField } from './token-fields.tsx';

type Fields = z.input<typeof StartSignIn>;

/** What was left empty was not given. */
const Entered = z.preprocess(withoutBlanks, StartSignIn) as unknown as z.ZodType<StartSignIn, Fields>;

/** Adds a credential whose tokens come from a sign-in: what the server has to be told, then its page. */
export function SignInForm({
  entry,
  name,
  onBack,
  onCancel,
}: {
  entry: ServiceEntry;
  /** As the person has chosen it; blank: not yet. */
  name: string;
  onBack: (kept: { readonly token: string; readonly name: string }) => void;
  onCancel: () => void;
}) {
  const { provider } = entry;
  // A server without metadata is told of on the command line.
  const asked = { ...provider, inputs: provider.inputs.filter(({ name: input }) => !input.endsWith('_url')) };
  const form = useSchemaForm<Fields, StartSignIn>(Entered, { name, method: 'browser' }, false);
  const { errors, isSubmitting } = form.formState;
  const [signIn, setSignIn] = useState<SignInView | null>(null);
  const [failure, setFailure] = useState<string>();
  const baseUrl = useWatch({ control: form.control, name: 'base_url' }) ?? null;
  useEffect(() => {
    form.setValue('provider', { id: 'oauth2', inputs: {} });
    form.setFocus('name');
  }, [form]);

  async function start(body: StartSignIn): Promise<void> {
    setFailure(undefined);
    const started = await askPortal('startSignIn', { body });
    if (started.kind === 'ok') setSignIn(started.value);
    else {
      const inputs = provider.inputs.map((input) => `provider.inputs.${input.name}` as const);
      refuseForm(form, ['name', 'base_url', 'client_secret', ...inputs], started, 'credential_added');
    }
  }
  function end(ended: SignInView): void {
    if (ended.status === 'done') goInstead(`${credentialPath(ended.name)}?new=1`);
    else {
      setSignIn(null);
      setFailure(ended.message ?? signInText.failed);
    }
  }

  return (
    <Form form={form} onSend={start}>
      <Row gap={3} align="center" justify="between" wraps>
        <div>
          <Text tone="soft" size="small">
            {text.service.chosen}
          </Text>
          <Text weight="strong">{entry.name}</Text>
        </div>
        <Button onPress={() => onBack({ token: '', name: form.getValues('name') })}>
          {text.service.change}
        </Button>
      </Row>
      {signIn === null ? (
        <>
          <FormText name="name" text={text.name} face="code" isRequired read={(typed) => typed.trim()} />
          <ProviderInputs provider={asked} baseUrl={baseUrl} isOptional={false} />
          <ProviderInputs provider={asked} baseUrl={baseUrl} isOptional />
          <SecretField name="client_secret" isRequired={false} {...signInText.clientSecret} />
          <FormText
            name="base_url"
            text={{ ...text.address, hint: signInText.addressHint }}
            face="code"
            inputMode="url"
            read={(typed) => (typed.trim() === '' ? null : typed)}
          />
        </>
      ) : (
        <Stack gap={2}>
          <SignInLink signIn={signIn} onEnd={end} />
        </Stack>
      )}
      <DialogButtons>
        <FormRefusal reason={errors.root?.message ?? failure} />
        <Button onPress={() => (isSubmitting ? undefined : onCancel())}>{text.cancel}</Button>
        <SubmitButton isBusy={isSubmitting || signIn !== null}>
          {isSubmitting ? signInText.starting : signInText.first}
        </SubmitButton>
      </DialogButtons>
    </Form>
  );
}

function withoutBlanks(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== '' && value !== undefined)
      .map(([key, value]: [string, unknown]) => [key, withoutBlanks(value)]),
  );
}
