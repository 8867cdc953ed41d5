import type { ConnectionOutcome, ConnectionTest } from '../../contract/credential-checks.ts';
import { Icon } from '../kit/icon.tsx';
import styles from './connection-words.module.css';
import { ExactMoment } from './exact-moment.tsx';
import { ServiceWords } from '../kit/service-words.tsx';

const titles: Record<ConnectionOutcome, string> = {
  works: 'It works.',
  refused: 'It is refused.',
  unreachable: 'The service could not be asked.',
  unknown: 'The service does not tell.',
  busy: 'Not asked now.',
};

/** What came of asking a service about a value, in words; read out when it comes. */
export function ConnectionWords({ test }: { test: ConnectionTest | null }) {
  return (
    <div role="status">
      {test === null ? null : (
        <div className={styles['test']} data-outcome={test.outcome}>
          <Icon name={test.outcome === 'works' ? 'tick' : test.outcome === 'refused' ? 'cross' : 'alert'} />
          <div>
            <p className={styles['title']}>{titles[test.outcome]}</p>
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
            <p className={styles['soft']}>
              <ExactMoment at={test.checked_at} />, answered in {test.took_ms} ms
            </p>
          </div>
        </div>
      )}
    </div>
  );
}
