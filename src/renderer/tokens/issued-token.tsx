import { useEffect, useRef } from 'react';

import type { IssuedToken as Issued } from '../../contract/token.ts';
import { Button } from '../kit/button.tsx';
import { DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Moment } from '../kit/moment.tsx';
import { SecretValue } from '../kit/secret-value.tsx';
import styles from './issued-token.module.css';
import { KeepingState } from './keeping-state.tsx';
import type { Keeping } from './use-issue.ts';

/** The value of a new token, the one time that it is shown, and whether it is kept fresh. */
export function IssuedToken({
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
