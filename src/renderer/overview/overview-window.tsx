import { lazy, Suspense, useRef } from 'react';
import { flushSync } from 'react-dom';

import { HistoryCard } from '../history/history-card.tsx';
import { Column, Columns } from '../kit/columns.tsx';
import { desktop } from '../kit/desktop.ts';
import { Link } from '../kit/link.tsx';
import { combineLive } from '../kit/live/combine-live.ts';
import { useLive } from '../kit/live/use-live.ts';
import { portalStatus } from '../kit/live/window-status.ts';
import { goTo, leaveFor } from '../kit/navigation.ts';
import { PartFailure } from '../kit/part-failure.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { AttentionCard } from './attention/attention-card.tsx';
import { FirstSteps } from './guide/first-steps.tsx';
import { chooseGuideState, showFirstSteps } from './guide/guide-memory.ts';
import { useGuide } from './guide/use-guide.ts';
import { LifelineCard } from './lifeline/lifeline-card.tsx';
import { LifelineEmpty } from './lifeline/lifeline-empty.tsx';
import { MenusCard } from './menus-card.tsx';
import { attention, lifeline, newestEvents } from './overview-resources.ts';
import styles from './overview-window.module.css';
import { ServiceCard } from './service-card.tsx';
import { ShellNote } from './shell-note.tsx';
import { useReturnOfFocus } from '../tokens/use-return-of-focus.ts';
import { TokensCard } from './tokens-card.tsx';
import { useReadAgain } from './use-read-again.ts';

const IssueDialog = lazy(async () => ({
  default: (await import('../tokens/issue-dialog.tsx')).IssueDialog,
}));

const movedByTime = [attention, lifeline];

/** The first window: what needs me now, everything in time, and what is there. */
export function OverviewWindow({ isIssuing }: { isIssuing: boolean }) {
  const lives = {
    status: useLive(portalStatus),
    attention: useLive(attention),
    lifeline: useLive(lifeline),
    newest: useLive(newestEvents),
  };
  const live = combineLive(lives);
  useReadAgain(movedByTime);
  const status = lives.status.known?.value;
  const picture = lives.lifeline.known?.value;
  const needs = lives.attention.known?.value;
  const newest = lives.newest.known?.value;

  const issueRef = useRef<HTMLButtonElement>(null);
  useReturnOfFocus(isIssuing, issueRef);
  const issue = (): void => goTo('/tokens/issue');
  const hasToken = status !== undefined && Object.values(status.tokens).some((count) => count > 0);
  const keptName = picture?.rows.find(({ kind }) => kind === 'credential')?.name ?? null;
  const has = keptName !== null ? 'credentials' : hasToken ? 'tokens' : 'nothing';
  const guideRef = useRef<HTMLElement>(null);
  const guide = useGuide(status === undefined || picture === undefined ? undefined : keptName !== null);
  const openGuide = (): void => {
    flushSync(showFirstSteps);
    guideRef.current?.focus();
  };

  return (
    <WindowFrame
      title={isIssuing ? 'Issue a token — Rotavox' : 'Rotavox'}
      live={live}
      nav={<WindowNav current="overview" />}
      footer={<ShellNote desktop={desktop} onGuide={guide === 'open' ? undefined : openGuide} />}
    >
      {status === undefined ? null : (
        <>
          {/* Not before the service has answered: who is not signed in is told that first. */}
          {isIssuing ? (
            <PartFailure>
              <Suspense>
                <IssueDialog onClose={() => leaveFor('/')} />
              </Suspense>
            </PartFailure>
          ) : null}
          {guide === 'open' ? (
            <FirstSteps
              ref={guideRef}
              hasToken={hasToken}
              keptName={keptName}
              commandLine={status.command_line}
              issueRef={issueRef}
              onIssue={issue}
              onPutAway={() => void chooseGuideState('dismissed')}
              onDone={() => void chooseGuideState('done')}
            />
          ) : null}
          {needs === undefined ? null : <AttentionCard list={needs} has={has} />}
          <LifelineCard
            lifeline={picture}
            empty={<LifelineEmpty isGuided={guide === 'open'} onGuide={openGuide} />}
          />
          {hasToken || guide !== 'open' ? (
            <TokensCard tokens={status.tokens} issueRef={issueRef} onIssue={issue} />
          ) : null}
          <Columns>
            <Column>
              <ServiceCard status={status} />
              <MenusCard count={status.ivrs} />
            </Column>
            {newest === undefined ? null : (
              <div className={styles['newest']}>
                <HistoryCard
                  events={newest.events}
                  names={newest.names}
                  isLive={lives.newest.connection.kind === 'live'}
                />
                <Link to="/history" className={styles['all']}>
                  Show the whole history
                </Link>
              </div>
            )}
          </Columns>
        </>
      )}
    </WindowFrame>
  );
}
