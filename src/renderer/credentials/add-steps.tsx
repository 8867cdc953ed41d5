import { type ReactNode, type RefObject, useState, useEffect, useEffectEvent, useRef } from 'react';
import { usualBaseUrl } from '../../contract/credential/provider-inputs.ts';
import { isSignedIn, maySignInWithCode } from '../../providers/catalogue.ts';
import { addCredentialText as text, clientCertificateText } from '../../text/credential/add-credential.ts';
import { signInText } from '../../text/credential/sign-in-text.ts';
import { problemText } from '../../text/window/connection.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { AddForm, type Start } from './add-form.tsx';
import { isReminderOnly, serviceEntries } from './service-entries.ts';
import { allProviders, type EarlyEntry, ServiceList } from './service-list.tsx';
import { type SigningIn, SignInWaiting } from './sign-in-waiting.tsx';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { signInMethods, StartSignIn } from '../../contract/credential/sign-in.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Box } from '../kit/box.tsx';
import { Choice } from '../kit/choice.tsx';
import { FieldGroup } from '../kit/field.tsx';
import { Form, FormText, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Text } from '../kit/text.tsx';
import { ChosenService, CreationHelp } from './chosen-service.tsx';
import { type ChosenCertificate, ClientCertificateOption } from './client-certificate-fields.tsx';
import { credentialNameOf, nameOfService } from './credential-name.ts';
import { enteredFields, ProviderInputs } from './provider-inputs.tsx';
import { SecretField } from './token-fields.tsx';

/** The steps of the dialog that adds a credential. */
export function AddSteps({
  early,
  waiting,
  chosenBefore,
  signIn,
  busyRef,
  onChoose,
  onCancel,
}: {
  early: EarlyEntry;
  /** What is shown until the services are known. */
  waiting: ReactNode;
  chosenBefore: string | null;
  signIn: SigningIn;
  /** Whether it is being added: then the dialog stays open. */
  busyRef: RefObject<boolean>;
  onChoose: (id: string) => void;
  onCancel: () => void;
}) {
  const { known, connection } = useLive(allProviders);
  const [start, setStart] = useState<Start | null>(null);
  /** What was entered before the service was changed. */
  const [kept, setKept] = useState<Pick<Start, 'token' | 'name'>>({ token: '', name: '' });
  const entries = serviceEntries(known?.value ?? []);

  function choose(chosen: Start): void {
    setStart({ ...chosen, inputs: { ...chosen.entry.inputs, ...chosen.inputs } });
    onChoose(chosen.entry.id);
  }
  function goBack(entered: Pick<Start, 'token' | 'name'>): void {
    setKept(entered);
    setStart(null);
  }

  /** Of a token that cannot be rotated, only its end is watched. */
  function keepPasted({ entry: { provider, inputs }, token, name }: Start): void {
    const entry = entries.find(isReminderOnly);
    if (entry === undefined) return;
    choose({ entry, token, name, inputs: {}, baseUrl: usualBaseUrl({ id: provider.id, inputs }) });
  }

  if (start !== null && isSignedIn(start.entry.provider)) {
    return (
      <SignInForm
        key={start.entry.id}
        start={start}
        signIn={signIn}
        onKeep={() => keepPasted(start)}
        onBack={goBack}
        onCancel={onCancel}
      />
    );
  }
  if (signIn.waiting !== null) {
    return (
      <Stack gap={5}>
        <SignInWaiting signIn={signIn.waiting} />
        <DialogButtons>
          <Button onPress={signIn.cancel}>{signInText.cancel}</Button>
        </DialogButtons>
      </Stack>
    );
  }
  if (start !== null) {
    return (
      <AddForm
        key={start.entry.id}
        start={start}
        entries={entries}
        busyRef={busyRef}
        onChoose={choose}
        onBack={goBack}
        onCancel={onCancel}
      />
    );
  }
  const isAsked = known !== undefined || connection.kind === 'asking' || connection.kind === 'live';
  return (
    <Stack gap={4}>
      {known === undefined ? (
        waiting
      ) : (
        <ServiceList
          entries={entries}
          early={early}
          chosenBefore={chosenBefore}
          keptToken={kept.token}
          onChoose={(entry, chosen) => choose({ entry, name: kept.name, ...chosen })}
        />
      )}
      <DialogButtons>
        <FormRefusal reason={signIn.failure ?? (isAsked ? undefined : problemText(connection))} />
        <Button onPress={onCancel}>{text.cancel}</Button>
      </DialogButtons>
    </Stack>
  );
}

type Fields = z.input<typeof StartSignIn>;

/** Adds a credential whose tokens come from a sign-in: what the server has to be told, then its page. */
function SignInForm({
  start: { entry, inputs: chosen, token, baseUrl: soughtUrl, name },
  signIn,
  onKeep,
  onBack,
  onCancel,
}: {
  start: Start;
  signIn: SigningIn;
  /** Keeps the token that was pasted, without rotation. */
  onKeep: () => void;
  onBack: (kept: { readonly token: string; readonly name: string }) => void;
  onCancel: () => void;
}) {
  const { provider } = entry;
  const [schema] = useState(
    () =>
      z.preprocess((fields) => enteredFields(fields, provider), StartSignIn) as unknown as z.ZodType<
        StartSignIn,
        Fields
      >,
  );
  const form = useSchemaForm<Fields, StartSignIn>(
    schema,
    { name, method: 'browser', base_url: soughtUrl },
    false,
  );
  const { errors, isSubmitting, isSubmitted } = form.formState;
  const [isNamed, setNamed] = useState(name !== '');
  const [baseUrl, given = {}, method] = useWatch({
    control: form.control,
    name: ['base_url', 'provider.inputs', 'method'],
  });
  const [certificate, setCertificate] = useState<ChosenCertificate>();
  const withCode = maySignInWithCode({ id: provider.id, inputs: given });
  const suggested = credentialNameOf(nameOfService(provider, given, baseUrl ?? ''));
  const usualAddress = usualBaseUrl({ id: provider.id, inputs: given });
  const shownInputs = { provider, chosen: entry.inputs, baseUrl: baseUrl ?? null };
  const notNeededRef = useRef<HTMLDivElement>(null);
  const start = useEffectEvent(() => {
    form.setValue('provider', { id: provider.id, inputs: { ...chosen } });
    // What is said of a token that was pasted comes before the first field, and would scroll out of sight above it.
    if (notNeededRef.current === null) form.setFocus('provider.inputs.client_id');
    else notNeededRef.current.focus();
  });
  useEffect(() => {
    start(); // once, with what it was opened with
  }, []);
  useEffect(() => {
    if (!isNamed) form.setValue('name', suggested, { shouldValidate: isSubmitted });
  }, [form, isNamed, isSubmitted, suggested]);

  async function begin(entered: StartSignIn): Promise<void> {
    if (certificate === null) return form.setError('root', { message: clientCertificateText.missing });
    const body = {
      ...entered,
      method: withCode ? entered.method : 'browser',
      ...(certificate === undefined ? {} : { client_certificate: certificate }),
    } as const;
    const started = await askPortal('startSignIn', { body });
    if (started.kind === 'ok') signIn.begin(started.value);
    else {
      const inputs = provider.inputs.map((input) => `provider.inputs.${input.name}` as const);
      refuseForm(form, ['name', 'base_url', 'client_secret', ...inputs], started, 'credential_added');
    }
  }

  return (
    <Form form={form} onSend={begin}>
      <ChosenService
        name={entry.name}
        onChange={
          signIn.waiting === null
            ? () => onBack({ token, name: isNamed ? form.getValues('name') : '' })
            : undefined
        }
      />
      {signIn.waiting === null ? (
        <>
          {token === '' ? null : (
            <Box ref={notNeededRef} isSunken role="status" tabIndex={-1}>
              <Stack gap={2} align="start">
                <Text size="medium" weight="bold">
                  {text.notNeeded.title(entry.name)}
                </Text>
                <Text size="medium">{text.notNeeded.text}</Text>
                <Button onPress={onKeep}>{text.notNeeded.keep}</Button>
              </Stack>
            </Box>
          )}
          <CreationHelp entry={entry} inputs={{ ...entry.inputs, ...given }} address={baseUrl ?? null} />
          <ProviderInputs {...shownInputs} isOptional={false} />
          <ProviderInputs {...shownInputs} isOptional />
          <SecretField name="client_secret" isRequired={false} {...signInText.clientSecret} />
          <FormText
            name="base_url"
            text={{
              ...text.address,
              hint: usualAddress === null ? signInText.addressHint : text.address.usual(usualAddress),
            }}
            face="code"
            inputMode="url"
            read={(typed) => (typed.trim() === '' ? null : typed)}
          />
          <div onChange={() => setNamed(true)}>
            <FormText name="name" text={text.name} face="code" isRequired read={(typed) => typed.trim()} />
          </div>
          <ClientCertificateOption chosen={certificate} onChange={setCertificate} />
          {withCode ? (
            <FieldGroup legend={signInText.method.label} hint={signInText.method.hint}>
              <Choice
                options={signInMethods.map((value) => ({ value, label: signInText.method.choices[value] }))}
                value={method}
                onChange={(value) => form.setValue('method', value)}
              />
            </FieldGroup>
          ) : null}
        </>
      ) : (
        <SignInWaiting signIn={signIn.waiting} />
      )}
      <DialogButtons>
        <FormRefusal reason={errors.root?.message ?? signIn.failure} />
        {signIn.waiting === null ? (
          <>
            <Button onPress={() => (isSubmitting ? undefined : onCancel())}>{text.cancel}</Button>
            <SubmitButton isBusy={isSubmitting}>
              {isSubmitting ? signInText.starting : signInText.first}
            </SubmitButton>
          </>
        ) : (
          <Button onPress={signIn.cancel}>{signInText.cancel}</Button>
        )}
      </DialogButtons>
    </Form>
  );
}
