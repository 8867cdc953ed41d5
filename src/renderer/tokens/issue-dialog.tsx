import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { IssuedToken as Issued } from '../../contract/token.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { SecretValue } from '../kit/secret-value.tsx';
import { TextField } from '../kit/text-field.tsx';
import styles from './issue-dialog.module.css';
import { IssueForm } from './issue-form.tsx';
import { credentialNameError } from './token-draft.ts';
import { type Keeping, useIssue } from './use-issue.ts';

/**
 * Issues a token: the form, and then its value, which is shown this once.
 *
 * It does not close in passing: not while a token is being issued, and not before the value was copied or is kept fresh.
 * Whoever insists, by asking a second time, may.
 */
export function IssueDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const { state, issue, keepFresh } = useIssue();
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);

  const isValueAtRisk = state.step === 'issued' && !isCopied && state.keeping.kind !== 'kept';

  function mayClose(): boolean {
    if (state.step === 'asking') return false;
    if (!isValueAtRisk || isWarned) return true;
    setIsWarned(true);
    return false;
  }
  function close(): void {
    if (mayClose()) ref.current?.close();
  }

  return (
    <Dialog
      ref={ref}
      title={state.step === 'issued' ? 'Token issued' : 'Issue a token'}
      mayClose={mayClose}
      onClose={onClose}
    >
      {state.step === 'issued' ? (
        <IssuedToken
          token={state.token}
          keeping={state.keeping}
          isWarned={isWarned && isValueAtRisk}
          onCopied={() => setIsCopied(true)}
          onKeepFresh={(name) => void keepFresh(state.token, name)}
          onClose={close}
        />
      ) : (
        <IssueForm
          isBusy={state.step === 'asking'}
          refusal={state.step === 'draft' ? state : undefined}
          onIssue={(order) => void issue(order)}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

/** The value of a new token, the one time that it is shown, and whether it is kept fresh. */
function IssuedToken({
  token,
  keeping,
  isWarned,
  onCopied,
  onKeepFresh,
  onClose,
}: {
  token: Issued;
  keeping: Keeping;
  /** Whether closing was asked for although the value would be lost. */
  isWarned: boolean;
  onCopied: () => void;
  onKeepFresh: (name: string) => void;
  onClose: () => void;
}) {
  const copyRef = useRef<HTMLButtonElement>(null);
  useEffect(() => copyRef.current?.focus(), []);

  return (
    <div className={styles['issued']}>
      <p role="status">
        <strong>{token.name}</strong> works until <Moment at={token.expires_at} />. This is the only time that
        its value is shown: the service keeps a fingerprint of it, not the value.
      </p>
      <SecretValue value={token.access_token} what="the token" copyRef={copyRef} onCopied={onCopied} />
      <KeepingState keeping={keeping} onKeepFresh={onKeepFresh} />
      <DialogButtons>
        <FormRefusal
          reason={
            isWarned
              ? 'The value has not been copied and is not kept fresh. Close once more and it is gone; a new token can be issued at any time.'
              : undefined
          }
        />
        <Button onPress={onClose}>Close</Button>
      </DialogButtons>
    </div>
  );
}

/** Whether the new token is kept fresh; when that was refused, why, and a way to try again. */
function KeepingState({ keeping, onKeepFresh }: { keeping: Keeping; onKeepFresh: (name: string) => void }) {
  const commandLine = useCommandLine();
  switch (keeping.kind) {
    case 'not-asked':
      return null;
    case 'asking':
      return (
        <p className={styles['asking']} role="status">
          Putting it into the keychain …
        </p>
      );
    case 'kept': {
      const { name, next_rotation_at: next } = keeping.credential;
      return (
        <div className={styles['kept']}>
          <p className={styles['sign']} role="status">
            <Icon name="tick" />
            <span>
              Kept fresh as <strong>{name}</strong>
              {next === null ? null : (
                <>
                  ; it is replaced on <Moment at={next} />
                </>
              )}
              .
            </span>
          </p>
          {commandLine === null ? null : (
            <CommandLine line={`${commandLine} get ${name}`} what="the command that gets its current value" />
          )}
        </div>
      );
    }
    case 'refused':
      return <TryAgain key={keeping.name} {...keeping} onKeepFresh={onKeepFresh} />;
  }
}

function TryAgain({
  name: refusedName,
  reason,
  onKeepFresh,
}: {
  name: string;
  reason: string;
  onKeepFresh: (name: string) => void;
}) {
  const [name, setName] = useState(refusedName);
  const error = credentialNameError(name);

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (error === undefined) onKeepFresh(name);
  }
  return (
    <form className={styles['again']} noValidate onSubmit={submit}>
      <FormRefusal reason={`It is not kept fresh. ${reason}`} />
      <div className={styles['row']}>
        <TextField
          label="Credential name"
          face="code"
          value={name}
          error={error}
          isRequired
          onChange={setName}
        />
        <SubmitButton isBusy={false}>Try again</SubmitButton>
      </div>
    </form>
  );
}
