import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import type { VerificationState } from './use-verification.ts';
import styles from './verification-sentence.module.css';

/** That the journal is being checked, or how far it was found to be as it was written. */
export function VerificationSentence({ state }: { state: VerificationState }) {
  return (
    <div role="status" className={styles['status']}>
      {state.kind === 'checking' ? <p className={styles['sentence']}>Checking every event …</p> : null}
      {state.kind === 'checked' && state.found.status === 'intact' ? (
        <p className={styles['sentence']}>
          <span className={styles['shield']}>
            <Icon name="shield" />
          </span>
          <span>
            Every event up to {state.found.verified_to.toLocaleString()} verified, each hash and each link of
            the chain, in {fileWords(state.found.segments)}. Checked at <Moment at={state.at} />.
          </span>
        </p>
      ) : null}
    </div>
  );
}

function fileWords(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString()} files`;
}
