import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { problemText } from '../../text/window/connection.ts';
import { type ConnectionTest, TestConnection } from '../../contract/credential/credential-checks.ts';
import { AddCredential } from '../../contract/credential/credential.ts';
import { isDefaultProvider } from '../../contract/credential/provider.ts';
import { usualBaseUrl } from '../../contract/credential/provider-inputs.ts';
import { defaultSettings } from '../../contract/service/settings.ts';
import { defaultPolicyOf } from '../../core/change-settings.ts';
import {
  addCredentialText as text,
  connectionTestText,
  clientCertificateText,
} from '../../text/credential/add-credential.ts';
import { credentialPath } from '../kit/window-paths.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button, SubmitButton } from '../kit/button.tsx';
import { DialogButtons } from '../kit/dialog.tsx';
import { afterPress, FormRefusal } from '../kit/form-refusal.tsx';
import { Form, FormText, refuseField, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goInstead } from '../kit/navigation.ts';
import type { PortalProblem } from '../kit/read-portal.ts';
import { Text } from '../kit/text.tsx';
import { Tick } from '../kit/choice.tsx';
import { presentSettings } from '../settings/use-settings.ts';
import { ConnectionResult } from './connection-test.tsx';
import { type ChosenCertificate, ClientCertificateOption } from './client-certificate-fields.tsx';
import { credentialNameOf, nameOfService } from './credential-name.ts';
import { policyError, PolicyFields } from './policy-fields.tsx';
import { enteredFields, ProviderInputs } from './provider-inputs.tsx';
import { useStoreName } from './read-credentials.ts';
import { RefreshPlan, RotationPlan } from './rotation-plan.tsx';
import { ChosenService, CreationHelp, ServerQuestion, useOtherServers } from './chosen-service.tsx';
import { entryOfToken, isSameService, type ServiceEntry } from './service-entries.ts';
import { mayBeElsewhere } from './sought-service.ts';
import { ExpiryFields, OptionalFields, SecretField } from './token-fields.tsx';

/** With what the form begins: the service, and what is known of the token. */
export interface Start {
  readonly entry: ServiceEntry;
  readonly token: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** The address that was entered to find the service; null: none. */
  readonly baseUrl: string | null;
  /** The name that the person has chosen; blank: none yet. */
  readonly name: string;
}

type Fields = z.input<typeof AddCredential>;

/** Longer pieces than this are pasted, not typed. */
const longestKey = 8;

/** What a service needs to have a token of it rotated. A token is tested as soon as it is there. */
export function AddForm({
  start: { entry, token, inputs, baseUrl: soughtUrl, name: chosenName },
  entries,
  busyRef,
  onChoose,
  onBack,
  onCancel,
}: {
  start: Start;
  entries: readonly ServiceEntry[];
  /** Whether it is being added: then the dialog stays open. */
  busyRef: RefObject<boolean>;
  onChoose: (start: Start) => void;
  /** Back to the list of services, with what was entered. */
  onBack: (kept: Pick<Start, 'token' | 'name'>) => void;
  onCancel: () => void;
}) {
  const { provider, isEmbedded } = entry;
  const isDefault = isDefaultProvider({ id: provider.id, inputs });
  /** A secret that obtains tokens: it is tested by adding it. */
  const isToken = provider.secret === null;
  /** Only a person can create the next token, so nothing is planned. */
  const isAssisted = provider.traits.shape === 'assisted';
  /** Where the service, and with it the address, is one of the inputs. */
  const choosesService = provider.inputs.some(({ name }) => name === 'service');
  const [schema] = useState(
    () =>
      z.preprocess((fields) => enteredFields(fields, provider), AddCredential) as unknown as z.ZodType<
        AddCredential,
        Fields
      >,
  );
  const form = useSchemaForm<Fields, AddCredential>(schema, {
    name: chosenName,
    value: token,
    base_url: isEmbedded ? null : (soughtUrl ?? (choosesService ? null : (provider.default_base_url ?? ''))),
    ...(isDefault ? {} : { provider: { id: provider.id, inputs: { ...inputs } } }),
  });
  const [baseUrl, policy, remindOnly, typedName, given, expiresAt] = useWatch({
    control: form.control,
    name: ['base_url', 'policy', 'remind_only', 'name', 'provider.inputs', 'expires_at'],
  });
  const [test, setTest] = useState<ConnectionTest | 'asking' | null>(null);
  const [other, setOther] = useState<ReturnType<typeof entryOfToken>>(null);
  const [hasExpiry, setHasExpiry] = useState(false);
  /** Whether the service was found to have no rotate endpoint: then a reminder is offered. */
  const [cannotRotate, setCannotRotate] = useState(false);
  const [certificate, setCertificate] = useState<ChosenCertificate>();
  const [isNamed, setNamed] = useState(chosenName !== '');
  /** What was tested last; the answer to anything else is not shown. */
  const tested = useRef('');
  const tokenLength = useRef(token.length);
  const settings = useLive(presentSettings).known?.value ?? defaultSettings;
  const vault = useStoreName();
  const usual = defaultPolicyOf(settings);
  const chosen = {
    fraction: policy?.fraction ?? usual.fraction,
    preferred_hours: policy?.preferred_hours ?? null,
  };
  /** Whether the person has said at which server the token is. */
  const [isServerKnown, setServerKnown] = useState(soughtUrl !== null || !mayBeElsewhere(entry));
  const servers = useOtherServers(entry);
  const asksServer = !isServerKnown && (token !== '' || servers.length > 0);
  const firstServer = useRef<HTMLButtonElement>(null);
  const { errors, isSubmitting, isSubmitted } = form.formState;
  const known = test === null || test === 'asking' ? null : test;
  const tokenName = known?.token?.name;
  const usualAddress = choosesService ? usualBaseUrl({ id: provider.id, inputs: given ?? inputs }) : null;
  const isAddressKnown = isEmbedded || usualAddress !== null || provider.default_base_url !== null;
  const called = isEmbedded ? '' : nameOfService(provider, given ?? {}, baseUrl ?? '');
  const suggested = credentialNameOf(isAddressKnown ? (tokenName ?? called) : called);
  const start = useEffectEvent(() => {
    if (asksServer) firstServer.current?.focus();
    else focusFirst();
    if (!isDefault) form.setValue('provider', { id: provider.id, inputs: { ...inputs } });
    if (token !== '') void testWhatIsThere();
  });
  useEffect(() => {
    start(); // once, with what it was opened with
  }, []);
  useEffect(() => {
    busyRef.current = isSubmitting;
  }, [busyRef, isSubmitting]);
  // Before it is drawn: Enter comes as soon as a person reads that the token works, and would send the name of before.
  useLayoutEffect(() => {
    if (!isNamed) form.setValue('name', suggested, { shouldValidate: isSubmitted });
  }, [form, isNamed, isSubmitted, suggested]);

  function focusFirst(): void {
    const [first] = isToken ? [] : provider.inputs.filter(({ kind }) => kind === 'text');
    if (first !== undefined) return form.setFocus(`provider.inputs.${first.name}`);
    form.setFocus(isAddressKnown || soughtUrl !== null ? 'value' : 'base_url');
  }
  function chooseServer(address: string | null): void {
    form.setValue('base_url', address);
    setServerKnown(true);
    form.setFocus('value');
    queueMicrotask(() => void testWhatIsThere(true));
  }
  const presented = certificate ? { client_certificate: certificate } : {};
  const email = given?.['email'];
  const inputNames = provider.inputs.map(({ name }) => `provider.inputs.${name}` as const);
  const fields = [
    'name',
    'value',
    'password',
    'base_url',
    'validity_days',
    'expires_at',
    'policy',
    ...inputNames,
  ] as const;

  /** What was found out about one token or service says nothing about another. */
  function forgetTest(): void {
    tested.current = '';
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
  function testedFields() {
    const entered = enteredFields(form.getValues(), provider) as Fields;
    const { value, base_url = null, provider: choice } = entered;
    return {
      value,
      base_url,
      ...(choice === undefined ? {} : { provider: choice }),
      ...presented,
    };
  }
  async function testToken(): Promise<void> {
    const names = ['value', 'base_url', ...inputNames] as const;
    if (!(await form.trigger(names, { shouldFocus: true }))) return;
    setServerKnown(true); // the address beside the button
    await ask();
  }
  /** Tests without being asked, as soon as there is enough; says nothing of what is missing. */
  async function testWhatIsThere(isChosen = !asksServer): Promise<void> {
    if (!isToken || !isChosen) return;
    const isEnough = TestConnection.safeParse(testedFields()).success;
    if (isEnough && tested.current !== JSON.stringify(testedFields())) await ask();
  }
  async function ask(): Promise<void> {
    const body = testedFields();
    const asked = JSON.stringify(body);
    tested.current = asked;
    setTest('asking');
    const answer = await askPortal('testConnection', { body });
    afterPress(() => {
      if (tested.current !== asked) return;
      setTest(answer.kind === 'ok' ? answer.value : null);
      if (answer.kind !== 'ok') return refuse(answer);
      setCannotRotate(answer.value.rotation?.outcome === 'cannot_rotate');
      // The service does not say when it expires: the person has to.
      if (answer.value.token === null && answer.value.outcome !== 'refused') setHasExpiry(true);
      const given = form.getValues(['expires_at', 'validity_days']);
      if (answer.value.token !== null && given.every((one) => one === undefined)) setHasExpiry(false);
    });
  }
  /** A token that was pasted is tested at once, and what its beginning says is used. */
  function followToken(typed: string): void {
    const isPasted = typed.length > tokenLength.current + longestKey;
    tokenLength.current = typed.length;
    forgetTest();
    const found = entryOfToken(typed, entries);
    const isOther = found !== null && !isSameService(found.entry, entry);
    setOther(isOther ? found : null);
    if (found !== null && !isOther) {
      for (const [name, value] of Object.entries(found.inputs)) {
        form.setValue(`provider.inputs.${name}`, value);
      }
    }
    // After the form has its value.
    if (!isOther && isPasted) queueMicrotask(() => void testWhatIsThere());
  }
  function entered(): Pick<Start, 'token' | 'name'> {
    const [value, name] = form.getValues(['value', 'name']);
    return { token: value, name: isNamed ? name : '' };
  }
  async function add(body: AddCredential): Promise<void> {
    if (certificate === null) return form.setError('root', { message: clientCertificateText.missing });
    const added = await askPortal('addCredential', { body: { ...body, ...presented } });
    if (added.kind === 'ok') goInstead(`${credentialPath(added.value.name)}?new=1`);
    else refuse(added);
  }

  const address = isEmbedded ? null : (
    <>
      <div onChange={() => setServerKnown(true)}>
        <FormText
          name="base_url"
          text={{
            ...text.address,
            hint: usualAddress === null ? provider.address_hint : text.address.usual(usualAddress),
          }}
          face="code"
          inputMode="url"
          isRequired={usualAddress === null}
          {...(choosesService ? { read: orNull } : {})}
        />
      </div>
      {asksServer ? (
        <ServerQuestion
          ref={firstServer}
          service={entry.name}
          usual={usualAddress ?? provider.default_base_url ?? ''}
          servers={servers}
          onChoose={(server) => chooseServer(choosesService && server === usualAddress ? null : server)}
          onOther={() => form.setFocus('base_url', { shouldSelect: true })}
        />
      ) : null}
    </>
  );
  const shownInputs = { provider, chosen: entry.inputs, baseUrl: baseUrl ?? null };
  const addLabel = remindOnly === true ? text.addReminder : text.add;
  const optional = <ProviderInputs {...shownInputs} isOptional />;
  const remote = entries.find((one) => isSameService(one, entry) && !one.isEmbedded);
  const isUnknownHere = isEmbedded && known?.outcome === 'refused' && known.token === null;
  return (
    <Form form={form} onSend={add}>
      <ChosenService name={entry.name} onChange={() => onBack(entered())} />
      <CreationHelp entry={entry} inputs={given ?? inputs} address={baseUrl ?? null} />
      <Stack
        gap={5}
        onBlur={({ relatedTarget }) => {
          // Not when the window loses the focus: an address may be half typed, and the token must not go there.
          if (relatedTarget !== null) void testWhatIsThere();
        }}
      >
        {isEmbedded && provider.inputs.length === 0 ? null : (
          <Stack gap={5} onChange={forgetTest}>
            {choosesService ? null : address}
            <ProviderInputs {...shownInputs} isOptional={false} />
            {isToken ? null : optional}
            {choosesService ? address : null}
          </Stack>
        )}
        <div onChange={({ target }) => followToken((target as HTMLInputElement).value)}>
          <SecretField
            {...text.token}
            {...provider.secret}
            missing={text.token.missing(provider.secret?.label ?? text.token.label)}
            hint={text.token.hint(vault, provider.secret?.hint)}
          />
        </div>
      </Stack>
      {other === null ? null : (
        <Row gap={3} align="center" wraps role="status">
          <Text size="medium">{text.service.other(other.entry.name)}</Text>
          <Button onPress={() => onChoose({ ...other, baseUrl: null, ...entered() })}>
            {text.service.use(other.entry.name)}
          </Button>
        </Row>
      )}
      {isEmbedded ? null : (
        <ClientCertificateOption
          chosen={certificate}
          onChange={(chosen) => {
            setCertificate(chosen);
            forgetTest();
          }}
        />
      )}
      {isToken ? (
        <Stack gap={3}>
          <Row gap={2}>
            <ActionButton isBusy={test === 'asking'} onPress={() => void testToken()}>
              {test === 'asking' ? connectionTestText.testing : connectionTestText.test}
            </ActionButton>
          </Row>
          <ConnectionResult test={known} />
        </Stack>
      ) : null}
      {isUnknownHere && remote !== undefined ? (
        <Row gap={3} align="center" wraps role="status">
          <Text size="medium">{text.service.notIssuedHere}</Text>
          <Button onPress={() => onChoose({ entry: remote, inputs: {}, baseUrl: null, ...entered() })}>
            {text.service.useRemote}
          </Button>
        </Row>
      ) : null}
      {known === null ? (
        <RefreshPlan provider={provider} name={typedName} />
      ) : (
        <RotationPlan
          test={known}
          provider={provider}
          policy={chosen}
          name={typedName}
          inputs={given ?? {}}
          expiresAt={expiresAt}
        />
      )}
      {isToken ? optional : null}
      {email ? (
        <SecretField {...text.password} hint={text.password.hint(email)} name="password" isRequired={false} />
      ) : null}
      <div onChange={() => setNamed(true)}>
        <FormText name="name" text={text.name} face="code" isRequired read={(name) => name.trim()} />
      </div>
      {isToken && !isAssisted && (cannotRotate || remindOnly === true) ? (
        <Tick
          {...text.remindOnly}
          isOn={remindOnly === true}
          onChange={(isOn) => form.setValue('remind_only', isOn || undefined)}
        />
      ) : null}
      {isToken ? <ExpiryFields isOn={hasExpiry} onChange={setHasExpiry} /> : null}
      {isAssisted ? null : (
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
      )}
      <DialogButtons>
        <FormRefusal reason={errors.root?.message} />
        <Button onPress={() => (isSubmitting ? undefined : onCancel())}>{text.cancel}</Button>
        <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.adding : addLabel}</SubmitButton>
      </DialogButtons>
    </Form>
  );
}

/** What was left empty was not given. */
function orNull(typed: string): string | null {
  return typed.trim() === '' ? null : typed;
}
