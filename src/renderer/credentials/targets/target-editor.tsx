import { useRef } from 'react';
import { type Resolver, useWatch } from 'react-hook-form';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import {
  defaultVariable,
  DeliveryTarget,
  type TargetPart,
  targetPartsOf,
} from '../../../contract/credential/credential.ts';
import { targetKindLabels, targetPartLabels } from '../../../text/credential/credentials.ts';
import { targetFormText as text } from '../../../text/credential/targets.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { FieldPair, Form, FormText, readNumber, refuseForm, useCheckedForm } from '../../kit/form.tsx';
import { useKnownCredential } from '../read-credentials.ts';
import { usePreview } from '../preview.tsx';
import { DryRun } from './dry-run.tsx';
import { emptyFile, type FileDraft, FileOptions, fileOptionsOf } from './file-options.tsx';

export const targetKinds = ['dotenv', 'file', 'keychain', 'hook'] as const satisfies DeliveryTarget['kind'][];
const kinds = targetKinds.map((kind) => ({ value: kind, label: targetKindLabels[kind] }));
const ways = (['stdin', 'env'] as const).map((value) => ({ value, label: text.ways[value] }));

/** Adds a place that gets every new token; what that changes there is shown before it is done. */
export function TargetEditor({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const form = useCheckedForm<TargetDraft, DeliveryTarget>(checkTarget, emptyTarget);
  const show = useKnownCredential();
  const draft = { ...emptyTarget, ...useWatch({ control: form.control }) };
  const previewing = usePreview(readTarget(draft).data ?? null, (body, signal) =>
    askPortal('previewTarget', { params: { name: one.name }, body, signal }),
  );
  const { errors, isSubmitting } = form.formState;
  const parts = targetPartsOf(one.provider);
  const isDoubtful =
    previewing.kind === 'refused' || (previewing.kind === 'told' && !previewing.value.possible);

  async function add(target: DeliveryTarget): Promise<void> {
    if (previewing.kind === 'asking') return; // it is shown before it is done
    const added = await askPortal('addTarget', { params: { name: one.name }, body: target });
    if (added.kind === 'ok') {
      show(added.value);
      ref.current?.close();
    } else refuseForm(form, [], added, 'target_added');
  }

  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !isSubmitting} onClose={onClose}>
      <Form form={form} onSend={add}>
        <FieldGroup legend={text.kind(one.name)}>
          <Choice
            options={kinds}
            value={draft.kind}
            onChange={(kind) => {
              form.setValue('kind', kind);
              form.clearErrors(); // other fields, which nobody has left yet
            }}
          />
        </FieldGroup>
        {draft.kind === 'keychain' ? (
          <FieldPair>
            <FormText name="service" text={text.service} face="code" isRequired />
            <FormText name="account" text={text.account} face="code" isRequired />
          </FieldPair>
        ) : null}
        {draft.kind === 'file' || draft.kind === 'dotenv' ? (
          <FormText
            key={draft.kind}
            name="path"
            text={{ ...text.path, hint: text.path.hints[draft.kind] }}
            face="code"
            isRequired
          />
        ) : null}
        {draft.kind === 'hook' ? (
          <>
            <FormText name="program" text={text.program} face="code" isRequired />
            <FormText name="args" text={text.args} face="code" rows={2} />
            <FieldGroup legend={text.pass}>
              <Choice options={ways} value={draft.pass} onChange={(pass) => form.setValue('pass', pass)} />
            </FieldGroup>
          </>
        ) : null}
        {draft.kind === 'dotenv' || (draft.kind === 'hook' && draft.pass === 'env') ? (
          <FormText name="variable" text={text.variable} face="code" isRequired />
        ) : null}
        {draft.kind === 'hook' ? (
          <FormText name="timeLimit" text={text.timeLimit} inputMode="numeric" isRequired />
        ) : null}
        {draft.kind === 'file' || draft.kind === 'dotenv' ? (
          <FileOptions
            kind={draft.kind}
            draft={draft}
            onChange={({ way, noNewline }) => {
              if (way !== undefined) form.setValue('way', way);
              if (noNewline !== undefined) form.setValue('noNewline', noNewline);
            }}
          />
        ) : null}
        {parts.length === 1 ? null : (
          <FieldGroup legend={text.part.label} hint={text.part.hints[draft.part]}>
            <Choice
              options={parts.map((value) => ({ value, label: targetPartLabels[value] }))}
              value={draft.part}
              onChange={(part) => form.setValue('part', part)}
            />
          </FieldGroup>
        )}
        <DryRun previewing={previewing} />
        <DialogButtons>
          <FormRefusal reason={errors.root?.message} />
          <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
          <SubmitButton isBusy={isSubmitting || previewing.kind === 'asking'}>
            {isSubmitting ? text.adding : isDoubtful ? text.addAnyway : text.add}
          </SubmitButton>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** What is in the form, as it is typed: the fields of every kind, so that going back loses nothing. */
export interface TargetDraft extends FileDraft {
  readonly kind: DeliveryTarget['kind'];
  readonly service: string;
  readonly account: string;
  readonly path: string;
  readonly variable: string;
  readonly program: string;
  /** One argument a line. */
  readonly args: string;
  readonly pass: 'stdin' | 'env';
  /** Seconds. */
  readonly timeLimit: string;
  /** What it gets of a sign-in. */
  readonly part: TargetPart;
}

export const emptyTarget: TargetDraft = {
  kind: 'dotenv',
  service: '',
  account: '',
  path: '',
  variable: defaultVariable,
  program: '',
  args: '',
  pass: 'stdin',
  timeLimit: '30',
  part: 'access_token',
  ...emptyFile,
};

/** The target that the form describes, or what is wrong with it, by the contract's own schema. */
export function readTarget(draft: TargetDraft): ReturnType<typeof DeliveryTarget.safeParse> {
  const { kind, service, account, variable, pass } = draft;
  const path = draft.path.trim();
  const part = draft.part === 'access_token' ? {} : { part: draft.part };
  switch (kind) {
    case 'keychain':
      return DeliveryTarget.safeParse({ kind, service, account, ...part });
    case 'file':
      return DeliveryTarget.safeParse({
        kind,
        path,
        ...part,
        ...(draft.noNewline ? { newline: false } : {}),
        ...fileOptionsOf(draft),
      });
    case 'dotenv':
      return DeliveryTarget.safeParse({ kind, path, variable, ...part, ...fileOptionsOf(draft) });
    case 'hook':
      return DeliveryTarget.safeParse({
        kind,
        // Blanks inside a line belong to the argument: no shell reads it.
        command: [draft.program.trim(), ...draft.args.split('\n').filter((line) => line !== '')],
        pass,
        ...(pass === 'env' ? { variable } : {}),
        time_limit_seconds: readNumber(draft.timeLimit) ?? Number.NaN,
        ...part,
      });
  }
}

/** Every error of the schema at its field of the form. */
export const checkTarget: Resolver<TargetDraft, unknown, DeliveryTarget> = (draft) => {
  const read = readTarget(draft);
  if (read.success) return { values: read.data, errors: {} };
  const errors = Object.fromEntries(
    // The first of a field counts.
    read.error.issues.toReversed().map(({ path, message }) => [placeOf(path), { type: 'schema', message }]),
  );
  return { values: {}, errors };
};

function placeOf([field, index]: readonly PropertyKey[]): keyof TargetDraft {
  if (field === 'command') return index === undefined || index === 0 ? 'program' : 'args';
  return field === 'time_limit_seconds' ? 'timeLimit' : (field as keyof TargetDraft);
}
