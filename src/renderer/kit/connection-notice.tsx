import type { StoreHealth } from '../../contract/portal.ts';
import { Button } from './button.tsx';
import { CommandLine } from './command-line.tsx';
import styles from './connection-notice.module.css';
import type { LiveView } from './live/resource.ts';
import { Moment } from './moment.tsx';
import { Notice } from './notice.tsx';

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
  if (connection.kind === 'live' || connection.kind === 'asking') return null;
  const retry = (
    <Button rank="main" onPress={onRetry}>
      Retry
    </Button>
  );

  if (connection.kind === 'signed-out') {
    return (
      <Notice tone="warn" title="This window is not signed in." action={retry}>
        <p>
          Rotavox shows its state to its owner only. This makes a sign-in link, for one use, and opens it:
        </p>
        <CommandLine line="rotavox open" what="the command for a sign-in link" />
      </Notice>
    );
  }
  const asOf =
    knownAt === undefined ? null : (
      <>
        What you see is as of <Moment at={knownAt} />.{' '}
      </>
    );
  if (connection.kind === 'refused') {
    return (
      <Notice tone="bad" title="The service runs, but could not tell its state." action={retry}>
        <p>{connection.reason}</p>
        <p>{asOf}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={`The service does not answer: ${connection.reason}.`} action={retry}>
      <p>
        {asOf}
        {asOf === null
          ? 'Nothing is known about it yet. Start it with npm start, or rotavox serve.'
          : 'Tokens cannot be rotated until it runs again; this window notices by itself when it does.'}
      </p>
    </Notice>
  );
}

type Connection = LiveView<unknown>['connection'];

type Sign = { readonly state: 'live' | 'asking' | 'lost'; readonly words: string };

/** Whether what the window shows is live and the service well, by shape (disc, ring, triangle) and words. */
export function ConnectionSign({
  connection,
  store,
}: {
  connection: Connection;
  /** Where the window knows it. */
  store?: StoreHealth | undefined;
}) {
  const { state, words } = signFor(connection, store);
  return (
    <p className={styles['sign']} data-state={state} role="status">
      <svg className={styles['shape']} viewBox="0 0 12 12" aria-hidden="true">
        {state === 'live' ? <circle className={styles['filled']} cx="6" cy="6" r="4" /> : null}
        {state === 'asking' ? <circle className={styles['outlined']} cx="6" cy="6" r="4" /> : null}
        {state === 'lost' ? <path className={styles['filled']} d="M6 1 11.5 11H.5z" /> : null}
      </svg>
      {words}
    </p>
  );
}

function signFor(connection: Connection, store: StoreHealth | undefined): Sign {
  switch (connection.kind) {
    case 'live':
      if (store?.status === 'refusing') return { state: 'lost', words: 'Refusing changes' };
      return { state: 'live', words: 'Running' };
    case 'asking':
      return { state: 'asking', words: 'Asking' };
    case 'signed-out':
      return { state: 'lost', words: 'Signed out' };
    case 'refused':
      return { state: 'lost', words: 'Failing' };
    case 'unreachable':
      return { state: 'lost', words: 'Not answering' };
  }
}
