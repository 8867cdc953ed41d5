import { HistoryCard } from '../history/history-card.tsx';
import { findDesktop } from '../kit/desktop.ts';
import { Mark } from '../kit/mark.tsx';
import { usePortal } from '../kit/use-portal.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConnectionSign } from './connection-sign.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MenusCard } from './menus-card.tsx';
import { ServiceCard } from './service-card.tsx';
import { ShellNote } from './shell-note.tsx';
import styles from './status-window.module.css';
import { StoreNotice } from './store-notice.tsx';
import { TokensCard } from './tokens-card.tsx';

const historyLimit = 20;

/** The first window: does the service run, is what it keeps safe, what is there, and what just happened. */
export function StatusWindow() {
  const { connection, known, retry } = usePortal(historyLimit);
  const isEmpty = known !== undefined && Object.values(known.status.tokens).every((count) => count === 0);

  return (
    <div className={styles['window']}>
      <header className={styles['head']}>
        <Mark />
        <h1 className={styles['name']}>Rotavox</h1>
        <ConnectionSign connection={connection} store={known?.status.store} />
      </header>
      <main className={styles['main']}>
        <ConnectionNotice connection={connection} knownAt={known?.at} onRetry={retry} />
        {known === undefined ? (
          connection.kind === 'asking' ? (
            <p className={styles['asking']}>Asking the service …</p>
          ) : null
        ) : (
          <>
            <StoreNotice status={known.status} />
            <div className={styles['columns']} data-stale={connection.kind !== 'live'}>
              <div className={styles['column']}>
                {isEmpty ? <FirstSteps baseUrl={known.status.base_url} /> : null}
                <ServiceCard status={known.status} />
                {isEmpty ? null : <TokensCard tokens={known.status.tokens} />}
                <MenusCard count={known.status.ivrs} />
              </div>
              <HistoryCard events={known.history.events} isLive={connection.kind === 'live'} />
            </div>
          </>
        )}
      </main>
      <ShellNote desktop={findDesktop()} />
    </div>
  );
}
