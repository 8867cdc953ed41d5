import type { Verification } from '../../contract/portal.ts';
import { Notice } from '../kit/notice.tsx';
import { PathText } from '../kit/path-text.tsx';
import type { VerificationState } from './use-verification.ts';

/** That the journal is not as it was written, where, and what to do; or why it could not be checked. */
export function VerificationNotice({ state }: { state: VerificationState }) {
  if (state.kind === 'failed') {
    return (
      <Notice tone="warn" title="The journal could not be checked.">
        <p>{state.why}</p>
      </Notice>
    );
  }
  if (state.kind !== 'checked' || state.found.status !== 'damaged') return null;
  return <Damage found={state.found} />;
}

function Damage({ found }: { found: Extract<Verification, { status: 'damaged' }> }) {
  const { file, line, reason, verified_to: verifiedTo } = found;
  return (
    <Notice tone="bad" title="The journal is damaged: it is not as it was written.">
      <p>
        <code>
          <PathText path={file} />
        </code>
        , line {line.toLocaleString()}: {reason}.
      </p>
      <p>
        {verifiedTo === 0
          ? 'No event before that is left to rely on.'
          : `Every event up to ${verifiedTo.toLocaleString()} is intact; what comes after it cannot be relied on.`}
      </p>
      <p>
        Stop Rotavox and put that file back from a backup of the data folder; a copy from any later day fits.
        It does not start again with a damaged file.
      </p>
    </Notice>
  );
}
