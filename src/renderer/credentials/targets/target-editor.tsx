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
import {
  fileOptionsText as fileText,
  targetFormText as text,
  targetPreviewText as previewText,
} from '../../../text/credential/targets.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Choice, Tick } from '../../kit/choice.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { FieldPair, Form, FormText, readNumber, refuseForm, useCheckedForm } from '../../kit/form.tsx';
import { useKnownCredential } from '../read-credentials.ts';
import { type Preview, PreviewBox, usePreview } from '../preview.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { emptySetting, type SettingDraft, SettingFields, settingOf } from './setting-fields.tsx';
import styles from './targets.module.css';
import { PathText, Text } from '../../kit/text.tsx';
import { type DeliveryPreview, maskedValue } from '../../../contract/credential/credential-checks.ts';
import { drawings, Shape } from '../../kit/shape.tsx';

export const targetKinds = [
  'dotenv',
  'setting',
  'file',
  'keychain',
  'hook',
] as const satisfies DeliveryTarget['kind'][];
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

  const addLabel = isDoubtful ? text.addAnyway : text.add;
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
        {isFileKind(draft.kind) ? (
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
        {draft.kind === 'setting' ? (
          <SettingFields
            draft={draft}
            onChange={({ format, base64, create }) => {
              if (format !== undefined) form.setValue('format', format);
              if (base64 !== undefined) form.setValue('base64', base64);
              if (create !== undefined) form.setValue('create', create);
            }}
          />
        ) : null}
        {draft.kind === 'hook' ? (
          <FormText name="timeLimit" text={text.timeLimit} inputMode="numeric" isRequired />
        ) : null}
        {isFileKind(draft.kind) ? (
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
            {isSubmitting ? text.adding : addLabel}
          </SubmitButton>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

type FileKind = 'file' | 'dotenv' | 'setting';

function isFileKind(kind: DeliveryTarget['kind']): kind is FileKind {
  return kind === 'file' || kind === 'dotenv' || kind === 'setting';
}

/** The part of a draft that is about how a file is written. */
interface FileDraft {
  readonly way: 'needed' | 'in_place';
  readonly noNewline: boolean;
  /** Empty: as it is usual, here and in the next two. */
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
}

const emptyFile: FileDraft = { way: 'needed', noNewline: false, mode: '', owner: '', group: '' };

/** What is in the form, as it is typed: the fields of every kind, so that going back loses nothing. */
export interface TargetDraft extends FileDraft, SettingDraft {
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
  ...emptySetting,
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
    case 'setting':
      return DeliveryTarget.safeParse({
        kind,
        path,
        ...settingOf(draft),
        ...part,
        ...fileOptionsOf(draft),
      });
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

const fileWays = (['needed', 'in_place'] as const).map((value) => ({ value, label: fileText.ways[value] }));

/** How a file is written. Hidden at first: most files need none of it, and the preview says what is done. */
function FileOptions({
  kind,
  draft,
  onChange,
}: {
  kind: FileKind;
  draft: FileDraft;
  onChange: (changes: Partial<FileDraft>) => void;
}) {
  return (
    <details>
      <summary className={styles['more']}>{fileText.more}</summary>
      <Stack gap={4}>
        <FieldGroup legend={fileText.way} hint={fileText.hints[draft.way]}>
          <Choice options={fileWays} value={draft.way} onChange={(way) => onChange({ way })} />
        </FieldGroup>
        {kind === 'file' ? (
          <Tick
            {...fileText.noNewline}
            isOn={draft.noNewline}
            onChange={(noNewline) => onChange({ noNewline })}
          />
        ) : null}
        <FormText name="mode" text={fileText.mode} face="code" />
        <FieldPair>
          <FormText name="owner" text={fileText.owner} face="code" />
          <FormText name="group" text={fileText.group} face="code" />
        </FieldPair>
      </Stack>
    </details>
  );
}

/** As a target has it: what is as usual is left out. */
function fileOptionsOf({ way, mode, owner, group }: FileDraft): Record<string, unknown> {
  const typed = Object.entries({ mode, owner, group }).flatMap(([name, text]) =>
    text.trim() === '' ? [] : [[name, text.trim()] as const],
  );
  return { ...(way === 'in_place' ? { in_place: true } : {}), ...Object.fromEntries(typed) };
}

/** What adding the target would change, before it is added; tokens are masked. Read out when it is known. */
function DryRun({ previewing }: { previewing: Preview<DeliveryPreview> }) {
  return (
    <PreviewBox title={previewText.title} preview={previewing} className={styles['dry']}>
      <DryRunWords previewing={previewing} />
    </PreviewBox>
  );
}

function DryRunWords({ previewing }: { previewing: Preview<DeliveryPreview> }) {
  switch (previewing.kind) {
    case 'none':
      return <Text tone="soft">{previewText.none}</Text>;
    case 'asking':
      return (
        <Text tone="soft" data-appears="late">
          {previewText.asking}
        </Text>
      );
    case 'refused':
      return (
        <Row as="p" gap={2}>
          <Shape tone="warn">{drawings.triangle}</Shape>
          <span>{previewText.failed(previewing.reason)}</span>
        </Row>
      );
    case 'told':
      return <Changes preview={previewing.value} />;
  }
}

function Changes({ preview: { possible, message, place, lines } }: { preview: DeliveryPreview }) {
  return (
    <>
      <Row as="p" gap={2}>
        {possible ? null : <Shape tone="warn">{drawings.triangle}</Shape>}
        <span>{message}</span>
      </Row>
      {message.includes(place) ? null : (
        <Text tone="soft">
          <PathText path={place} />
        </Text>
      )}
      {lines.length === 0 ? null : (
        <Text as="ul" size="small" className={styles['lines']}>
          {lines.map((line, index) => (
            <Row key={index} as="li" gap={3} wraps>
              {line.number === null ? null : (
                <Text as="span" tone="soft">
                  {previewText.line(line.number)}
                </Text>
              )}
              <div className={styles['change']}>
                {line.before === null ? null : (
                  <del className={styles['before']}>
                    <Masked line={line.before} />
                  </del>
                )}
                {line.after === null ? null : (
                  <ins className={styles['after']}>
                    <Masked line={line.after} />
                  </ins>
                )}
              </div>
            </Row>
          ))}
        </Text>
      )}
    </>
  );
}

/** A line with its dots heard as what they are. */
function Masked({ line }: { line: string }) {
  return line.split(maskedValue).map((part, place) => (
    <span key={place}>
      {place === 0 ? null : (
        <span role="img" aria-label={previewText.masked}>
          {maskedValue}
        </span>
      )}
      {part}
    </span>
  ));
}
