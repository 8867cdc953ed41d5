import { useEffect, useRef } from 'react';

import type { CredentialView } from '../../../contract/credential-view.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Tick } from '../../kit/tick.tsx';
import { ConnectionWords } from '../connection-words.tsx';
import { SecretField } from '../secret-field.tsx';
import { useVaultWord } from '../use-vault-word.ts';
import styles from './add-form.module.css';
import { AddOptions } from './add-options.tsx';
import { useAddForm } from './use-add-form.ts';

const places = [
  { value: 'here', label: 'This service' },
  { value: 'elsewhere', label: 'Another service' },
] as const;

/** The token that is to be kept fresh, under which name, and where it is from. */
export function AddForm({
  onBusy,
  onAdded,
  onCancel,
}: {
  onBusy: (isBusy: boolean) => void;
  onAdded: (added: CredentialView) => void;
  onCancel: () => void;
}) {
  const formRef = useRef<HTMLFormElement>(null);
  const valueRef = useRef<HTMLInputElement>(null);
  const form = useAddForm({ formRef, valueRef, onAdded });
  const vault = useVaultWord();
  const nameRef = useRef<HTMLInputElement>(null);
  const { draft, errors, busy } = form;

  useEffect(() => nameRef.current?.focus(), []);
  useEffect(() => onBusy(busy === 'add'), [busy, onBusy]);

  return (
    <form ref={formRef} className={styles['form']} noValidate onSubmit={(event) => void form.submit(event)}>
      <TextField
        ref={nameRef}
        label="Name"
        hint="How you will call it: in commands and in this window."
        face="code"
        value={draft.name}
        error={errors.name}
        isRequired
        onChange={(name) => form.change({ name })}
        onLeave={() => form.judge('name', draft.name)}
      />
      <SecretField
        ref={valueRef}
        label="Token"
        hint={`Paste it. It goes into this machine’s ${vault} and is shown nowhere again.`}
        error={errors.value}
        onEdit={form.editValue}
        onLeave={form.judgeValue}
      />
      <FieldGroup legend="Where it is from">
        <Choice options={places} value={draft.where} onChange={(where) => form.change({ where })} />
        {draft.where === 'here' ? null : (
          <div className={styles['address']}>
            <TextField
              label="Address of the service"
              hint="Such as https://api.example.com; what comes before /v1."
              face="code"
              inputMode="url"
              value={draft.baseUrl}
              error={errors.base_url}
              isRequired
              onChange={(baseUrl) => form.change({ baseUrl })}
              onLeave={() => form.judge('base_url', draft.baseUrl)}
            />
          </div>
        )}
      </FieldGroup>
      <div className={styles['test']}>
        <ActionButton isBusy={busy === 'test'} onPress={() => void form.testIt()}>
          {busy === 'test' ? 'Asking the service …' : 'Test connection'}
        </ActionButton>
        <ConnectionWords test={form.test} />
      </div>
      {form.offersReminder ? (
        <Tick
          label="Only remind me before it expires"
          hint="Its service cannot rotate it. Rotavox reminds you with 20, 10 and 2 % of its life left."
          isOn={draft.remindOnly}
          onChange={(remindOnly) => form.change({ remindOnly })}
        />
      ) : null}
      <AddOptions draft={draft} errors={errors} onChange={form.change} />
      <DialogButtons>
        <FormRefusal reason={form.reason} />
        <Button onPress={onCancel}>Cancel</Button>
        <SubmitButton isBusy={busy === 'add'}>
          {busy === 'add' ? 'Keeping it …' : draft.remindOnly ? 'Add reminder' : 'Keep it fresh'}
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
