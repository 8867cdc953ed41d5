import { useRef, useState } from 'react';

import { Dialog } from '../kit/dialog.tsx';
import { IssueForm } from './issue-form.tsx';
import { IssuedToken } from './issued-token.tsx';
import { useIssue } from './use-issue.ts';

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
