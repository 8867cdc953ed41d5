import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { problemText } from '../../text/window/connection.ts';
import { historyText as text, verificationText } from '../../text/window/history-text.ts';
import type { Verification } from '../../contract/service/portal.ts';
import { Button } from '../kit/button.tsx';
import cardStyles from '../kit/card.module.css';
import { Notice } from '../kit/notice.tsx';
import type { RowsHandle } from '../kit/list/virtual-rows.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { PathText, Text } from '../kit/text.tsx';
import { RichText } from '../kit/rich-text.tsx';
import type { EventReader } from './event-reader.ts';
import { HistoryList } from './history-list.tsx';
import styles from './history.module.css';
import type { MatchedRows, SaveRow } from './matched-rows.ts';

/** That events cannot be read now, and what to do. */
export function UnreadableNotice({ reader }: { reader: EventReader }) {
  const problem = useSyncExternalStore(reader.subscribe, reader.problem);
  if (problem?.kind !== 'refused') return null;
  return (
    <Notice tone="bad" title={text.unreadable.title}>
      <p>{problemText(problem)}</p>
      <p>{text.unreadable.remedy}</p>
    </Notice>
  );
}

/** The list of events, and how many have come that it does not show yet. */
export function HistoryPanel({
  ref,
  reader,
  rows,
  isSearching,
  news,
  onNews,
  onOpen,
  onHold,
  onToggle,
}: {
  ref: RefObject<RowsHandle | null>;
  reader: EventReader;
  rows: MatchedRows;
  isSearching: boolean;
  /** How many events have come that the list does not show yet. */
  news: number;
  onNews: () => void;
  onOpen: (seq: number) => void;
  onHold: (why: Hold, isSo: boolean) => void;
  onToggle: (saves: SaveRow) => void;
}) {
  const focusedRow = useRef<number | null>(null);
  const found = JSON.stringify(rows.filters);

  // Whoever went on into the list before all letters were searched for is not left nowhere by the list that comes then.
  useEffect(() => {
    if (focusedRow.current !== null && document.activeElement === document.body)
      ref.current?.focusRow(focusedRow.current);
  }, [found, ref]);

  function showNews(): void {
    onNews();
    ref.current?.scrollToRow(0);
  }
  // With the mouse one is not at a row, only past it.
  function focus({ target }: FocusEvent<HTMLElement>): void {
    const index = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
    focusedRow.current = index === undefined ? null : Number(index);
    onHold('focused', target.matches(':focus-visible'));
  }
  function blur(): void {
    focusedRow.current = null;
    onHold('focused', false);
  }

  return (
    <section
      className={[cardStyles['box'], styles['panel']].join(' ')}
      aria-label={text.events}
      data-searching={isSearching}
    >
      <div role="status" className={styles['news']}>
        {news === 0 ? null : (
          <Button rank="main" onPress={showNews}>
            {text.newEvents(news)}
          </Button>
        )}
      </div>
      <div className={styles['rows']} onFocus={focus} onBlur={blur}>
        <HistoryList
          key={found}
          ref={ref}
          reader={reader}
          rows={rows}
          onOpen={onOpen}
          onToggle={onToggle}
          onTop={(isAtTop) => onHold('scrolled', !isAtTop)}
        />
      </div>
    </section>
  );
}

/** Why the rows are to stay as they are: the person reads further down, or is at a row with the keyboard. */
type Hold = 'scrolled' | 'focused';

/**
 * The rows that the list shows: the newest that are known, but for as long as they are held.
 *
 * Held, nothing moves under the eyes, and `news` is how many have come meanwhile. Another search is shown at once.
 */
export function useShownRows(
  latest: MatchedRows | undefined,
  isEventOpen: boolean,
): {
  rows: MatchedRows | undefined;
  news: number;
  showNews: () => void;
  hold: (why: Hold, isSo: boolean) => void;
} {
  const [shown, setShown] = useState(latest);
  const [holds, setHolds] = useState<Readonly<Record<Hold, boolean>>>({ scrolled: false, focused: false });
  const isHeld = isEventOpen || holds.scrolled || holds.focused;
  const rows = isHeld && shown?.filters === latest?.filters ? shown : latest;
  if (rows !== shown) setShown(rows);
  return {
    rows,
    news: (latest?.events ?? 0) - (rows?.events ?? 0),
    showNews: () => setShown(latest),
    hold: (why, isSo) => setHolds((before) => (before[why] === isSo ? before : { ...before, [why]: isSo })),
  };
}

/** That the journal is damaged, where, and what to do; or why it could not be checked. */
export function VerificationNotice({ state }: { state: VerificationState }) {
  if (state.kind === 'failed') {
    return (
      <Notice tone="warn" title={verificationText.failed}>
        <p>{state.why}</p>
      </Notice>
    );
  }
  if (state.kind !== 'checked' || state.found.status !== 'damaged') return null;
  const { file, line, reason, verified_to: verifiedTo } = state.found;
  const parts = {
    file: (
      <code>
        <PathText path={file} />
      </code>
    ),
  };
  return (
    <Notice tone="bad" title={verificationText.damaged}>
      <p>
        <RichText text={verificationText.place(line, reason)} parts={parts} />
      </p>
      <p>{verificationText.intact(verifiedTo)}</p>
      <p>{verificationText.remedy(file)}</p>
    </Notice>
  );
}

/** That the journal is being checked, or up to which event it was verified. */
export function VerificationSentence({ state }: { state: VerificationState }) {
  return (
    <Text as="div" role="status" tone="soft" size="medium">
      {state.kind === 'checking' ? verificationText.checkingAll : null}
      {state.kind === 'checked' && state.found.status === 'intact' ? (
        <>
          <Text as="span" tone="good">
            <Icon name="shield" />
          </Text>{' '}
          <span>
            <RichText
              text={verificationText.verified(
                state.found.verified_to,
                state.found.segments,
                state.found.marked_from,
              )}
              parts={{ at: <Moment at={state.at} /> }}
            />
          </span>
        </>
      ) : null}
    </Text>
  );
}

type VerificationState =
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly found: Verification; readonly at: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Has the whole journal checked when the person wants it. */
export function useVerification(): { state: VerificationState; verify: () => void } {
  const [state, setState] = useState<VerificationState>({ kind: 'not-asked' });

  async function verify(): Promise<void> {
    if (state.kind === 'checking') return;
    setState({ kind: 'checking' });
    const reply = await askPortal('verifyHistory');
    setState(
      reply.kind === 'ok'
        ? { kind: 'checked', found: reply.value, at: new Date().toISOString() }
        : { kind: 'failed', why: problemText(reply) },
    );
  }
  return { state, verify: () => void verify() };
}

/**
 * Verifies when the window's address asks for it (`?verify=1`), as the palette's command does.
 *
 * The request is for once, and so leaves the address first: neither a reload nor the way back repeats it.
 */
export function useVerifyOnRequest(verify: () => void): void {
  const isRequested = useSearch().get('verify') === '1';
  const grant = useEffectEvent(() => {
    setSearch({ verify: undefined });
    verify();
  });
  useEffect(() => {
    if (isRequested) grant();
  }, [isRequested]);
}
