import { useState } from 'react';
import type { CredentialView } from '../../contract/credential-view.ts';
import type { TokenFamilyView } from '../../contract/token-list.ts';
import { tokenKindText } from '../../text/providers.ts';
import { windowTitle } from '../../text/window.ts';
import { credentialPageText as text, removeCredentialText } from '../../text/credential-page.ts';
import { serviceLine } from '../../text/credentials.ts';
import { EventList } from '../history/history-card.tsx';
import { historyPath } from '../kit/window-paths.ts';
import { Box } from '../kit/box.tsx';
import { Row } from '../kit/layout.tsx';
import { Button } from '../kit/button.tsx';
import { Card, Column, Columns } from '../kit/card.tsx';
import { Icon } from '../kit/icon.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import pageStyles from '../kit/page.module.css';
import { Below } from '../kit/page.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { LostReplyCard } from './page/lost-reply-card.tsx';
import { PolicyCard } from './page/policy-card.tsx';
import { RecipeCard } from './page/recipe-card.tsx';
import { RemoveCard } from './page/remove-card.tsx';
import { RotationCard } from './page/rotation-card.tsx';
import { TokenCard } from './page/token-card.tsx';
import { TroubleNotice } from './page/trouble-notice.tsx';
import { historyOf, oneCredential, turningInstants, useTurning } from './read-credentials.ts';
import { tokenFamily } from '../tokens/family/family-resources.ts';
import { FamilyHistoryCard } from '../tokens/family/family-history-card.tsx';
import { TokenHistory } from '../tokens/family/token-history.tsx';
import { ProxyCard } from './proxy/proxy-card.tsx';
import { StateSign } from './state-sign.tsx';
import { ReuseNotice } from '../tokens/reuse-notice.tsx';
import { AddressCard } from './page/address-card.tsx';
import { StillHeldNotice, UseCard } from './use/use-card.tsx';
import { TargetsCard } from './targets/targets-card.tsx';

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
    <>
      {isNew ? <AddedNote one={one} /> : null}
      <TroubleNotice one={one} />
      {one.still_used === null || one.family_id === null ? null : (
        <ReuseNotice familyId={one.family_id} uses={one.still_used.uses} credential={one.name} />
      )}
      <StillHeldNotice one={one} />
      <Columns>
        <Column>
          <RotationCard one={one} />
          <TargetsCard one={one} />
          <LostReplyCard one={one} />
        </Column>
        <Column>
          <TokenCard one={one} token={family?.tokens.at(-1) ?? null} />
          <AddressCard one={one} />
          <RecipeCard one={one} />
          {one.can_rotate === false ? null : <PolicyCard one={one} />}
        </Column>
      </Columns>
      <UseCard one={one} />
      <ProxyCard one={one} />
      {family === null ? null : <TokenHistory family={family} />}
      <HistoryPart one={one} />
      {family === null ? null : <FamilyHistoryCard id={family.id} title={text.tokenEvents} />}
      <RemoveCard one={one} onRemains={onRemains} />
    </>
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

/** What happened to a credential lately, newest first, with the way to all of it. */
function HistoryPart({ one }: { one: CredentialView }) {
  const page = useLive(historyOf(one.name)).known?.value;
  return (
    <Card
      title={text.history.title}
      aside={
        <Link to={historyPath(one.id)} className={pageStyles['link']}>
          {text.history.all}
        </Link>
      }
    >
      {page === undefined ? null : <EventList events={page.events} label={text.history.list} />}
    </Card>
  );
}
