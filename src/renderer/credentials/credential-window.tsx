import { useState } from 'react';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { TokenFamilyView } from '../../contract/token/token-list.ts';
import { tokenKindText } from '../../text/credential/providers.ts';
import { windowTitle } from '../../text/window/window.ts';
import { credentialPageText as text, removeCredentialText } from '../../text/credential/credential-page.ts';
import { serviceLine } from '../../text/credential/credentials.ts';
import { Box } from '../kit/box.tsx';
import { Row } from '../kit/layout.tsx';
import { Button } from '../kit/button.tsx';
import { Card, Column } from '../kit/card.tsx';
import { Icon } from '../kit/icon.tsx';
import { WayBack } from '../kit/link.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import pageStyles from '../kit/page.module.css';
import { Below } from '../kit/page.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { AddressPart } from './page/address-part.tsx';
import { LostReplyPart } from './page/lost-reply-part.tsx';
import { PolicyPart } from './page/policy-part.tsx';
import { RemovePart } from './page/remove-part.tsx';
import { StateCard } from './page/state-card.tsx';
import { StoryHistory } from './page/story-history.tsx';
import { TokenPart } from './page/token-part.tsx';
import { TroubleNotice } from './page/trouble-notice.tsx';
import { oneCredential, turningInstants, useTurning } from './read-credentials.ts';
import { tokenFamily } from '../tokens/family/family-resources.ts';
import { ReuseNotice } from '../tokens/reuse-notice.tsx';
import { StateSign } from './state-sign.tsx';
import { StillHeldNotice } from './use/users.tsx';
import { WhoCard } from './use/who-card.tsx';

/** One credential by its name: its state, its next rotation, its targets, and everything that can be done with it. */
export function CredentialWindow({ name }: { name: string }) {
  const resource = oneCredential(name);
  const live = useLive(resource);
  const one = live.known?.value ?? null;
  const [remains, setRemains] = useState<string>();
  useTurning(resource, one === null ? [] : turningInstants(one));

  return (
    <WindowFrame
      title={windowTitle(name)}
      heading={name}
      above={<WayBack to="/credentials">{text.all}</WayBack>}
      below={
        one === null ? undefined : (
          <Below sign={<StateSign one={one} />}>
            {text.of(serviceLine(one), tokenKindText(one.provider), otherName(one))}
          </Below>
        )
      }
      live={live}
      nav={<WindowNav current="credentials" />}
    >
      {remains !== undefined ? (
        <Notice tone="warn" title={removeCredentialText.removed(name)}>
          <p>{remains}</p>
        </Notice>
      ) : live.known === undefined ? null : one === null ? (
        <Notice tone="warn" title={text.unknown.title}>
          <p>
            <RichText text={text.unknown.text} parts={{ name: <code>{name}</code> }} />
          </p>
        </Notice>
      ) : (
        <Page key={one.id} one={one} onRemains={setRemains} />
      )}
    </WindowFrame>
  );
}

/** What its token is called where that is another name. */
function otherName({ name, token_name: tokenName }: CredentialView): string | null {
  return tokenName === name ? null : tokenName;
}

function Page({ one, onRemains }: { one: CredentialView; onRemains: (message: string) => void }) {
  const isNew = useSearch().has('new');
  const family = useLive(tokensOf(one)).known?.value ?? null;
  return (
    <Column isAlone>
      {isNew ? <AddedNote one={one} /> : null}
      <TroubleNotice one={one} />
      {one.still_used === null || one.family_id === null ? null : (
        <ReuseNotice familyId={one.family_id} uses={one.still_used.uses} credential={one.name} />
      )}
      <StillHeldNotice one={one} />
      <StateCard one={one} />
      <WhoCard one={one} />
      <StoryHistory one={one} family={family} />
      <Card title={text.settings}>
        <div className={pageStyles['parts']}>
          <TokenPart one={one} token={family?.tokens.at(-1) ?? null} />
          {one.can_rotate === false ? null : <PolicyPart one={one} />}
          <AddressPart one={one} />
          <LostReplyPart one={one} />
          <RemovePart one={one} onRemains={onRemains} />
        </div>
      </Card>
    </Column>
  );
}

/** What to do next with a credential that was just added: shown once, on the page that it leads to. */
function AddedNote({ one: { name, can_rotate: canRotate } }: { one: CredentialView }) {
  const { added } = text;
  return (
    <Box tone="good" sign={<Icon name="tick" />} role="status">
      <Row gap={3} wraps align="center" justify="between">
        <p>
          <RichText
            text={canRotate === false ? added.reminder : canRotate === null ? added.unknown : added.rotated}
            parts={{ name: <strong>{name}</strong> }}
          />{' '}
          {added.next}
        </p>
        <Button onPress={() => setSearch({ new: undefined })}>{added.close}</Button>
      </Row>
    </Box>
  );
}

/** The token of a credential with its history; null where another service issued it. */
function tokensOf({ family_id: id }: CredentialView): Resource<TokenFamilyView | null> {
  return id === null ? noTokens : tokenFamily(id);
}

const noTokens: Resource<TokenFamilyView | null> = {
  key: ['family', 'none'],
  about: [],
  read: () => Promise.resolve({ kind: 'ok', value: null }),
};
