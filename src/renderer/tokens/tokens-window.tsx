import { lazy, type Ref, Suspense, useMemo, useRef } from 'react';
import { windowTitle } from '../../text/window/window.ts';
import { issueTokenText } from '../../text/token/issue-token-text.ts';
import { tokenListText as text } from '../../text/token/token-list-text.ts';
import { type TokenFacets, type TokenPage, tokenSorts } from '../../contract/token/token-list.ts';
import { type TokenStatus, tokenStatuses } from '../../contract/token/token.ts';
import { statusMeanings } from '../../text/credential/credentials.ts';
import { Button } from '../kit/button.tsx';
import { CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { Empty } from '../kit/empty.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { isNarrowedBy } from '../kit/list/address-filters.ts';
import { fewRows, FilterSelect, ListPage } from '../kit/list/list-page.tsx';
import type { RowsHandle } from '../kit/list/virtual-rows.tsx';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { goTo, leaveFor, setSearch, useSearch } from '../kit/navigation.ts';
import { PartFailure } from '../kit/part-failure.tsx';
import { Text } from '../kit/text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import {
  columnsFit,
  type Listing,
  readListing,
  searchFor,
  tokenFacets,
  tokenPage,
  usualOrder,
} from './table/listing.ts';
import { useMedia } from '../kit/use-media.ts';
import { TokenTable } from './table/token-table.tsx';
import { useReturnOfFocus } from '../kit/dialog.tsx';
import { Choice } from '../kit/choice.tsx';
import selectStyles from '../kit/select.module.css';
import fieldStyles from '../kit/field.module.css';
import { StatusShape } from './status-shape.tsx';

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
      {known === undefined ? null : (
        <Tokens {...known} listing={listing} issueRef={issueRef} onIssue={issue} />
      )}
    </WindowFrame>
  );
}

/** The list, or what stands there while no token was ever issued. `page` is the first one. */
function Tokens({
  facets,
  page: { total, tokens },
  listing,
  issueRef,
  onIssue,
}: {
  facets: TokenFacets;
  page: TokenPage;
  listing: Listing;
  issueRef: Ref<HTMLButtonElement>;
  onIssue: () => void;
}) {
  const search = useSearch();
  const rowsRef = useRef<RowsHandle>(null);
  const hasColumns = useMedia(columnsFit);
  if (total === 0 && !isNarrowedBy(search, filterNames)) {
    return <NoTokens issueRef={issueRef} onIssue={onIssue} />;
  }
  return (
    <ListPage
      search={{ name: 'text', what: text.search, placeholder: text.searchHint }}
      filterNames={filterNames}
      rows={total}
      count={text.count(total)}
      buttons={(isFew) => (
        <>
          {hasColumns && !isFew ? <SortSelect listing={listing} /> : null}
          <Button rank="main" ref={issueRef} onPress={onIssue}>
            {text.issue}
          </Button>
        </>
      )}
      filters={(isFew) => (
        <TokenFilters
          listing={listing}
          facets={facets}
          isFew={isFew}
          hasPrevious={listing.hasEveryGeneration || tokens.some(({ generation }) => generation > 1)}
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
        total={total}
        isSortable={total >= fewRows || isNarrowedBy(search, [...filterNames, 'sort'])}
      />
    </ListPage>
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

const generations = [
  { value: 'newest', label: text.generations.newest },
  { value: 'all', label: text.generations.all },
] as const;

/** Which tokens are shown, all kept in the window's address. */
function TokenFilters({
  listing,
  facets,
  isFew,
  hasPrevious,
}: {
  listing: Listing;
  facets: TokenFacets;
  isFew: boolean;
  /** Whether there may be tokens that were replaced. */
  hasPrevious: boolean;
}) {
  const hasColumns = useMedia(columnsFit);
  const change = (changes: Partial<Listing>): void => setSearch(searchFor(changes));
  return (
    <>
      {isFew ? null : (
        <StatusChips
          chosen={listing.statuses}
          counts={
            listing.hasEveryGeneration ? facets.statuses : { ...facets.statuses, Superseded: undefined }
          }
          onChange={(statuses) => change({ statuses })}
        />
      )}
      {isFew && !hasPrevious ? null : (
        <Choice
          label={text.generations.label}
          options={generations}
          value={listing.hasEveryGeneration ? 'all' : 'newest'}
          onChange={(which) =>
            change({
              hasEveryGeneration: which === 'all',
              statuses: listing.statuses.filter((one) => which === 'all' || one !== 'Superseded'),
            })
          }
        />
      )}
      {isFew ? null : (
        <>
          <CategorySelect category={listing.category} categories={facets.categories} />
          {hasColumns ? null : <SortSelect listing={listing} />}
        </>
      )}
    </>
  );
}

/** Which category is shown: those in use, the most used first, with how many each would show. */
function CategorySelect({
  category,
  categories,
}: {
  category: string | undefined;
  categories: TokenFacets['categories'];
}) {
  const isListed = category === undefined || categories.some((one) => one.category === category);
  const shown = isListed ? categories : [{ category, tokens: 0 }, ...categories];
  return (
    <FilterSelect
      name="category"
      label={text.category}
      all={text.everyCategory}
      options={shown.map((one) => ({
        value: one.category,
        label: text.inCategory(one.category, one.tokens),
      }))}
    />
  );
}

/** The order of the rows. The heads of the columns do the same where there are columns. */
function SortSelect({ listing: { sort, order } }: { listing: Listing }) {
  function choose(value: string): void {
    const one = tokenSorts.find((name) => value.startsWith(`${name} `)) ?? sort;
    setSearch(searchFor({ sort: one, order: value.endsWith('desc') ? 'desc' : 'asc' }));
  }
  return (
    <select
      className={selectStyles['select']}
      aria-label={text.order}
      value={`${sort} ${order}`}
      onChange={({ target }) => choose(target.value)}
    >
      {tokenSorts.flatMap((one) =>
        [usualOrder(one), usualOrder(one) === 'asc' ? ('desc' as const) : ('asc' as const)].map((way) => (
          <option key={`${one} ${way}`} value={`${one} ${way}`}>
            {text.orders[one][way]}
          </option>
        )),
      )}
    </select>
  );
}

/** One button a status, with how many it would show; none pressed is all of them. */
function StatusChips({
  chosen,
  counts,
  onChange,
}: {
  chosen: readonly TokenStatus[];
  /** Undefined where it is not known. */
  counts: Readonly<Partial<Record<TokenStatus, number | undefined>>>;
  onChange: (chosen: readonly TokenStatus[]) => void;
}) {
  return (
    <Row role="group" aria-label={text.status} gap={2} wraps>
      {tokenStatuses.map((status) => {
        const isChosen = chosen.includes(status);
        const count = counts[status];
        return (
          <button
            key={status}
            type="button"
            className={fieldStyles['optionLabel']}
            aria-pressed={isChosen}
            title={text.statusMeaning(status, statusMeanings[status])}
            onClick={() =>
              onChange(tokenStatuses.filter((one) => (one === status ? !isChosen : chosen.includes(one))))
            }
          >
            <Row as="span" gap={2} align="center">
              <StatusShape status={status} />
              <Text as="span" tone={count === 0 && !isChosen ? 'soft' : undefined}>
                {status}
              </Text>
              {count === undefined ? null : (
                <Text as="span" tone="soft" weight="regular" isTabular>
                  {count.toLocaleString()}
                </Text>
              )}
            </Row>
          </button>
        );
      })}
    </Row>
  );
}
