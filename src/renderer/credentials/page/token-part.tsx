import { useState } from 'react';
import type { ConnectionTest } from '../../../contract/credential/credential-checks.ts';
import { type CredentialView, isDead, waitsForPerson } from '../../../contract/credential/credential-view.ts';
import { vaultService } from '../../../contract/credential/credential.ts';
import type { TokenView } from '../../../contract/token/token.ts';
import { isNamedKind, isSignedIn } from '../../../providers/catalogue.ts';
import { connectionTestText } from '../../../text/credential/add-credential.ts';
import { tokenCardText as text } from '../../../text/credential/credential-page.ts';
import { inputRows, providerName, secretKind } from '../../../text/credential/providers.ts';
import { currentTokenText } from '../../../text/token/token-page.ts';
import { ActionButton } from '../../kit/button.tsx';
import { askPortal } from '../../kit/ask-portal.ts';
import { Card } from '../../kit/card.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { Countdown, ExactMoment, ExpiryMoment } from '../../kit/moment.tsx';
import { Fact, Facts } from '../../kit/page.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { FirstUse } from '../../tokens/family/current-card.tsx';
import { TokenMoves } from '../../tokens/move-dialog.tsx';
import { ConnectionResult } from '../connection-test.tsx';
import { vault } from '../read-credentials.ts';
import { ReplaceDialog } from './replace-dialog.tsx';
import { SignInAgain } from '../sign-in-waiting.tsx';
import { Row, Stack } from '../../kit/layout.tsx';

/** The current token: what is known of it, and what is seldom done with it. It is never shown. */
export function TokenPart({
  one,
  token,
}: {
  one: CredentialView;
  /** The same as this service knows it, where it issued it. */
  token: TokenView | null;
}) {
  const act = useAct();
  const [test, setTest] = useState<ConnectionTest | null>(null);
  const [isReplacing, setReplacing] = useState(false);
  /** Its tokens come from a sign-in, and none can be entered. */
  const comesFromSignIn = isSignedIn(one.provider);
  const isTesting = isBusyWith(act, 'test');

  async function testIt(): Promise<void> {
    setTest(null);
    const tested = await act.run('test', () => askPortal('testCredential', { params: { name: one.name } }));
    if (tested !== null) setTest(tested.value);
  }

  const buttons = (
    <>
      <ActionButton isBusy={isTesting} onPress={() => void testIt()}>
        {isTesting ? connectionTestText.testing : connectionTestText.test}
      </ActionButton>
      {comesFromSignIn ? null : (
        <ActionButton onPress={() => setReplacing(true)}>
          {text.enterToken(secretKind(one.provider.id))}
        </ActionButton>
      )}
    </>
  );
  return (
    <Card isPart title={text.title}>
      <Stack gap={4}>
        <TokenFacts one={one} token={token} />
        {token === null ? (
          <Row gap={2} wraps align="center">
            {buttons}
          </Row>
        ) : (
          <TokenMoves token={token} credential={one.name}>
            {buttons}
          </TokenMoves>
        )}
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <ConnectionResult test={test} />
        {/* Where it is the remedy, the notice above has it. */}
        {comesFromSignIn && !waitsForPerson(one) ? <SignInAgain one={one} rank="plain" /> : null}
      </Stack>
      {isReplacing ? <ReplaceDialog one={one} onClose={() => setReplacing(false)} /> : null}
    </Card>
  );
}

/** What is known of the current token. */
function TokenFacts({ one, token }: { one: CredentialView; token: TokenView | null }) {
  const where = useLive(vault).known?.value;
  const at = <ExactMoment at={one.expires_at} />;
  const otherService = isNamedKind(one.provider) ? text.kindOfService : '{url}';
  return (
    <Facts>
      <Fact name={text.facts.from}>
        <RichText
          text={one.service === 'embedded' ? text.thisService : otherService}
          parts={{ url: <code>{one.base_url}</code>, kind: providerName(one.provider.id) }}
        />
      </Fact>
      {inputRows(one.provider).map(([label, value]) => (
        <Fact key={label} name={label}>
          {value}
        </Fact>
      ))}
      <Fact name={text.facts.expires}>
        {isDead(one) ? (
          <ExpiryMoment one={one} />
        ) : (
          <RichText
            text={one.expiry_assumed === undefined ? text.expiresIn : text.expiresInAbout(one.expiry_assumed)}
            parts={{ at, countdown: <Countdown to={one.expires_at} past={text.noTime} /> }}
          />
        )}
      </Fact>
      {one.standby === null ? null : (
        <Fact name={text.facts.second}>
          <RichText text={text.secondExpires} parts={{ at: <ExactMoment at={one.standby.expires_at} /> }} />
        </Fact>
      )}
      {one.retiring.map(({ generation, retire_by: by, message }) => (
        <Fact key={generation} name={text.facts.old}>
          {message === null ? (
            <RichText
              text={text.oldWorks(generation, one.targets.length > 0)}
              parts={{ at: <ExactMoment at={by} /> }}
            />
          ) : (
            text.oldNotDeleted(generation, message)
          )}
        </Fact>
      ))}
      <Fact name={text.facts.validity}>{text.validity(one.validity_days)}</Fact>
      <Fact name={text.facts.token}>
        <RichText
          text={text.number(one.generation)}
          parts={{ at: <ExactMoment at={one.held_since ?? one.obtained_at} /> }}
        />{' '}
        {one.token_id === null ? null : <code>{one.token_id}</code>}
      </Fact>
      {token === null ? null : (
        <Fact name={currentTokenText.facts.firstUsed}>
          <FirstUse token={token} />
        </Fact>
      )}
      {where === undefined ? null : (
        <Fact name={text.facts.storedIn}>
          {where.kind === 'keychain' ? (
            <RichText
              text={text.keychain}
              parts={{ service: <code>{vaultService}</code>, account: <code>{one.name}</code> }}
            />
          ) : (
            where.description
          )}
        </Fact>
      )}
    </Facts>
  );
}
