import { useDeferredValue } from 'react';

import { type CredentialView, isDead } from '../../../contract/credential-view.ts';
import { Button } from '../../kit/button.tsx';
import styles from '../../kit/found.module.css';
import inputStyles from '../../kit/input.module.css';
import { goTo, setSearch, useSearch } from '../../kit/navigation.ts';
import { CredentialList } from './credential-list.tsx';
import { findCredentials } from './find-credentials.ts';

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
