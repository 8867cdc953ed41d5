import { lazy, Suspense, useEffect, useRef } from 'react';

import { HistoryCard } from '../history/history-card.tsx';
import { Column, Columns } from '../kit/columns.tsx';
import { desktop } from '../kit/desktop.ts';
import { goTo, leaveFor } from '../kit/navigation.ts';
import { PartFailure } from '../kit/part-failure.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MenusCard } from './menus-card.tsx';
import { overview } from './read-overview.ts';
import { ServiceCard } from './service-card.tsx';
import { ShellNote } from './shell-note.tsx';
import { StoreNotice } from './store-notice.tsx';
import { TokensCard } from './tokens-card.tsx';

const IssueDialog = lazy(async () => ({
  default: (await import('../tokens/issue-dialog.tsx')).IssueDialog,
}));

/** The first window: does the service run, is what it keeps safe, what is there, and what just happened. */
export function StatusWindow({ isIssuing }: { isIssuing: boolean }) {
  const live = useLive(overview);
  const { connection, known } = live;
  const issueRef = useRef<HTMLButtonElement>(null);
  useReturnOfFocus(isIssuing, issueRef);
  const issue = (): void => goTo('/tokens/issue');

  return (
    <WindowFrame
      title={isIssuing ? 'Issue a token — Rotavox' : 'Rotavox'}
      live={live}
      nav={<WindowNav current="overview" />}
      footer={<ShellNote desktop={desktop} />}
    >
      {known === undefined ? null : (
        <>
          {/* Not before the service has answered: who is not signed in is told that first. */}
          {isIssuing ? (
            <PartFailure>
              <Suspense>
                <IssueDialog onClose={() => leaveFor('/')} />
              </Suspense>
            </PartFailure>
          ) : null}
          <StoreNotice status={known.value.status} />
          <Columns>
            <Column>
              {isEmpty(known.value.status.tokens) ? (
                <FirstSteps baseUrl={known.value.status.base_url} issueRef={issueRef} onIssue={issue} />
              ) : (
                <TokensCard tokens={known.value.status.tokens} issueRef={issueRef} onIssue={issue} />
              )}
              <ServiceCard status={known.value.status} />
              <MenusCard count={known.value.status.ivrs} />
            </Column>
            <HistoryCard events={known.value.history.events} isLive={connection.kind === 'live'} />
          </Columns>
        </>
      )}
    </WindowFrame>
  );
}

/**
 * Gives the focus back to the button when the dialog is gone.
 *
 * The browser does that by itself as long as the button that was pressed is still there; the one of the first steps is
 * gone after the first token, and a window that was opened at `/tokens/issue` had none.
 */
function useReturnOfFocus(isIssuing: boolean, ref: React.RefObject<HTMLButtonElement | null>): void {
  const wasIssuing = useRef(false);
  useEffect(() => {
    if (wasIssuing.current && !isIssuing && document.activeElement === document.body) ref.current?.focus();
    wasIssuing.current = isIssuing;
  }, [isIssuing, ref]);
}

function isEmpty(tokens: Partial<Record<string, number>>): boolean {
  return Object.values(tokens).every((count) => count === 0);
}
