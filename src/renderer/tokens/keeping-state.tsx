import { type SyntheticEvent, useState } from 'react';

import { SubmitButton } from '../kit/button.tsx';
import { CommandLine } from '../kit/command-line.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { TextField } from '../kit/text-field.tsx';
import { useCommandLine } from '../kit/use-command-line.ts';
import styles from './keeping-state.module.css';
import { credentialNameError } from './token-draft.ts';
import type { Keeping } from './use-issue.ts';

/** Whether the new token is kept fresh; when that was refused, why, and a way to try again. */
export function KeepingState({
  keeping,
  onKeepFresh,
}: {
  keeping: Keeping;
  onKeepFresh: (name: string) => void;
}) {
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
