import type { CredentialView } from '../../../contract/credential-view.ts';
import { familyPath } from '../../kit/address.ts';
import { Link } from '../../kit/link.tsx';
import { Notice } from '../../kit/notice.tsx';
import { ExactMoment } from '../exact-moment.tsx';
import styles from './still-used-notice.module.css';

/** The alarm: somebody uses a value that was replaced. Nothing while nobody does. */
export function StillUsedNotice({ one: { still_used: used, family_id: familyId } }: { one: CredentialView }) {
  if (used === null) return null;
  return (
    <Notice tone="warn" title="A value that was replaced is still used.">
      <p>
        <code>{used.token_id}</code> was refused <ExactMoment at={used.at} />, asked from{' '}
        <code>{used.address}</code>
        {used.user_agent === null ? null : (
          <>
            {' '}
            by <code>{used.user_agent}</code>
          </>
        )}
        . Bring the new value to that program: add a delivery target for it, or have it read the value each
        time.
      </p>
      {familyId === null ? null : (
        <p>
          <Link to={familyPath(familyId)} className={styles['link']}>
            See the token family
          </Link>
        </p>
      )}
    </Notice>
  );
}
