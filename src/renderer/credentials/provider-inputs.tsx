import { useEffect, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { isAsked } from '../../contract/credential/provider-inputs.ts';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import { addCredentialText } from '../../text/credential/add-credential.ts';
import { Choice } from '../kit/choice.tsx';
import { Field, FieldGroup } from '../kit/field.tsx';
import { errorAt, FormText } from '../kit/form.tsx';
import inputStyles from '../kit/input.module.css';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { allCredentials } from './read-credentials.ts';
import { OptionalFields } from './token-fields.tsx';

const text = addCredentialText.input;

type Input = ProviderView['inputs'][number];

/** The inputs that apply beside what is answered already. */
export function askedInputs(
  { inputs }: Pick<ProviderView, 'inputs'>,
  given: Readonly<Record<string, string>>,
): readonly Input[] {
  const facts = {
    inputs: inputs.map(({ name, choices }) => ({ name, choices: choices.map(({ value }) => value) })),
  };
  return inputs.filter(({ only_for: onlyFor }) => isAsked({ onlyFor: onlyFor ?? undefined }, facts, given));
}

/** The fields of a form without what was left empty, and without inputs that the other answers make not apply. */
export function enteredFields(fields: unknown, provider: ProviderView): unknown {
  const { success, data } = Entered.safeParse(fields);
  if (!success) return fields;
  const given = Object.fromEntries(Object.entries(data.provider.inputs ?? {}).filter(isEntered));
  const asked = new Set(askedInputs(provider, given).map(({ name }) => name));
  const inputs = Object.fromEntries(Object.entries(given).filter(([name]) => asked.has(name)));
  return { ...data, provider: { ...data.provider, inputs } };
}

const Entered = z.looseObject({
  provider: z.looseObject({ inputs: z.record(z.string(), z.string().optional()).optional() }),
});

function isEntered(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined && entry[1] !== '';
}

/** The fields of what a provider has to be told, as far as the other answers make them apply. */
export function ProviderInputs({
  provider,
  chosen,
  baseUrl,
  isOptional,
}: {
  provider: ProviderView;
  /** Inputs that were chosen with the service, and are not asked for again. */
  chosen: Readonly<Record<string, string>>;
  baseUrl: string | null;
  /** Those that may be left out, or the others. */
  isOptional: boolean;
}) {
  const given = useWatch({ name: 'provider.inputs' }) as Record<string, string> | undefined;
  const asked = askedInputs(provider, given ?? {}).filter(
    (input) => input.is_optional === isOptional && chosen[input.name] === undefined,
  );
  const shown = { provider, baseUrl, given: given ?? {} };
  const endpoints = asked.filter(isEndpoint);
  return (
    <>
      <InputFields {...shown} inputs={asked.filter((input) => !isEndpoint(input))} />
      {endpoints.length === 0 ? null : <EndpointInputs {...shown} inputs={endpoints} />}
    </>
  );
}

/** An address that a server usually says itself. */
function isEndpoint({ name }: Input): boolean {
  return name.endsWith('_url');
}

interface ShownInputs {
  provider: ProviderView;
  baseUrl: string | null;
  given: Readonly<Record<string, string>>;
  inputs: readonly Input[];
}

function EndpointInputs(shown: ShownInputs) {
  const { unregister } = useFormContext();
  const { inputs, given } = shown;
  const [isOn, setOn] = useState(inputs.some(({ name }) => (given[name] ?? '') !== ''));
  return (
    <OptionalFields
      {...text.endpoints}
      isOn={isOn}
      onChange={(turned) => {
        setOn(turned);
        if (!turned) unregister(inputs.map(pathOf));
      }}
    >
      <Stack gap={5}>
        <InputFields {...shown} />
      </Stack>
    </OptionalFields>
  );
}

function InputFields({ provider, baseUrl, given, inputs }: ShownInputs) {
  return inputs.map((input) => {
    switch (input.kind) {
      case 'choice':
        return <ChoiceInput key={input.name} input={input} value={given[input.name]} />;
      case 'text':
        return (
          <FormText
            key={input.name}
            name={pathOf(input)}
            text={{
              label: input.label,
              hint: input.hint,
              subject: text.subject,
              ...(input.is_optional ? {} : { missing: text.missing(input.label) }),
            }}
            face="code"
            isRequired={!input.is_optional}
            read={(typed) => typed.trim()}
          />
        );
      case 'credential':
        return (
          <CredentialInput
            key={input.name}
            input={input}
            value={given[input.name]}
            providerId={provider.id}
            baseUrl={baseUrl ?? provider.default_base_url}
          />
        );
    }
  });
}

function pathOf({ name }: Input): `provider.inputs.${string}` {
  return `provider.inputs.${name}`;
}

function ChoiceInput({ input, value }: { input: Input; value: string | undefined }) {
  const { setValue, formState } = useFormContext();
  return (
    <FieldGroup
      legend={input.label}
      {...(input.hint === '' ? {} : { hint: input.hint })}
      error={errorAt(formState.errors, pathOf(input), text.subject)}
    >
      <Choice
        options={input.choices}
        value={value ?? input.choices[0]?.value ?? ''}
        onChange={(chosen) => setValue(pathOf(input), chosen)}
      />
    </FieldGroup>
  );
}

/**
 * Another credential of the same service. One that is optional is not asked for where there is none; of one that is needed, the hint
 * says what to add first. The guardian may be of any kind, because its token is sent where it belongs.
 */
function CredentialInput({
  input,
  value,
  providerId,
  baseUrl,
}: {
  input: Input;
  value: string | undefined;
  providerId: string;
  baseUrl: string | null;
}) {
  const { setValue, unregister, formState } = useFormContext();
  const path = pathOf(input);
  const credentials = useLive(allCredentials).known?.value.credentials ?? [];
  const names = credentials
    .filter((one) => input.name === 'guardian' || one.provider.id === providerId)
    .filter((one) => one.base_url === baseUrl)
    .map(({ name }) => name);
  const isThere = value !== undefined && names.includes(value);
  useEffect(() => {
    if (value !== undefined && !isThere) unregister(path);
  }, [isThere, path, unregister, value]);
  useEffect(() => () => unregister(path), [path, unregister]);
  if (names.length === 0 && input.is_optional) return null;
  const error = errorAt(formState.errors, path, text.subject);
  return (
    <Field
      label={input.label}
      hint={input.hint}
      error={error !== undefined && !isThere ? text.chooseFirst : error}
    >
      {(tied) => (
        <select
          {...tied}
          className={inputStyles['input']}
          value={isThere ? value : ''}
          onChange={({ target }) => (target.value === '' ? unregister(path) : setValue(path, target.value))}
        >
          <option value="">{input.is_optional ? text.none : text.choose(names.length)}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
