import { type ReactNode, useState } from 'react';
import { Row, Stack } from '../kit/layout.tsx';
import { readPasted } from '../../contract/credential/pasted-token.ts';
import { tokenFieldsText } from '../../text/credential/add-credential.ts';
import { Button } from '../kit/button.tsx';
import buttonStyles from '../kit/button.module.css';
import { Field } from '../kit/field.tsx';
import { FieldPair, FormText, readNumber, useFormField } from '../kit/form.tsx';
import inputStyles from '../kit/input.module.css';
import { Tick } from '../kit/choice.tsx';
import styles from './credentials.module.css';

/** A field for a token: masked until a press shows it. What is pasted is in no state of the page. */
export function SecretField({
  label,
  subject,
  hint,
  name = 'value',
  isRequired = true,
  missing,
}: {
  label: string;
  subject: string;
  hint: string;
  name?: string;
  isRequired?: boolean;
  /** Said where nothing was entered. */
  missing?: string;
}) {
  const [isShown, setShown] = useState(false);
  // An optional one that is left empty is not sent.
  const { error, input, read, write } = useFormField(
    name,
    subject,
    isRequired ? undefined : (typed) => (typed === '' ? undefined : typed),
    missing,
  );
  const typed = error === undefined ? null : read();
  const { mistakes, token: alone } = readPasted(typeof typed === 'string' ? typed : '');
  return (
    <Stack gap={2}>
      <Field label={label} hint={hint} error={error}>
        {(tied) => (
          <Row gap={2}>
            <input
              {...tied}
              {...input}
              type={isShown ? 'text' : 'password'}
              className={inputStyles['input']}
              data-face="code"
              aria-required={isRequired}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
            <button
              type="button"
              className={`${buttonStyles['button']} ${styles['show']}`}
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? tokenFieldsText.hide : tokenFieldsText.show}
            </button>
          </Row>
        )}
      </Field>
      {mistakes.length === 0 || alone === null ? null : (
        <Row gap={2}>
          <Button onPress={() => write(alone)}>{tokenFieldsText.takeToken}</Button>
        </Row>
      )}
    </Stack>
  );
}

/** When a token expires, where its service does not say: on a day, or so many days from now. */
export function ExpiryFields({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <OptionalFields {...tokenFieldsText.hasExpiry} isOn={isOn} onChange={onChange}>
      <FieldPair>
        <FormText name="expires_at" text={tokenFieldsText.expiry} type="datetime-local" read={readInstant} />
        <FormText
          name="validity_days"
          text={tokenFieldsText.validity}
          inputMode="numeric"
          read={readNumber}
        />
      </FieldPair>
    </OptionalFields>
  );
}

/** The instant that a clock on the wall shows; what is no day is left for the schema to refuse. */
function readInstant(local: string): string | undefined {
  if (local === '') return undefined;
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}

/** Fields that a tick shows. */
export function OptionalFields({
  label,
  hint,
  isOn,
  onChange,
  children,
}: {
  label: string;
  hint: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Stack gap={4}>
      <Tick label={label} hint={hint} isOn={isOn} onChange={onChange} />
      {isOn ? <div className={styles['inset']}>{children}</div> : null}
    </Stack>
  );
}
