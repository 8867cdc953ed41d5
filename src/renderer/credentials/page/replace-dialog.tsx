import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { ReplaceValue } from '../../../contract/credential/credential.ts';
import { endsReplaced } from '../../../providers/catalogue.ts';
import { replaceTokenText, secondTokenText } from '../../../text/credential/add-credential.ts';
import { serviceText } from '../../../text/credential/credentials.ts';
import { secretKind } from '../../../text/credential/providers.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Form, refuseForm, useSchemaForm } from '../../kit/form.tsx';
import { useKnownCredential, useStoreName } from '../read-credentials.ts';
import { ExpiryFields, SecretField } from '../token-fields.tsx';

/** Stores a token that a person enters: instead of the current one, or as a second one beside it. */
export function ReplaceDialog({
  one,
  isSecond = false,
  onClose,
}: {
  one: CredentialView;
  isSecond?: boolean;
  onClose: () => void;
}) {
  const kind = secretKind(one.provider.id);
  const secret = kind === null ? null : replaceTokenText.secret(kind);
  const text = isSecond ? secondTokenText : { ...replaceTokenText, ...secret };
  const ref = useRef<HTMLDialogElement>(null);
  const form = useSchemaForm<z.input<typeof ReplaceValue>, ReplaceValue>(ReplaceValue, { value: '' });
  const show = useKnownCredential();
  const vault = useStoreName();
  const [hasExpiry, setHasExpiry] = useState(false);
  const { errors, isSubmitting } = form.formState;
  useEffect(() => form.setFocus('value'), [form]);

  async function replace(body: ReplaceValue): Promise<void> {
    const replaced = await askPortal(isSecond ? 'setStandbyToken' : 'replaceCredentialValue', {
      params: { name: one.name },
      body,
    });
    if (replaced.kind === 'ok') {
      show(replaced.value);
      ref.current?.close();
      return;
    }
    refuseForm(form, ['value', 'expires_at', 'validity_days'], replaced, 'token_replaced');
    const isUnknown = replaced.kind === 'refused' && replaced.code === 'other_service_failed';
    if (isUnknown || form.getFieldState('expires_at').invalid) setHasExpiry(true);
  }
  return (
    <Dialog ref={ref} title={text.title(one.name)} mayClose={() => !isSubmitting} onClose={onClose}>
      <Form form={form} onSend={replace}>
        <p>{endsReplaced(one.provider) ? replaceTokenText.leadRevoked(vault) : text.lead(vault)}</p>
        <SecretField
          {...text.token}
          {...(secret === null ? {} : { label: secret.label })}
          hint={text.token.hint(serviceText(one))}
        />
        {secret === null ? <ExpiryFields isOn={hasExpiry} onChange={setHasExpiry} /> : null}
        <DialogButtons>
          <FormRefusal reason={errors.root?.message} />
          <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
          <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.replacing : text.replace}</SubmitButton>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
