import type { PublishReply } from '../../../../contract/ivr-draft.ts';
import { countWords } from '../../../kit/count-words.ts';
import { ServiceWords } from '../../../kit/service-words.tsx';
import { drawings, Shape } from '../../../kit/shape.tsx';
import styles from './publish-dialog.module.css';

/** What became of it; where it failed, what is stored there already. The drawing is safe in any case. */
export function PublishOutcome({ reply: { outcome, message, version, exchanges } }: { reply: PublishReply }) {
  const stored = exchanges.filter(
    ({ method, status }) => method !== 'GET' && status !== null && status < 300,
  ).length;
  return (
    <div role="status" className={styles['outcome']} data-outcome={outcome}>
      <Shape tone={outcome === 'published' ? 'good' : 'bad'}>
        {outcome === 'published' ? drawings.disc : drawings.cross}
      </Shape>
      <div>
        <p>
          <ServiceWords said={message} />
        </p>
        {outcome === 'published' ? (
          <p className={styles['note']}>
            {version === null
              ? ''
              : `It is kept as version ${version}: compare it or go back to it any time.`}
          </p>
        ) : (
          <p className={styles['note']}>
            {stored === 0
              ? 'Nothing was stored there this time.'
              : `${countWords(stored, 'request')} of this try went through; trying again goes on from there.`}{' '}
            The drawing is saved here and unchanged.
          </p>
        )}
      </div>
    </div>
  );
}
