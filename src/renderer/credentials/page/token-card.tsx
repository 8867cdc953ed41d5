import { useState } from 'react';
import type { ConnectionTest } from '../../../contract/credential-checks.ts';
import { type CredentialView, isDead, type VaultStatus } from '../../../contract/credential-view.ts';
import { vaultService } from '../../../contract/credential.ts';
import { ActionButton } from '../../kit/button.tsx';
import { familyPath } from '../../kit/address.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Card } from '../../kit/card.tsx';
import { Countdown } from '../../kit/countdown.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Link } from '../../kit/link.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment } from '../../kit/moment.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { AnswerLine } from '../answer-line.tsx';
import { ConnectionWords } from '../connection-words.tsx';
import { vault } from '../read-credentials.ts';
import { useCopyToken } from '../use-copy-token.ts';
import { ReplaceDialog } from './replace-dialog.tsx';
import styles from './credential-page.module.css';

/** The value that is kept: what is known of it, and what can be done with it. It is copied, never shown. */
export function TokenCard({ one }: { one: CredentialView }) {
  const act = useAct();
  const token = useCopyToken(one.name);
  const [test, setTest] = useState<ConnectionTest | null>(null);
  const [isReplacing, setReplacing] = useState(false);
  const params = { name: one.name };

  async function testIt(): Promise<void> {
    setTest(null);
    const tested = await act.run('test', () => askPortal('testCredential', { params }));
    if (tested !== null) setTest(tested.value);
  }

  return (
    <Card
      title="Token"
      aside={
        one.family_id === null ? undefined : (
          <Link to={familyPath(one.family_id)} className={styles['link']}>
            Token family
          </Link>
        )
      }
    >
      <div className={styles['token']}>
        <TokenFacts one={one} />
        <div className={styles['tokenButtons']}>
          {isDead(one) ? null : (
            <ActionButton isBusy={token.isBusy} onPress={() => void token.copy()}>
              Copy token
            </ActionButton>
          )}
          <ActionButton isBusy={isBusyWith(act, 'test')} onPress={() => void testIt()}>
            {isBusyWith(act, 'test') ? 'Asking the service …' : 'Test connection'}
          </ActionButton>
          <ActionButton onPress={() => setReplacing(true)}>Bring a new value…</ActionButton>
        </div>
        <AnswerLine tone={token.answer?.tone ?? 'calm'} words={token.answer?.words ?? null} />
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <ConnectionWords test={test} />
      </div>
      {isReplacing ? <ReplaceDialog one={one} onClose={() => setReplacing(false)} /> : null}
    </Card>
  );
}

/** What is known of the value that is kept. */
function TokenFacts({ one }: { one: CredentialView }) {
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
