import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { PortalStatus, StoreHealth } from '../../contract/service/portal.ts';
import { connectionText } from '../../text/window/connection.ts';
import { Button } from './button.tsx';
import { CommandLine } from './command-line.tsx';
import styles from './window-frame.module.css';
import { changeStream } from './live/change-stream.ts';
import { type LiveView, portalStatus } from './live/resource.ts';
import { Moment } from './moment.tsx';
import { Notice } from './notice.tsx';
import { isOnLoopback } from './page-key.ts';
import { RichText } from './rich-text.tsx';

// Few pages ask for it, and those wait for a person anyway.
const SignInCard = lazy(async () => ({ default: (await import('./sign-in-card.tsx')).SignInCard }));

/** Says that the window is not live, why, and what to do; nothing while it is. */
export function ConnectionNotice({
  connection,
  knownAt,
  onRetry,
}: {
  connection: LiveView<unknown>['connection'];
  knownAt: string | undefined;
  onRetry: () => void;
}) {
  const cache = useQueryClient();
  if (connection.kind === 'live' || connection.kind === 'asking') return null;
  const retry = (
    <Button rank="main" onPress={onRetry}>
      {connectionText.retry}
    </Button>
  );

  if (connection.kind === 'signed-out') {
    const { title, text, other, command, noOwners, addOwner, addOwnerCopy } = connectionText.signedOut;
    const known = connection.command;
    if (connection.takesOwnerKey === true) {
      return (
        <Suspense>
          <SignInCard command={known} onSignedIn={onRetry} />
        </Suspense>
      );
    }
    if (known === undefined && !isOnLoopback()) {
      return (
        <Notice tone="warn" title={title} action={retry}>
          <p>{noOwners}</p>
          <CommandLine line={addOwner} what={addOwnerCopy} />
        </Notice>
      );
    }
    return (
      <Notice tone="warn" title={title} action={retry}>
        <p>{known === undefined ? other : text}</p>
        {known === undefined ? null : <CommandLine line={known} what={command} />}
      </Notice>
    );
  }
  const asOf =
    knownAt === undefined ? null : (
      <p>
        <RichText text={connectionText.asOf} parts={{ time: <Moment at={knownAt} /> }} />
      </p>
    );
  if (connection.kind === 'refused') {
    return (
      <Notice tone="bad" title={connectionText.refused} action={retry}>
        <p>{connection.reason}</p>
        {asOf}
      </Notice>
    );
  }
  const status = cache.getQueryData<{ readonly value: PortalStatus }>(portalStatus.key)?.value;
  const hasTeam = status?.team !== undefined;
  const { unreachable, known, unknown } = isOnLoopback() ? connectionText.here : connectionText.elsewhere;
  const whatToDo = asOf === null ? unknown : known;
  return (
    <Notice tone="bad" title={unreachable(connection.reason, location.host)} action={retry}>
      {asOf}
      <p>{hasTeam ? connectionText.otherHosts : whatToDo}</p>
    </Notice>
  );
}

type Connection = LiveView<unknown>['connection'];

type Sign = { readonly state: keyof typeof tones; readonly words: string };

const tones = { live: 'good', asking: 'soft', lost: 'bad' } as const;

/** Whether what the window shows is live and the service well, by shape (disc, ring, triangle) and words. */
export function ConnectionSign({
  connection,
  store,
}: {
  connection: Connection;
  /** Where the window knows it. */
  store?: StoreHealth | undefined;
}) {
  const isLost = useSyncExternalStore(changeStream.watch, changeStream.isLost);
  const { state, words } = signFor({ connection, store, isLost });
  return (
    <p className={styles['connection']} data-tone={tones[state]} role="status">
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {state === 'live' ? <circle cx="6" cy="6" r="4" /> : null}
        {state === 'asking' ? <circle className={styles['outlined']} cx="6" cy="6" r="4" /> : null}
        {state === 'lost' ? <path d="M6 1 11.5 11H.5z" /> : null}
      </svg>
      {words}
    </p>
  );
}

function signFor({
  connection,
  store,
  isLost,
}: {
  connection: Connection;
  store: StoreHealth | undefined;
  /** Whether changes are not told now. */
  isLost: boolean;
}): Sign {
  const words = connectionText.state;
  switch (connection.kind) {
    case 'live':
      if (isLost) return { state: 'asking', words: words.reconnecting };
      if (store?.status === 'refusing') return { state: 'lost', words: words.refusing };
      return { state: 'live', words: words.live };
    case 'asking':
      return { state: 'asking', words: words.asking };
    case 'signed-out':
      return { state: 'lost', words: words.signedOut };
    case 'refused':
      return { state: 'lost', words: words.refused };
    case 'unreachable':
      return { state: 'lost', words: words.unreachable };
  }
}
