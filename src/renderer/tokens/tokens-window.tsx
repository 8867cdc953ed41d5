import { lazy, type Ref, Suspense, useMemo, useRef } from 'react';
import { windowTitle } from '../../text/window/window.ts';
import { issueTokenText } from '../../text/token/issue-token-text.ts';
import { tokenListText as text } from '../../text/token/token-list-text.ts';
import { Button } from '../kit/button.tsx';
import { CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { Empty } from '../kit/empty.tsx';
import { Stack } from '../kit/layout.tsx';
import { isNarrowedBy } from '../kit/list/address-filters.ts';
import { fewRows, ListPage } from '../kit/list/list-page.tsx';
import type { RowsHandle } from '../kit/list/virtual-rows.tsx';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { goTo, leaveFor, setSearch, useSearch } from '../kit/navigation.ts';
import { PartFailure } from '../kit/part-failure.tsx';
import { Text } from '../kit/text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { TokenFilters } from './table/token-filter-bar.tsx';
import { readListing, searchFor, tokenFacets, tokenPage } from './table/listing.ts';
import { TokenTable } from './table/token-table.tsx';
import { useReturnOfFocus } from '../kit/use-return-of-focus.ts';

const IssueDialog = lazy(async () => ({ default: (await import('./issue-dialog.tsx')).IssueDialog }));

/** The parts of the address that leave tokens out. */
const filterNames = ['text', 'status', 'category'];

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
  const rowsRef = useRef<RowsHandle>(null);
  const issueRef = useRef<HTMLButtonElement>(null);
  useReturnOfFocus(isIssuing, issueRef);
  // With the filters, so that the list behind the dialog stays as it is.
  const issue = (): void => goTo(`/tokens/issue${location.search}`);

  return (
    <WindowFrame
      title={windowTitle(isIssuing ? issueTokenText.title : text.title)}
      heading={text.title}
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
      {known === undefined ? null : known.page.total === 0 && !isNarrowedBy(search, filterNames) ? (
        <NoTokens issueRef={issueRef} onIssue={issue} />
      ) : (
        <ListPage
          search={{ name: 'text', what: text.search, placeholder: text.searchHint }}
          filterNames={filterNames}
          rows={known.page.total}
          count={text.count(known.page.total)}
          buttons={
            <Button rank="main" ref={issueRef} onPress={issue}>
              {text.issue}
            </Button>
          }
          filters={(isFew) => (
            <TokenFilters
              listing={listing}
              facets={known.facets}
              isFew={isFew}
              hasPrevious={
                listing.hasEveryGeneration || known.page.tokens.some(({ generation }) => generation > 1)
              }
            />
          )}
          none={{
            label: text.title,
            title: text.none.title,
            text: listing.hasEveryGeneration ? text.none.all : text.none.newest,
            showAll: text.none.showAll,
            more: listing.hasEveryGeneration ? null : (
              <Button onPress={() => setSearch(searchFor({ hasEveryGeneration: true }))}>
                {text.none.searchAll}
              </Button>
            ),
          }}
          onDown={() => rowsRef.current?.focusRow(0)}
        >
          <TokenTable
            ref={rowsRef}
            listing={listing}
            total={known.page.total}
            isSortable={known.page.total >= fewRows || isNarrowedBy(search, [...filterNames, 'sort'])}
          />
        </ListPage>
      )}
    </WindowFrame>
  );
}

/** What stands there while no token was ever issued. */
function NoTokens({ issueRef, onIssue }: { issueRef: Ref<HTMLButtonElement>; onIssue: () => void }) {
  const commandLine = useCommandLine();
  return (
    <Empty
      label={text.title}
      title={text.empty.title}
      text={text.empty.text}
      aside={
        commandLine === null ? null : (
          <Stack gap={2}>
            <Text tone="soft">{text.empty.typed}</Text>
            <CommandLine
              line={`${commandLine} token issue --name my-app --validity 7`}
              what={text.empty.command}
            />
          </Stack>
        )
      }
    >
      <Button rank="main" ref={issueRef} onPress={onIssue}>
        {text.issue}
      </Button>
    </Empty>
  );
}
