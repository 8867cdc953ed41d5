import { useDeferredValue, useSyncExternalStore } from 'react';
import { type CredentialView, isDead } from '../../../contract/credential-view.ts';
import { credentialPath } from '../../kit/address.ts';
import { Button } from '../../kit/button.tsx';
import styles from '../../kit/found.module.css';
import { havingWords } from '../../kit/having-words.ts';
import inputStyles from '../../kit/input.module.css';
import { goTo, setSearch, useSearch } from '../../kit/navigation.ts';
import { VirtualRows } from '../../kit/virtual-rows.tsx';
import { placeText } from '../../../text/credentials.ts';
import { stateSign } from '../state-words.ts';
import { hostOf } from '../../../contract/address.ts';
import { CredentialRow } from './credential-row.tsx';
import credentialListStyles from './found-credentials.module.css';

/** With so few nobody searches. */
const seenAtOnce = 5;

/** The credentials that are looked for, and the way to one more. What is looked for stands in the address. */
export function FoundCredentials({ credentials }: { credentials: readonly CredentialView[] }) {
  const text = useSearch().get('q') ?? '';
  const found = findCredentials(credentials, useDeferredValue(text));
  const isSearched = credentials.length > seenAtOnce || text !== '';

  return (
    <>
      <div className={styles['bar']}>
        {isSearched ? (
          <div role="search" className={styles['search']}>
            <input
              type="search"
              className={inputStyles['input']}
              aria-label="Search credentials"
              placeholder="Search by name, service, state or place"
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setSearch({ q: event.target.value })}
            />
          </div>
        ) : null}
        <p className={styles['count']} role="status">
          {countWords(found.length, credentials)}
        </p>
        <Button rank="main" onPress={() => goTo('/add-credential')}>
          Keep a token fresh…
        </Button>
      </div>
      {found.length === 0 ? (
        <div className={styles['none']}>
          <p>No credential has all of “{text}” in its name, service, state or places.</p>
          <Button onPress={() => setSearch({ q: undefined })}>Show all</Button>
        </div>
      ) : (
        <CredentialList credentials={found} />
      )}
    </>
  );
}

/** Those that do not work, or that nobody rotates, are not counted as kept fresh. */
function countWords(found: number, credentials: readonly CredentialView[]): string {
  const all = credentials.length;
  if (found !== all) return `${found} of ${all}`;
  const fresh = credentials.filter((one) => one.can_rotate !== false && !isDead(one)).length;
  const words = fresh === 1 ? '1 token is kept fresh' : `${fresh} tokens are kept fresh`;
  return fresh === all ? words : `${words}, ${all - fresh} not`;
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
      <div className={credentialListStyles['box']} data-fills="true">
        <VirtualRows
          label="Credentials"
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
    <ul className={credentialListStyles['box']} aria-label="Credentials">
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

/** The credentials that have every word somewhere: in the name, where it is from, how it is, where it is delivered. */
function findCredentials(credentials: readonly CredentialView[], sought: string): readonly CredentialView[] {
  return havingWords(credentials, sought, (one) =>
    [
      one.name,
      one.service === 'embedded' ? 'this service' : hostOf(one.base_url),
      stateSign(one).words,
      ...one.targets.map(({ target }) => placeText(target)),
    ].join('\n'),
  );
}
