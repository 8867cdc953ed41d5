import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { problemText } from '../../text/window/connection.ts';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { IssuedToken as Issued } from '../../contract/token/token.ts';
import { issuedTokenText, issueTokenText as text } from '../../text/token/issue-token-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { useCommandLine } from '../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { FieldPair, Form, FormText, refuseField, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { SecretValue } from '../kit/secret-value.tsx';
import { Tick } from '../kit/choice.tsx';
import { copyText } from '../kit/clipboard.ts';
import { credentialNameOf } from '../credentials/credential-name.ts';
import { useStoreName, vault } from '../credentials/read-credentials.ts';
import { useLive } from '../kit/live/use-live.ts';
import styles from './issue-dialog.module.css';
import {
  AddressesField,
  CategoryField,
  type IssueDraft,
  IssueForm,
  RetryForm,
  ScopesField,
  ValidityField,
} from './issue-fields.tsx';
import { Box } from '../kit/box.tsx';

const fields = ['name', 'category', 'validity_days', 'scopes', 'ip_restrictions', 'credential_name'] as const;

/** Whether the issued token is rotated automatically. */
type Adding =
  | { readonly kind: 'not-asked' | 'asking' }
  | { readonly kind: 'added'; readonly credential: CredentialView }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string };

/**
 * Issues a token: the form, and then the token, which is shown this once.
 *
 * It does not close while a token is being issued, nor before the token was copied or added as a credential, unless it is
 * closed a second time.
 */
export function IssueDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const form = useSchemaForm<IssueDraft, z.output<typeof IssueForm>>(
    IssueForm,
    // With a name for its credential: unless a person chooses otherwise it is rotated automatically.
    {
      name: '',
      validity_days: 7,
      access: 'full',
      scopes: [],
      ip_restrictions: [],
      credential_name: '',
    },
    false,
  );
  const [token, setToken] = useState<Issued>();
  const [adding, setAdding] = useState<Adding>({ kind: 'not-asked' });
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const isAtRisk = token !== undefined && !isCopied && adding.kind !== 'added';
  const { errors, isSubmitting } = form.formState;
  useEffect(() => form.setFocus('name'), [form]);

  function mayClose(): boolean {
    if (token === undefined) return !isSubmitting;
    if (!isAtRisk || isWarned) return true;
    setIsWarned(true);
    return false;
  }
  function close(): void {
    if (mayClose()) ref.current?.close();
  }
  /** Issues it; a name that is taken is found out before, so that no token is issued in vain. */
  async function issue({
    credential_name: name,
    access,
    scopes,
    ...body
  }: z.output<typeof IssueForm>): Promise<void> {
    if (name !== undefined) {
      const found = await askPortal('readCredential', { params: { name } });
      if (found.kind === 'ok') return refuseField(form, 'credential_name', text.credentialName.taken(name));
      if (found.kind !== 'refused' || found.code !== 'not_found') return refuseForm(form, [], found);
    }
    const issued = await askPortal('issueToken', {
      body: { ...body, scopes: access === 'full' ? [] : scopes },
    });
    if (issued.kind !== 'ok') return refuseForm(form, fields, issued, 'token_issued');
    setToken(issued.value);
    if (name !== undefined) await add(issued.value, name);
  }
  /** The token is shown before: the keychain may first ask the person. */
  async function add({ access_token: value }: Issued, name: string): Promise<void> {
    setAdding({ kind: 'asking' });
    const added = await askPortal('addCredential', { body: { name, value } });
    setAdding(
      added.kind === 'ok'
        ? { kind: 'added', credential: added.value }
        : { kind: 'refused', name, reason: problemText(added, 'credential_added') },
    );
  }

  return (
    <Dialog
      ref={ref}
      title={token === undefined ? text.title : text.issuedTitle}
      mayClose={mayClose}
      onClose={onClose}
    >
      {token === undefined ? (
        <Form form={form} onSend={issue}>
          <FieldPair>
            <FormText name="name" text={text.name} isRequired />
            <CategoryField />
          </FieldPair>
          <CredentialFields />
          <ValidityField />
          <ScopesField />
          <AddressesField />
          <DialogButtons>
            <FormRefusal reason={errors.root?.message} />
            <Button onPress={close}>{text.cancel}</Button>
            <SubmitButton isBusy={isSubmitting}>{text.issue}</SubmitButton>
          </DialogButtons>
        </Form>
      ) : (
        <IssuedToken
          token={token}
          adding={adding}
          isWarned={isWarned && isAtRisk}
          onCopied={() => setIsCopied(true)}
          onAdd={(name) => void add(token, name)}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

/**
 * Whether Rotavox rotates the token, and under which name; until one is typed, that follows the name of the token.
 *
 * It is on unless the token could not be stored, which is looked at once: later only the person changes it, for a tick that
 * changes by itself may do so while it is pressed.
 */
function CredentialFields() {
  const commandLine = useCommandLine();
  const store = useStoreName();
  const { known, connection } = useLive(vault);
  const trouble = known === undefined || known.value.status === 'ok' ? null : known.value.message;
  const { formState, setValue } = useFormContext<IssueDraft>();
  const [tokenName, name] = useWatch<IssueDraft, ['name', 'credential_name']>({
    name: ['name', 'credential_name'],
  });
  const [isTyped, setTyped] = useState(false);
  const isDecided = useRef(false);
  const isAsking = known === undefined && connection.kind === 'asking';
  const isOn = name !== undefined;
  const { isSubmitted } = formState;

  useEffect(() => {
    const suggested = credentialNameOf(tokenName);
    if (isOn && !isTyped && name !== suggested)
      setValue('credential_name', suggested, { shouldValidate: isSubmitted });
  }, [isOn, isTyped, isSubmitted, name, tokenName, setValue]);
  // In the same step in which the tick can be pressed.
  useLayoutEffect(() => {
    if (isAsking || isDecided.current) return;
    isDecided.current = true;
    if (trouble !== null) setValue('credential_name', undefined);
  }, [isAsking, trouble, setValue]);
  return (
    <Box isSunken>
      <Stack gap={3}>
        <Tick
          label={text.rotate.label}
          hint={trouble === null ? text.rotate.hint(store) : text.rotate.cannotStore(store, trouble)}
          isOn={isOn}
          isDisabled={isAsking}
          onChange={(isNowOn) =>
            setValue('credential_name', isNowOn ? credentialNameOf(tokenName) : undefined)
          }
        />
        {isOn ? (
          <div className={styles['name']} onChange={() => setTyped(true)}>
            <FormText
              name="credential_name"
              text={{
                ...text.credentialName,
                hint:
                  commandLine === null ? (
                    text.credentialName.hint
                  ) : (
                    <RichText
                      text={text.credentialName.hintCommand}
                      parts={{
                        command: (
                          <code>
                            {commandLine} get {name || text.credentialName.placeholder}
                          </code>
                        ),
                      }}
                    />
                  ),
              }}
              face="code"
              isRequired
            />
          </div>
        ) : null}
      </Stack>
    </Box>
  );
}

/** The new token, and whether it is rotated automatically: then it can be copied later, too. */
function IssuedToken({
  token,
  adding,
  isWarned,
  onCopied,
  onAdd,
  onClose,
}: {
  token: Issued;
  adding: Adding;
  /** Whether it was closed although the token would be lost. */
  isWarned: boolean;
  onCopied: () => void;
  onAdd: (name: string) => void;
  onClose: () => void;
}) {
  const copyRef = useRef<HTMLButtonElement>(null);
  const store = useStoreName();
  const isNowhereElse = adding.kind === 'not-asked' || adding.kind === 'refused';
  useEffect(() => copyRef.current?.focus(), []);

  return (
    <Stack gap={4}>
      <p role="status">
        <RichText
          text={issuedTokenText.issued}
          parts={{ name: <strong>{token.name}</strong>, expires: <Moment at={token.expires_at} /> }}
        />
        {isNowhereElse ? ` ${issuedTokenText.shownOnce}` : null}
      </p>
      {adding.kind === 'added' ? <Added credential={adding.credential} copyTokenRef={copyRef} /> : null}
      <SecretValue
        rank={adding.kind === 'added' ? 'plain' : 'main'}
        value={token.access_token}
        what={issuedTokenText.token}
        copyRef={copyRef}
        onCopied={onCopied}
      />
      {adding.kind === 'asking' ? (
        <Text tone="soft" role="status">
          {issuedTokenText.storing(store)}
        </Text>
      ) : null}
      {adding.kind === 'refused' ? <TryAgain key={adding.name} {...adding} onAdd={onAdd} /> : null}
      <DialogButtons>
        <FormRefusal reason={isWarned ? issuedTokenText.notSaved : undefined} />
        <Button onPress={onClose}>{issuedTokenText.close}</Button>
      </DialogButtons>
    </Stack>
  );
}

const copyingTexts = { copied: issuedTokenText.commandCopied, refused: issuedTokenText.commandRefused };

/** That it is rotated, and the command that programs read it with: the token itself ends with its first rotation. */
function Added({
  credential: { name, next_rotation_at: next },
  copyTokenRef,
}: {
  credential: CredentialView;
  /** Has the focus until there is something better to copy. */
  copyTokenRef: RefObject<HTMLButtonElement | null>;
}) {
  const commandLine = useCommandLine();
  const [copying, setCopying] = useState<'copied' | 'refused' | null>(null);
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === copyTokenRef.current) ref.current?.focus();
  }, [copyTokenRef]);
  const command = commandLine === null ? null : `${commandLine} get ${name}`;
  return (
    <Stack gap={3}>
      <p role="status">
        <Text as="span" tone="good">
          <Icon name="tick" />
        </Text>{' '}
        <RichText
          text={next === null ? issuedTokenText.added : issuedTokenText.addedNext}
          parts={{ name: <strong>{name}</strong>, next: next === null ? null : <Moment at={next} /> }}
        />
      </p>
      {command === null ? null : (
        <>
          <p>{issuedTokenText.readIt}</p>
          <Text breaks>
            <code>{command}</code>
          </Text>
          <Row gap={3} align="center" wraps>
            <Button
              rank="main"
              ref={ref}
              onPress={() =>
                void copyText(command).then(
                  () => setCopying('copied'),
                  () => setCopying('refused'),
                )
              }
            >
              {issuedTokenText.copyCommand}
            </Button>
            <Text as="span" role="status" tone={copying === 'refused' ? 'bad' : 'soft'} size="small">
              {copying === null ? null : copyingTexts[copying]}
            </Text>
          </Row>
        </>
      )}
      <Text tone="soft" size="medium">
        {issuedTokenText.once}
      </Text>
    </Stack>
  );
}

/** Why the token could not be added, and the way to try again under the same name or another. */
function TryAgain({ name, reason, onAdd }: { name: string; reason: string; onAdd: (name: string) => void }) {
  const form = useSchemaForm<z.input<typeof RetryForm>, z.output<typeof RetryForm>>(RetryForm, {
    credential_name: name,
  });
  return (
    <Form form={form} onSend={(values) => onAdd(values.credential_name)}>
      <FormRefusal reason={issuedTokenText.notAdded(reason)} />
      <Row gap={2} wraps align="end" className={styles['again']}>
        <FormText
          name="credential_name"
          text={{ label: text.credentialName.label, subject: text.credentialName.subject }}
          face="code"
          isRequired
        />
        <SubmitButton isBusy={false}>{issuedTokenText.retry}</SubmitButton>
      </Row>
    </Form>
  );
}
