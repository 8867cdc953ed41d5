import { type CredentialView, isDead, type VaultStatus } from '../../../contract/credential-view.ts';
import { vaultService } from '../../../contract/credential.ts';
import { Countdown } from '../../kit/countdown.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment } from '../exact-moment.tsx';
import { vault } from '../read-credentials.ts';
import styles from './token-facts.module.css';

/** What is known of the value that is kept. */
export function TokenFacts({ one }: { one: CredentialView }) {
  const where = useLive(vault).known?.value;
  return (
    <dl className={styles['facts']}>
      <Fact name="From">
        {one.service === 'embedded' ? 'this service, ' : ''}
        <code>{one.base_url}</code>
      </Fact>
      <Fact name="Expires">
        <ExactMoment at={one.expires_at} />
        {isDead(one) ? null : (
          <>
            {' '}
            (in <Countdown to={one.expires_at} past="no time at all" />)
          </>
        )}
      </Fact>
      <Fact name="Validity">
        {one.validity_days === null
          ? 'not told by its service'
          : one.validity_days === 1
            ? '1 day'
            : `${one.validity_days} days`}
      </Fact>
      <Fact name="Value">
        number {one.generation}, since <ExactMoment at={one.obtained_at} />
      </Fact>
      {where === undefined ? null : (
        <Fact name="Kept in">
          <KeptIn vault={where} name={one.name} />
        </Fact>
      )}
    </dl>
  );
}

function KeptIn({ vault: { kind, description }, name }: { vault: VaultStatus; name: string }) {
  if (kind !== 'keychain') return <>{description}</>;
  return (
    <>
      the keychain: service <code>{vaultService}</code>, account <code>{name}</code>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className={styles['fact']}>
      <dt className={styles['name']}>{name}</dt>
      <dd className={styles['what']}>{children}</dd>
    </div>
  );
}
