import { useDeferredValue, useSyncExternalStore } from 'react';
import { type CredentialView, isDead } from '../../../contract/credential-view.ts';
import { credentialPath } from '../../kit/window-paths.ts';
import { Button } from '../../kit/button.tsx';
import cardStyles from '../../kit/card.module.css';
import styles from '../../kit/found.module.css';
import { searchList } from '../../kit/search-list.ts';
import inputStyles from '../../kit/input.module.css';
import { goTo, setSearch, useSearch } from '../../kit/navigation.ts';
import { VirtualRows } from '../../kit/list/virtual-rows.tsx';
import { credentialListText as text } from '../../../text/credential-list-text.ts';
import { placeText, serviceLine } from '../../../text/credentials.ts';
import { stateSign } from '../state-sign.tsx';
import { CredentialRow } from './credential-row.tsx';
import credentialListStyles from './found-credentials.module.css';

/** With so few nobody searches. */
const seenAtOnce = 5;

/** The credentials that are looked for, and the way to one more. What is looked for stands in the address. */
export function FoundCredentials({ credentials }: { credentials: readonly CredentialView[] }) {
  const sought = useSearch().get('q') ?? '';
  const found = findCredentials(credentials, useDeferredValue(sought));
  const isSearched = credentials.length > seenAtOnce || sought !== '';

  return (
    <>
      <div className={styles['bar']}>
        {isSearched ? (
          <div role="search" className={styles['search']}>
            <input
              type="search"
              className={inputStyles['input']}
              aria-label={text.search}
              placeholder={text.searchHint}
              value={sought}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setSearch({ q: event.target.value })}
            />
          </div>
        ) : null}
        <p className={styles['count']} role="status">
          {found.length === credentials.length
            ? text.count(credentials.length, credentials.filter(isRotated).length)
            : text.found(found.length, credentials.length)}
        </p>
        <Button rank="main" onPress={() => goTo('/add-credential')}>
          {text.add}
        </Button>
      </div>
      {found.length === 0 ? (
        <div className={styles['none']}>
          <p>{text.none(sought)}</p>
          <Button onPress={() => setSearch({ q: undefined })}>{text.showAll}</Button>
        </div>
      ) : (
        <CredentialList credentials={found} />
      )}
    </>
  );
}

/** Whether it works and is rotated automatically. */
function isRotated(one: CredentialView): boolean {
  return one.can_rotate !== false && !isDead(one);
}

/** Up to here each row is as high as it needs; above, only those in sight are drawn, all equally high. */
const drawnAtOnce = 40;

/** What a row needs at most where it is laid out in so many columns, in pixels. */
const rowHeights = [
  { query: '(min-width: 72.01rem)', height: 132 },
  { query: '(min-width: 40.01rem)', height: 232 },
] as const;
const narrowHeight = 320;

/** The credentials in the order that they are given. */
function CredentialList({ credentials }: { credentials: readonly CredentialView[] }) {
  const rowHeight = useRowHeight();
  if (credentials.length > drawnAtOnce) {
    return (
      <div className={`${cardStyles['box']} ${credentialListStyles['fills']}`}>
        <VirtualRows
          label={text.title}
          count={credentials.length}
          rowHeight={rowHeight}
          rowLabel={(index) => credentials[index]?.name ?? ''}
          onOpen={(index) => goTo(credentialPath(credentials[index]?.name ?? ''))}
          renderRow={(index) => {
            const one = credentials[index];
            return one === undefined ? null : (
              <div className={credentialListStyles['fixed']} key={one.id}>
                <CredentialRow one={one} isFixed />
              </div>
            );
          }}
        />
      </div>
    );
  }
  return (
    <ul className={cardStyles['box']} aria-label={text.title}>
      {credentials.map((one) => (
        <li key={one.id} className={credentialListStyles['one']}>
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

/** The credentials that have every word somewhere: in its name or its token's, the service, the state or a target. */
function findCredentials(credentials: readonly CredentialView[], sought: string): readonly CredentialView[] {
  return searchList(credentials, sought, (one) =>
    [
      one.name,
      one.token_name ?? '',
      serviceLine(one),
      stateSign(one).words,
      ...one.targets.map(({ target }) => placeText(target)),
    ].join('\n'),
  );
}
