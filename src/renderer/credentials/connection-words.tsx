import type { ConnectionOutcome, ConnectionTest } from '../../contract/credential-checks.ts';
import { Icon } from '../kit/icon.tsx';
import styles from './connection-words.module.css';
import { ExactMoment } from '../kit/moment.tsx';
import { ServiceWords } from '../kit/service-words.tsx';

const titles: Record<ConnectionOutcome, string> = {
  works: 'It works.',
  refused: 'It is refused.',
  unreachable: 'The service could not be asked.',
  unknown: 'The service does not tell.',
  busy: 'Not asked now.',
};

function iconOf({ outcome, rotation }: ConnectionTest): 'tick' | 'cross' | 'alert' {
  if (outcome === 'refused') return 'cross';
  return outcome === 'works' && rotation?.outcome !== 'cannot_rotate' ? 'tick' : 'alert';
}

/** What came of asking a service about a value, in words; read out when it comes. */
export function ConnectionWords({ test }: { test: ConnectionTest | null }) {
  return (
    <div role="status">
      {test === null ? null : (
        <div className={styles['test']} data-outcome={test.outcome}>
          <Icon name={iconOf(test)} />
          <div>
            <p className={styles['title']}>
              {titles[test.outcome]}
              {test.rotation?.outcome === 'cannot_rotate' ? ' It cannot be rotated.' : null}
            </p>
            {/* The facts below say the same, in the person's own zone. */}
            {test.outcome === 'works' && test.token !== null ? null : (
              <p>
                <ServiceWords said={test.message} />
              </p>
            )}
            {test.token === null ? null : (
              <p className={styles['soft']}>
                {[test.token.name, test.token.status].filter((word) => word !== null).join(', ')}
                {test.token.name === null && test.token.status === null ? 'Ends ' : ', ends '}
                <ExactMoment at={test.token.expires_at} />
              </p>
            )}
            {test.rotation === undefined ? null : (
              <p className={test.rotation.outcome === 'can_rotate' ? styles['soft'] : undefined}>
                {test.rotation.message}
              </p>
            )}
            <p className={styles['soft']}>
              <ExactMoment at={test.checked_at} />, answered in {test.took_ms} ms
            </p>
          </div>
        </div>
      )}
    </div>
  );
}
