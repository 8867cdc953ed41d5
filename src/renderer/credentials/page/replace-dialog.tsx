import { type SyntheticEvent, useEffect, useRef, useState } from 'react';

import type { CredentialView } from '../../../contract/credential-view.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Tick } from '../../kit/tick.tsx';
import { noLife, readLife } from '../life-draft.ts';
import { afterPress } from '../../kit/after-press.ts';
import { LifeFields } from '../life-fields.tsx';
import { SecretField, secretError } from '../secret-field.tsx';
import { useVaultWord } from '../use-vault-word.ts';
import { hostOf } from '../ways-out.ts';
import styles from './replace-dialog.module.css';
import { useReplace } from './use-replace.ts';

/** Takes a value that a person brings in the place of the present one. */
export function ReplaceDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const valueRef = useRef<HTMLInputElement>(null);
  const replacing = useReplace(one.name);
  const vault = useVaultWord();
  const [valueError, setValueError] = useState<string>();
  const [life, setLife] = useState(noLife);
  const [saysLife, setSaysLife] = useState(false);
  const { isBusy, refusal } = replacing;
  const needsLife = refusal?.needsLife === true;
  const errors = saysLife || needsLife ? readLife(life).errors : {};

  useEffect(() => valueRef.current?.focus(), []);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const field = valueRef.current;
    if (field === null) return;
    const wrong = secretError(field.value);
    setValueError(wrong);
    if (wrong !== undefined) field.focus();
    if (wrong !== undefined || Object.keys(errors).length > 0) return;
    const isReplaced = await replacing.replace({
      value: field.value,
      ...(saysLife || needsLife ? readLife(life).life : {}),
    });
    if (!isReplaced) return;
    field.value = '';
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={`Bring a new value for ${one.name}`} mayClose={() => !isBusy} onClose={onClose}>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <p>
          It takes the place of the present one in the {vault} and is delivered wherever that was. The present
          one is not revoked: it works until its end, if it works at all.
        </p>
        <SecretField
          ref={valueRef}
          label="Token"
          hint={`Of ${one.service === 'embedded' ? 'this service' : hostOf(one.base_url)}. It is shown nowhere again.`}
          error={valueError ?? refusal?.valueError}
          onEdit={() => {
            replacing.forget();
            if (valueError !== undefined) setValueError(secretError(valueRef.current?.value ?? ''));
          }}
          onLeave={() => {
            const text = valueRef.current?.value ?? '';
            if (text !== '') afterPress(() => setValueError(secretError(text)));
          }}
        />
        <Tick
          label="Say when it ends"
          hint="Only needed where its service does not tell."
          isOn={saysLife || needsLife}
          onChange={setSaysLife}
        />
        {saysLife || needsLife ? (
          <LifeFields draft={life} errors={{ expires_at: refusal?.endError, ...errors }} onChange={setLife} />
        ) : null}
        <DialogButtons>
          <FormRefusal reason={refusal?.reason} />
          <Button onPress={() => ref.current?.close()}>Cancel</Button>
          <SubmitButton isBusy={isBusy}>{isBusy ? 'Replacing it …' : 'Replace it'}</SubmitButton>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
