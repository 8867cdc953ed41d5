import { useState } from 'react';

import type { ConnectionTest } from '../../../contract/credential-checks.ts';
import { type CredentialView, isDead } from '../../../contract/credential-view.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { familyPath } from '../../kit/address.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Card } from '../../kit/card.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Link } from '../../kit/link.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { AnswerLine } from '../answer-line.tsx';
import { ConnectionWords } from '../connection-words.tsx';
import { useCopyToken } from '../use-copy-token.ts';
import { ReplaceDialog } from './replace-dialog.tsx';
import styles from './token-card.module.css';
import { TokenFacts } from './token-facts.tsx';

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
        <div className={styles['buttons']}>
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
