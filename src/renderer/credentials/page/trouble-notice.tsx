import { useState } from 'react';
import { Text } from '../../kit/text.tsx';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { tokenPageOf } from '../../../contract/credential/provider-inputs.ts';
import { type CredentialRemedy, credentialRemedies, remedyLabel } from '../../../text/window/remedies.ts';
import { adviceText } from '../../../text/credential/credentials.ts';
import { secretKind } from '../../../text/credential/providers.ts';
import { troubleSinceText, troubleText as text } from '../../../text/credential/credential-page.ts';
import { ActionButton } from '../../kit/button.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row } from '../../kit/layout.tsx';
import { Notice } from '../../kit/notice.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { setSearch } from '../../kit/navigation.ts';
import { RichText } from '../../kit/rich-text.tsx';
import { PortalLink, SignInAgain } from '../sign-in-waiting.tsx';
import { RotateDialog, useRotation } from '../rotate-dialog.tsx';
import { stateSign } from '../state-sign.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';

/** What is wrong with a credential, what it means, and a button for each remedy; nothing while all is well. */
export function TroubleNotice({ one }: { one: CredentialView }) {
  const { rotate, reissue, resumeToken, remindOnly, isRotating, isReissuing, isResumingToken, refusal } =
    useRotation(one);
  const [isReplacing, setReplacing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const remedies = credentialRemedies(one);
  const page = tokenPageOf(one.provider, one.base_url);
  const advice = adviceText(one);
  if (remedies.length === 0) return null;
  const { tone, words } = stateSign(one);

  function remedyButton(remedy: CredentialRemedy, place: number) {
    const rank = place === 0 ? 'main' : 'plain';
    switch (remedy.kind) {
      case 'reissue':
        return (
          <ActionButton key="reissue" rank={rank} isBusy={isReissuing} onPress={reissue}>
            {isReissuing ? text.reissuing : text.reissue}
          </ActionButton>
        );
      case 'resume_token':
        return (
          <ActionButton
            key="resume_token"
            rank={rank}
            isBusy={isResumingToken}
            onPress={() => resumeToken(remedy.tokenId)}
          >
            {isResumingToken ? text.resuming : text.resumeToken}
          </ActionButton>
        );
      case 'remind':
        return (
          <ActionButton key="remind" rank={rank} onPress={remindOnly}>
            {text.remindOnly}
          </ActionButton>
        );
      case 'enter_token':
        return (
          <ActionButton key="enter_token" rank={rank} onPress={() => setReplacing(true)}>
            {text.enterToken(secretKind(one.provider.id))}
          </ActionButton>
        );
      case 'sign_in':
        return <SignInAgain key="sign_in" one={one} rank={rank} />;
      case 'open_family':
        return null; // this page is the page of the token
      case 'rotate':
        return (
          <ActionButton key="rotate" rank={rank} isBusy={isRotating} onPress={() => setAsking(true)}>
            {isRotating ? text.retrying : text.retry}
          </ActionButton>
        );
      case 'change_address':
        return (
          <ActionButton key="change_address" rank={rank} onPress={() => setSearch({ address: '1' })}>
            {remedyLabel(remedy)}
          </ActionButton>
        );
      case 'open_portal':
        return <PortalLink key="open_portal" address={page === one.base_url ? remedy.origin : page} />;
    }
  }

  return (
    <>
      <Notice tone={tone === 'bad' ? 'bad' : 'warn'} title={`${words}.`}>
        {one.message === null ? null : <p>{one.message}</p>}
        {advice === null ? null : <p>{advice}</p>}
        <Since one={one} />
        <Row gap={2} wraps align="center">
          {remedies.map(remedyButton)}
        </Row>
        <FormRefusal reason={refusal} />
      </Notice>
      {isAsking ? <RotateDialog one={one} onRotate={rotate} onClose={() => setAsking(false)} /> : null}
      {isReplacing ? <ReplaceDialog one={one} onClose={() => setReplacing(false)} /> : null}
    </>
  );
}

function Since({ one }: { one: CredentialView }) {
  const { trouble } = one;
  if (trouble === null) return null;
  return (
    <Text tone="soft" size="medium" breaks>
      <RichText
        text={troubleSinceText(one)}
        parts={{
          at: <ExactMoment at={trouble.since} />,
          next: trouble.next_try_at === null ? null : <ExactMoment at={trouble.next_try_at} />,
        }}
      />
    </Text>
  );
}
