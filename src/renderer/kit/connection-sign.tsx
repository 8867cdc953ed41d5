import type { StoreHealth } from '../../contract/portal.ts';
import styles from './connection-sign.module.css';
import type { LiveView } from './live/resource.ts';

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
