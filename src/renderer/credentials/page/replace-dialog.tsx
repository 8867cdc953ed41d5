import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential-view.ts';
import type { ReplaceValue } from '../../../contract/credential.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { afterPress, FormRefusal } from '../../kit/form-refusal.tsx';
import type { PortalProblem } from '../../kit/portal-reply.ts';
import { problemWords } from '../../kit/problem-words.ts';
import { Tick } from '../../kit/tick.tsx';
import { addErrorsOf } from '../add/add-draft.ts';
import { LifeFields, noLife, readLife } from '../life-fields.tsx';
import { useKnownCredential, useVaultWord } from '../read-credentials.ts';
import { secretError, SecretField } from '../secret-field.tsx';
import { hostOf } from '../../../contract/address.ts';
import styles from './credential-page.module.css';

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

interface Refusal {
  readonly reason: string | undefined;
  readonly valueError: string | undefined;
  readonly endError: string | undefined;
  /** Whether the person has to say when the value ends. */
  readonly needsLife: boolean;
}

/** Has a value take the place of the present one. No value stays here: it is in the one question that needs it. */
function useReplace(name: string) {
  const show = useKnownCredential();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const isAsking = useRef(false);

  /** Answers whether it was replaced. */
  async function replace(body: ReplaceValue): Promise<boolean> {
    if (isAsking.current) return false;
    isAsking.current = true;
    setBusy(true);
    setRefusal(undefined);
    const replaced = await askPortal('replaceCredentialValue', { params: { name }, body });
    isAsking.current = false;
    setBusy(false);
    if (replaced.kind === 'ok') {
      show(replaced.value);
      return true;
    }
    setRefusal(refusalOf(replaced));
    return false;
  }
  return {
    isBusy,
    refusal,
    replace,
    /** What was said of one value says nothing about another. */
    forget: () => setRefusal((now) => now && { ...now, reason: undefined, valueError: undefined }),
  };
}

function refusalOf(problem: PortalProblem): Refusal {
  const reason = problemWords(problem, 'it was replaced');
  const errors = problem.kind === 'refused' ? addErrorsOf(problem.errors ?? []) : {};
  const isAtFields = errors.value !== undefined || errors.expires_at !== undefined;
  return {
    reason: isAtFields ? undefined : reason,
    valueError: errors.value,
    endError: errors.expires_at,
    needsLife:
      errors.expires_at !== undefined ||
      (problem.kind === 'refused' && problem.code === 'other_service_failed'),
  };
}
