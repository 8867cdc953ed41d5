import { lazy, Suspense, useMemo, useRef } from 'react';

import { combineLive } from '../kit/live/combine-live.ts';
import { useLive } from '../kit/live/use-live.ts';
import { goTo, leaveFor, useSearch } from '../kit/navigation.ts';
import { PartFailure } from '../kit/part-failure.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { FilterBar } from './table/filter-bar.tsx';
import { isFiltered, readListing } from './table/listing.ts';
import { tokenFacets, tokenPage } from './table/listing-resources.ts';
import { NoTokens } from './table/no-tokens.tsx';
import { type TableHandle, TokenTable } from './table/token-table.tsx';
import { useReturnOfFocus } from './use-return-of-focus.ts';

const IssueDialog = lazy(async () => ({ default: (await import('./issue-dialog.tsx')).IssueDialog }));

/** Every token that was ever issued: searched, filtered, in any order, however many there are. */
export function TokensWindow({ isIssuing }: { isIssuing: boolean }) {
  const search = useSearch();
  const listing = useMemo(() => readListing(search), [search]);
  const live = combineLive({
    facets: useLive(tokenFacets(listing)),
    // Also for how many rows there are, wherever in them one is.
    page: useLive(tokenPage(listing, 0)),
  });
  const known = live.known?.value;
  const tableRef = useRef<TableHandle>(null);
  const issueRef = useRef<HTMLButtonElement>(null);
  useReturnOfFocus(isIssuing, issueRef);
  // With the filters, so that the list behind the dialog stays as it is.
  const issue = (): void => goTo(`/tokens/issue${location.search}`);

  return (
    <WindowFrame
      title={isIssuing ? 'Issue a token — Rotavox' : 'Tokens — Rotavox'}
      heading="Tokens"
      live={live}
      nav={<WindowNav current="tokens" />}
    >
      {/* Not before the service has answered: who is not signed in is told that first. */}
      {isIssuing && known !== undefined ? (
        <PartFailure>
          <Suspense>
            <IssueDialog onClose={() => leaveFor('/tokens')} />
          </Suspense>
        </PartFailure>
      ) : null}
      {known === undefined ? null : known.page.total === 0 && !isFiltered(listing) ? (
        <NoTokens issueRef={issueRef} onIssue={issue} />
      ) : (
        <>
          <FilterBar
            listing={listing}
            facets={known.facets}
            total={known.page.total}
            issueRef={issueRef}
            onIssue={issue}
            onDown={() => tableRef.current?.focusFirstRow()}
          />
          <TokenTable ref={tableRef} listing={listing} total={known.page.total} />
        </>
      )}
    </WindowFrame>
  );
}
