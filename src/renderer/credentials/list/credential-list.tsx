import { useSyncExternalStore } from 'react';

import type { CredentialView } from '../../../contract/credential-view.ts';
import { credentialPath } from '../../kit/address.ts';
import { goTo } from '../../kit/navigation.ts';
import { VirtualRows } from '../../kit/virtual-rows.tsx';
import styles from './credential-list.module.css';
import { CredentialRow } from './credential-row.tsx';

/** Up to here each row is as high as it needs; above, only those in sight are drawn, all equally high. */
const drawnAtOnce = 40;

/** What a row needs at most where it is laid out in so many columns, in pixels. */
const rowHeights = [
  { query: '(min-width: 72.01rem)', height: 132 },
  { query: '(min-width: 40.01rem)', height: 232 },
] as const;
const narrowHeight = 320;

/** The credentials in the order that they are given. */
export function CredentialList({ credentials }: { credentials: readonly CredentialView[] }) {
  const rowHeight = useRowHeight();
  if (credentials.length > drawnAtOnce) {
    return (
      <div className={styles['box']} data-fills="true">
        <VirtualRows
          label="Credentials"
          count={credentials.length}
          rowHeight={rowHeight}
          rowLabel={(index) => credentials[index]?.name ?? ''}
          onOpen={(index) => goTo(credentialPath(credentials[index]?.name ?? ''))}
          renderRow={(index) => {
            const one = credentials[index];
            return one === undefined ? null : (
              <div className={styles['fixed']} key={one.id}>
                <CredentialRow one={one} isFixed />
              </div>
            );
          }}
        />
      </div>
    );
  }
  return (
    <ul className={styles['box']} aria-label="Credentials">
      {credentials.map((one) => (
        <li key={one.id} className={styles['one']}>
          <CredentialRow one={one} />
        </li>
      ))}
    </ul>
  );
}

function useRowHeight(): number {
  return useSyncExternalStore(followWidth, readRowHeight);
}

function readRowHeight(): number {
  return rowHeights.find(({ query }) => matchMedia(query).matches)?.height ?? narrowHeight;
}

function followWidth(listener: () => void): () => void {
  const lists = rowHeights.map(({ query }) => matchMedia(query));
  for (const list of lists) list.addEventListener('change', listener);
  return () => {
    for (const list of lists) list.removeEventListener('change', listener);
  };
}
