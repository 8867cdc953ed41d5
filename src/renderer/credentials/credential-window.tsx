import type { CredentialView } from '../../contract/credential-view.ts';
import { Column, Columns } from '../kit/columns.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { useSearch } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import { WayBack } from '../kit/way-back.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import styles from './credential-window.module.css';
import { AddedNote } from './page/added-note.tsx';
import { HistoryPart } from './page/history-part.tsx';
import { PolicyCard } from './page/policy-card.tsx';
import { RecipesCard } from './page/recipes-card.tsx';
import { RemoveCard } from './page/remove-card.tsx';
import { RotationCard } from './page/rotation-card.tsx';
import { StillUsedNotice } from './page/still-used-notice.tsx';
import { TokenCard } from './page/token-card.tsx';
import { TroubleNotice } from './page/trouble-notice.tsx';
import { oneCredential } from './read-credentials.ts';
import { StateSign } from './state-shape.tsx';
import { TargetsCard } from './targets/targets-card.tsx';
import { turningInstants, useTurning } from './use-turning.ts';
import { hostOf } from './ways-out.ts';

/** One credential by its name: how it is, what comes next, where its value goes, and everything that can be done with it. */
export function CredentialWindow({ name }: { name: string }) {
  const resource = oneCredential(name);
  const live = useLive(resource);
  const one = live.known?.value ?? null;
  useTurning(resource, one === null ? [] : turningInstants(one));

  return (
    <WindowFrame
      title={`${name} — Rotavox`}
      heading={name}
      above={<WayBack to="/credentials">All credentials</WayBack>}
      below={one === null ? undefined : <Below one={one} />}
      live={live}
      nav={<WindowNav current="credentials" />}
    >
      {live.known === undefined ? null : one === null ? (
        <Unknown name={name} />
      ) : (
        <Page key={one.id} one={one} />
      )}
    </WindowFrame>
  );
}

function Page({ one }: { one: CredentialView }) {
  const isNew = useSearch().has('new');
  return (
    <>
      {isNew ? <AddedNote one={one} /> : null}
      <TroubleNotice one={one} />
      <StillUsedNotice one={one} />
      <Columns>
        <Column>
          <RotationCard one={one} />
          <TargetsCard one={one} />
        </Column>
        <Column>
          <TokenCard one={one} />
          <RecipesCard one={one} />
          {one.can_rotate === false ? null : <PolicyCard one={one} />}
        </Column>
      </Columns>
      <HistoryPart one={one} />
      <RemoveCard one={one} />
    </>
  );
}

/** How it is and where it is from; told to a screen reader when it changes. */
function Below({ one }: { one: CredentialView }) {
  return (
    <p className={styles['below']}>
      <span role="status">
        <StateSign one={one} />
      </span>
      <span className={styles['where']}>
        {one.service === 'embedded' ? 'a token of this service' : `a token of ${hostOf(one.base_url)}`}
      </span>
    </p>
  );
}

function Unknown({ name }: { name: string }) {
  return (
    <Notice tone="warn" title="No token is kept fresh under this name.">
      <p>
        <code>{name}</code> was removed, or the link that led here is mistyped or of another machine. What
        happened to it is in the history.
      </p>
    </Notice>
  );
}
