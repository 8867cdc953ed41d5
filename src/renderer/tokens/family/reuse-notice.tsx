import type { TokenFamilyView } from '../../../contract/token-family.ts';
import { credentialPath, historyPath } from '../../kit/address.ts';
import { Link } from '../../kit/link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import styles from './family.module.css';
import { generationOf } from './generation-of.ts';

/** The alarm that a replaced token is still used: by whom, what it means and what to do. Nothing while nobody does. */
export function ReuseNotice({
  family: { id, last_reuse: reuse, kept_fresh_by },
}: {
  family: TokenFamilyView;
}) {
  if (reuse === null) return null;
  const { address, user_agent, token_id, successor_id, at } = reuse;
  const who = user_agent === null ? address : `${address} (${user_agent})`;
  return (
    <Notice tone="warn" title={`Still used after supersession by ${who}.`}>
      <p>
        Generation {generationOf(token_id)} was refused with 401, last <Moment at={at} />
        {successor_id === null ? null : <>: generation {generationOf(successor_id)} has replaced it</>}. The
        program there has not got the new value, or somebody has a copy of the old one. The old one opens
        nothing.
      </p>
      <p>
        {kept_fresh_by === null ? (
          'Give that program the value of the present generation, which whoever rotated it has.'
        ) : (
          <>
            Bring that program the present value: add it as a delivery target of{' '}
            <Link to={credentialPath(kept_fresh_by)} className={styles['link']}>
              {kept_fresh_by}
            </Link>
            .
          </>
        )}{' '}
        If you do not know who that is, blacklist the token and issue another one.
      </p>
      <p>
        <Link to={`${historyPath(id)}&kind=token.reused`} className={styles['link']}>
          Every use after supersession
        </Link>
      </p>
    </Notice>
  );
}
