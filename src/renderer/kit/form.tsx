import { zodResolver } from '@hookform/resolvers/zod';
import { type FocusEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import {
  type DefaultValues,
  type FieldError,
  type FieldValues,
  FormProvider,
  get,
  type Path,
  type Resolver,
  useForm,
  useFormContext,
  type UseFormReturn,
} from 'react-hook-form';
import type { z } from 'zod';
import { type Change, problemText } from '../../text/window/connection.ts';
import { type FieldText, fieldErrorText } from '../../text/window/window.ts';
import { SubmitButton } from './button.tsx';
import { Dialog, DialogButtons, useEntries } from './dialog.tsx';
import { Field } from './field.tsx';
import { afterPress } from './form-refusal.tsx';
import inputStyles from './input.module.css';
import { Grid, Stack } from './layout.tsx';
import type { PortalProblem } from './read-portal.ts';

/** A form whose fields have the names of a schema of the contract, and are checked by it. */
export function useSchemaForm<In extends FieldValues, Out>(
  schema: z.ZodType<Out, In>,
  defaultValues: DefaultValues<In>,
  shouldUnregister = true,
): UseFormReturn<In, unknown, Out> {
  return useCheckedForm<In, Out>(zodResolver(schema), defaultValues, shouldUnregister);
}

/**
 * A form that is checked by a function.
 *
 * A field is checked when it is left, and all are when the form is sent; from then on with every key.
 */
export function useCheckedForm<In extends FieldValues, Out>(
  resolver: Resolver<In, unknown, Out>,
  defaultValues: DefaultValues<In>,
  /** Whether a field that is not shown has no value. */
  shouldUnregister = false,
): UseFormReturn<In, unknown, Out> {
  return useForm<In, unknown, Out>({
    resolver,
    defaultValues,
    mode: 'onTouched',
    shouldUnregister,
    shouldFocusError: false, // see Form: what the service refuses gets the focus too
  });
}

/** The fields of a form and the way to send it, once at a time. The first wrong field gets the focus. */
export function Form<In extends FieldValues, Out>({
  form,
  onSend,
  children,
}: {
  form: UseFormReturn<In, unknown, Out>;
  onSend: (values: Out) => Promise<void> | void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const { errors, submitCount } = form.formState;
  useEffect(() => {
    if (submitCount > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount]);

  async function send(event: SyntheticEvent): Promise<void> {
    event.preventDefault(); // the policy allows no page to be sent anywhere
    if (isSending.current) return;
    isSending.current = true;
    await form
      .handleSubmit(onSend)()
      .finally(() => {
        isSending.current = false;
      });
  }
  /** What the service refused holds until something is changed. */
  function forgetRefusal(): void {
    const refused = Object.keys(errors).filter((name) => isRefusal(leafOf(get(errors, name))));
    if (refused.length > 0) form.clearErrors(refused as Path<In>[]);
  }
  return (
    <FormProvider {...form}>
      <form ref={ref} noValidate onChange={forgetRefusal} onSubmit={(event) => void send(event)}>
        <Stack gap={5}>{children}</Stack>
      </form>
    </FormProvider>
  );
}

/**
 * A form in a dialog of its own. It closes when the form has been sent, and stays open with the reason when it was refused.
 *
 * `onSend` resolves to whether it was sent; what was refused it has told the form, see `refuseForm`.
 */
export function FormDialog<In extends FieldValues, Out>({
  title,
  form,
  onSend,
  cancel,
  submit,
  pending = submit,
  onClose,
  children,
}: {
  title: string;
  form: UseFormReturn<In, unknown, Out>;
  onSend: (values: Out) => Promise<boolean>;
  cancel: string;
  /** On the button that sends it. */
  submit: string;
  /** On that button, while it is under way. */
  pending?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { errors, isSubmitting } = form.formState;
  const entries = useEntries(isSubmitting);

  async function send(values: Out): Promise<void> {
    if (await onSend(values)) ref.current?.close();
  }
  return (
    <Dialog ref={ref} title={title} mayClose={entries.mayClose} onClose={onClose}>
      <div onChange={entries.onChange}>
        <Form form={form} onSend={send}>
          {children}
          <DialogButtons cancel={cancel} refusal={errors.root?.message ?? entries.warning}>
            <SubmitButton isBusy={isSubmitting}>{isSubmitting ? pending : submit}</SubmitButton>
          </DialogButtons>
        </Form>
      </div>
    </Dialog>
  );
}

/** Says why the service refused: at the fields that it names, and for the whole form what belongs to none of them. */
export function refuseForm<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  names: readonly Path<In>[],
  problem: PortalProblem,
  change?: Change,
): void {
  const errors = problem.kind === 'refused' ? (problem.errors ?? []) : [];
  const atFields = errors.filter(({ field }) => names.some((name) => isPart(field, name)));
  if (atFields.length === 0)
    form.setError('root', { type: 'service', message: problemText(problem, change) });
  for (const name of names) {
    const error = atFields.find(({ field }) => isPart(field, name));
    if (error !== undefined) form.setError(name, { type: 'service', message: error.message });
  }
}

/** Puts a whole sentence of the service at a field. */
export function refuseField<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  name: Path<In>,
  message: string,
): void {
  form.setError(name, { type: 'sentence', message });
}

/** Whether the service said it, not the schema. */
function isRefusal(error: FieldError | undefined): boolean {
  return error?.type === 'service' || error?.type === 'sentence';
}

function isPart(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
}

/** What ties an input to its field of the form around it, and what is wrong with it. `read` makes the value of what is typed. */
export function useFormField(
  name: string,
  subject: string,
  read?: (typed: string) => unknown,
  missing?: string,
) {
  const { register, formState, getValues, setFocus, setValue } = useFormContext();
  const { onBlur, ...field } = register(
    name,
    // Also given the default value, which need not be what is typed.
    read === undefined
      ? {}
      : { setValueAs: (value: unknown) => (typeof value === 'string' ? read(value) : value) },
  );
  const error = errorAt(formState.errors, name, subject);
  function isEmpty(): boolean {
    const value: unknown = getValues(name);
    return value === undefined || value === null || value === '';
  }
  return {
    error: missing !== undefined && isEmpty() && error !== undefined ? missing : error,
    read: (): unknown => getValues(name),
    /** Also puts the focus there: what asked for it may go away. */
    write: (value: string): void => {
      setValue(name, value, { shouldValidate: true, shouldDirty: true });
      setFocus(name);
    },
    input: {
      ...field,
      // What was left empty is checked when the form is sent: who only looks around need not be told.
      onBlur(event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void {
        if (event.target.value.trim() !== '') afterPress(() => void onBlur(event));
      },
    },
  };
}

/** What is wrong in a field, in a sentence; undefined when nothing is. */
export function errorAt(errors: object, name: string, subject: string): string | undefined {
  const error = leafOf(get(errors, name));
  return error?.type === 'sentence' ? error.message : error && fieldErrorText(subject, error.message);
}

/** The first error in a field or its parts. */
function leafOf(error: unknown): (FieldError & { readonly message: string }) | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string')
    return error as FieldError & { readonly message: string };
  return Object.values(error)
    .map(leafOf)
    .find((found) => found !== undefined);
}

/** A text field of the form around it: one line, or as many as `rows` says. */
export function FormText({
  name,
  text: { label, hint, subject, missing },
  face = 'words',
  type = 'text',
  inputMode = 'text',
  rows,
  isRequired = false,
  list,
  read,
  children,
}: {
  name: string;
  text: Omit<FieldText, 'hint'> & { readonly hint?: ReactNode };
  /** `code`: for what a program reads, where each character counts. */
  face?: 'words' | 'code';
  type?: 'text' | 'datetime-local';
  inputMode?: 'text' | 'numeric' | 'url';
  rows?: number;
  isRequired?: boolean;
  /** The id of a list of suggestions. */
  list?: string;
  read?: (typed: string) => unknown;
  children?: ReactNode;
}) {
  const { error, input } = useFormField(name, subject, read, missing);
  const shared = {
    ...input,
    className: inputStyles['input'],
    'data-face': face,
    'aria-required': isRequired || undefined,
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <>
          {rows === undefined ? (
            <input {...tied} {...shared} type={type} inputMode={inputMode} list={list} />
          ) : (
            <textarea {...tied} {...shared} rows={rows} />
          )}
          {children}
        </>
      )}
    </Field>
  );
}

/** Two fields beside each other where there is space. */
export function FieldPair({ children }: { children: ReactNode }) {
  return (
    <Grid min={14} gap={4}>
      {children}
    </Grid>
  );
}

/** A number as it is typed; undefined for nothing, and no number for what is none. */
export function readNumber(typed: string): number | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
