import { useRef, useState } from 'react';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { TokenFamilyView } from '../../contract/token/token-list.ts';
import { tokenKindText } from '../../text/credential/providers.ts';
import { windowTitle } from '../../text/window/window.ts';
import { credentialPageText as text, removeCredentialText } from '../../text/credential/credential-page.ts';
import { serviceLine } from '../../text/credential/credentials.ts';
import { isRevoked } from '../../providers/catalogue.ts';
import { Box } from '../kit/box.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { ActionButton, Button } from '../kit/button.tsx';
import { Card, Column } from '../kit/card.tsx';
import { Icon } from '../kit/icon.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { goInstead, setSearch, useSearch } from '../kit/navigation.ts';
import { FoundOrUnknown, Notice } from '../kit/notice.tsx';
import { Below, Disclosure } from '../kit/page.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { AddressPart } from './page/address-part.tsx';
import { LostReplyPart } from './page/lost-reply-part.tsx';
import { PolicyPart } from './page/policy-part.tsx';
import { StateCard } from './page/state-card.tsx';
import { TokenPart } from './page/token-part.tsx';
import { TroubleNotice } from './page/trouble-notice.tsx';
import {
  historyOf,
  oneCredential,
  turningInstants,
  useStoreName,
  useTurning,
  whoUses,
} from './read-credentials.ts';
import { familyHistory, tokenFamily, useOlderEvents } from '../tokens/family/family-history-card.tsx';
import { ReuseNotice } from '../tokens/reuse-notice.tsx';
import { Text } from '../kit/text.tsx';
import { historyPath } from '../kit/window-paths.ts';
import { verdictOf } from '../tokens/family/inheritance-card.tsx';
import { TokenHistory, useHash } from '../tokens/family/token-history.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { Consequences, Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { ExpiryMoment } from '../kit/moment.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { StateSign } from './state-sign.tsx';
import { StillHeldNotice, UsedLately } from './use/users.tsx';
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
      {remains === undefined ? (
        <FoundOrUnknown isKnown={live.known !== undefined} found={one} text={text.unknown} name={name}>
          {(found) => <Page key={found.id} one={found} onRemains={setRemains} />}
        </FoundOrUnknown>
      ) : (
        <Notice tone="warn" title={removeCredentialText.removed(name)}>
          <p>{remains}</p>
        </Notice>
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
        <Stack gap={6}>
          <TokenPart one={one} token={family?.tokens.at(-1) ?? null} />
          {one.can_rotate === false ? null : <PolicyPart one={one} />}
          <AddressPart one={one} />
          <LostReplyPart one={one} />
          <RemovePart one={one} onRemains={onRemains} />
        </Stack>
      </Card>
    </Column>
  );
}

function addedText(canRotate: CredentialView['can_rotate']) {
  if (canRotate === false) return text.added.reminder;
  return canRotate === null ? text.added.unknown : text.added.rotated;
}

/** What to do next with a credential that was just added: shown once, on the page that it leads to. */
function AddedNote({ one: { name, can_rotate: canRotate } }: { one: CredentialView }) {
  const { added } = text;
  return (
    <Box tone="good" sign={<Icon name="tick" />} role="status">
      <Row gap={3} wraps align="center" justify="between">
        <p>
          <RichText text={addedText(canRotate)} parts={{ name: <strong>{name}</strong> }} /> {added.next}
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

const { history: storyText } = text;

/** What happened to a credential and to its token, in one list by time, and the tokens that it had. */
function StoryHistory({ one, family }: { one: CredentialView; family: TokenFamilyView | null }) {
  const { limit, show } = useOlderEvents();
  const own = useLive(historyOf(one.name, limit)).known?.value;
  const ofToken = useLive(one.family_id === null ? noEvents : familyHistory(one.family_id, limit)).known
    ?.value;
  const events =
    own === undefined || ofToken === undefined
      ? undefined
      : [...own.events, ...ofToken.events].toSorted((a, b) => b.seq - a.seq);
  const isAll = own?.next_before === null && ofToken?.next_before === null;
  return (
    <Card
      title={storyText.title}
      aside={
        <Row as="span" gap={4} wraps>
          <Link to={historyPath(one.id)}>{storyText.all}</Link>
          {one.family_id === null ? null : (
            <Link to={historyPath(one.family_id)}>{storyText.allOfToken}</Link>
          )}
        </Row>
      }
    >
      <Stack gap={4}>
        {events === undefined ? null : show(events, isAll, storyText.list)}
        {family === null || family.tokens.length === 0 ? null : <Tokens family={family} />}
      </Stack>
    </Card>
  );
}

const noEvents: ReturnType<typeof familyHistory> = {
  key: ['family', 'none', 'history'],
  about: [],
  read: () => Promise.resolve({ kind: 'ok', value: { events: [], next_before: null } }),
};

/** The tokens that it had. Shown at once where one of them differs or the address names one. */
function Tokens({ family }: { family: TokenFamilyView }) {
  const { tokens, issued, generations } = family;
  const named = useHash();
  const { isSame, sentences } = verdictOf(issued.configuration, tokens);
  const title = storyText.tokens(generations, isSame ? [] : sentences);
  return (
    <Disclosure
      title={
        <Text as="span" tone={isSame ? 'soft' : 'bad'} weight={isSame ? 'regular' : 'strong'}>
          {title}
        </Text>
      }
      isOpen={!isSame || tokens.some(({ id }) => id === named)}
    >
      <TokenHistory family={family} isPart />
    </Disclosure>
  );
}

/** What removes a credential. `onRemains`: removed, but something still works at its service. */
function RemovePart({ one, onRemains }: { one: CredentialView; onRemains: (message: string) => void }) {
  const vault = useStoreName();
  const [isAsked, setAsked] = useState(false);
  return (
    <Card isPart title={removeCredentialText.title}>
      <Row gap={3} wraps align="center" justify="between">
        <p>{removeCredentialText.lead(vault)}</p>
        <Button onPress={() => setAsked(true)}>{removeCredentialText.open}</Button>
      </Row>
      {isAsked ? <RemoveDialog one={one} onRemains={onRemains} onClose={() => setAsked(false)} /> : null}
    </Card>
  );
}

function RemoveDialog({
  one,
  onRemains,
  onClose,
}: {
  one: CredentialView;
  onRemains: (message: string) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const vault = useStoreName();
  const { name, targets, retiring, provider } = one;
  const isBusy = isBusyWith(act, 'remove');
  const use = useLive(whoUses(name)).known?.value;
  const consequences = {
    targets: targets.length,
    retiring: retiring.length,
    isRevoked: isRevoked(provider),
  };
  const expires = <ExpiryMoment one={one} />;

  async function remove(): Promise<void> {
    const ask = () => askPortal('removeCredential', { params: { name } });
    const removed = await act.run('remove', ask, 'credential_removed');
    if (removed === null) return;
    if (removed.value.message === undefined) goInstead('/credentials');
    else onRemains(removed.value.message);
  }
  return (
    <Dialog ref={ref} title={removeCredentialText.question(name)} mayClose={() => !isBusy} onClose={onClose}>
      <Consequences
        of={removeCredentialText.consequences(vault, consequences).map((sentence) => (
          <RichText key={sentence} text={sentence} parts={{ expires }} />
        ))}
      >
        {use === undefined ? null : <UsedLately use={use} />}
      </Consequences>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>{removeCredentialText.cancel}</Button>
        <ActionButton rank="main" isBusy={isBusy} onPress={() => void remove()}>
          {isBusy ? removeCredentialText.removing : removeCredentialText.remove}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
