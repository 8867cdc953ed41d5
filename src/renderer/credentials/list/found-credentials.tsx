import { type Ref, useRef } from 'react';
import { type CredentialView, isDead } from '../../../contract/credential/credential-view.ts';
import { credentialPath } from '../../kit/window-paths.ts';
import { Button } from '../../kit/button.tsx';
import cardStyles from '../../kit/card.module.css';
import { ListPage, useFound } from '../../kit/list/list-page.tsx';
import { searchList } from '../../kit/search-list.ts';
import { goTo } from '../../kit/navigation.ts';
import { useMedia } from '../../kit/use-media.ts';
import { VirtualRows } from '../../kit/list/virtual-rows.tsx';
import { credentialListText as text } from '../../../text/credential/credential-list-text.ts';
import { placeText, serviceLine } from '../../../text/credential/credentials.ts';
import { stateSign } from '../state-sign.tsx';
import { CredentialRow } from './credential-row.tsx';
import styles from './credential-row.module.css';

/** The credentials that are looked for, and the way to one more. What is looked for stands in the address. */
export function FoundCredentials({
  credentials,
  addRef,
}: {
  credentials: readonly CredentialView[];
  addRef: Ref<HTMLButtonElement>;
}) {
  const { sought, found } = useFound(credentials, findCredentials);
  const listRef = useRef<HTMLDivElement>(null);
  return (
    <ListPage
      search={{ name: 'q', what: text.search, placeholder: text.searchHint }}
      rows={found.length}
      count={
        found.length === credentials.length
          ? text.count(credentials.length, credentials.filter(isRotated).length)
          : text.found(found.length, credentials.length)
      }
      buttons={
        <Button rank="main" ref={addRef} onPress={() => goTo('/add-credential')}>
          {text.add}
        </Button>
      }
      none={{ title: text.none(sought), showAll: text.showAll }}
      onDown={() => listRef.current?.querySelector<HTMLElement>('[tabindex="0"], a')?.focus()}
    >
      <CredentialList ref={listRef} credentials={found} />
    </ListPage>
  );
}

/** Whether it works and is rotated automatically. */
function isRotated(one: CredentialView): boolean {
  return one.can_rotate !== false && !isDead(one);
}

/** Up to here each row is as high as it needs; above, only those in sight are drawn, all equally high. */
const drawnAtOnce = 40;

/** The credentials in the order that they are given. */
function CredentialList({
  ref,
  credentials,
}: {
  ref: Ref<HTMLDivElement>;
  credentials: readonly CredentialView[];
}) {
  const rowHeight = useRowHeight();
  if (credentials.length > drawnAtOnce) {
    return (
      <div ref={ref} className={`${cardStyles['box']} ${styles['fills']}`}>
        <VirtualRows
          label={text.title}
          count={credentials.length}
          rowHeight={rowHeight}
          rowLabel={(index) => credentials[index]?.name ?? ''}
          onOpen={(index) => goTo(credentialPath(credentials[index]?.name ?? ''))}
          renderRow={(index) => {
            const one = credentials[index];
            return one === undefined ? null : <CredentialRow key={one.id} one={one} isFixed />;
          }}
        />
      </div>
    );
  }
  return (
    <div ref={ref} className={cardStyles['box']}>
      <ul aria-label={text.title}>
        {credentials.map((one) => (
          <li key={one.id}>
            <CredentialRow one={one} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a row needs at most where it is laid out in so many columns, in pixels. */
function useRowHeight(): number {
  const isWide = useMedia('(min-width: 72.01rem)');
  const isNarrow = useMedia('(max-width: 40rem)');
  if (isWide) return 132;
  return isNarrow ? 320 : 232;
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
