import { useEffect, useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { defaultSettings } from '../../../contract/settings.ts';
import { defaultPolicyOf } from '../../../core/settings.ts';
import { credentialPath } from '../../kit/address.ts';
import { ActionButton, Button, SubmitButton } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { goInstead } from '../../kit/navigation.ts';
import { TextField } from '../../kit/text-field.tsx';
import { Tick } from '../../kit/tick.tsx';
import { presentSettings } from '../../settings/use-settings.ts';
import { ConnectionWords } from '../connection-words.tsx';
import { LifeFields, noLife } from '../life-fields.tsx';
import { draftOf, PolicyFields } from '../policy-fields.tsx';
import { policyText } from '../../../text/credentials.ts';
import { useVaultWord } from '../read-credentials.ts';
import { SecretField } from '../secret-field.tsx';
import type { AddDraft, AddErrors } from './add-draft.ts';
import styles from './add-form.module.css';
import { useAddForm } from './use-add-form.ts';

/** Has a token that a person brings kept fresh, and then shows its page, where the next steps are. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog ref={ref} title="Keep a token fresh" mayClose={() => !isBusy} onClose={onClose}>
      <AddForm
        onBusy={setBusy}
        onAdded={({ name }) => goInstead(`${credentialPath(name)}?new=1`)}
        onCancel={() => {
          if (!isBusy) ref.current?.close();
        }}
      />
    </Dialog>
  );
}

/** What need not be said: when the token ends, and when it is replaced. */
function AddOptions({
  draft,
  errors,
  onChange,
}: {
  draft: AddDraft;
  errors: AddErrors;
  onChange: (changes: Partial<AddDraft>) => void;
}) {
  const settings = useLive(presentSettings).known?.value ?? defaultSettings;
  const usual = defaultPolicyOf(settings);
  const needsLife = errors.expires_at !== undefined && draft.life === null;
  return (
    <>
      <div className={styles['option']}>
        <Tick
          label="Say when it ends"
          hint="Only needed where its service does not tell; the service’s own word counts more."
          isOn={draft.life !== null || needsLife}
          onChange={(isOn) => onChange({ life: isOn ? noLife : null })}
        />
        {draft.life !== null || needsLife ? (
          <div className={styles['inset']}>
            <LifeFields
              draft={draft.life ?? noLife}
              errors={errors}
              onChange={(life) => onChange({ life })}
            />
          </div>
        ) : null}
      </div>
      <div className={styles['option']}>
        <Tick
          label="Choose when it is replaced"
          hint={`Otherwise the default applies: ${policyText(usual)}. You can change it later.`}
          isOn={draft.policy !== null}
          onChange={(isOn) => onChange({ policy: isOn ? draftOf(usual) : null })}
        />
        {draft.policy === null ? null : (
          <div className={styles['inset']}>
            <PolicyFields
              draft={draft.policy}
              error={errors.policy}
              meaning="A little earlier or later, so that tokens that were added together are not replaced together."
              onChange={(policy) => onChange({ policy })}
            />
          </div>
        )}
      </div>
    </>
  );
}

const places = [
  { value: 'here', label: 'This service' },
  { value: 'elsewhere', label: 'Another service' },
] as const;

/** The token that is to be kept fresh, under which name, and where it is from. */
function AddForm({
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
