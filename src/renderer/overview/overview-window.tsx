import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Grid, Row, Stack } from '../kit/layout.tsx';
import { Fact, Facts } from '../kit/page.tsx';
import { PathText, Text } from '../kit/text.tsx';
import type { AttentionList } from '../../contract/window/attention.ts';
import type { Lifeline } from '../../contract/window/lifeline.ts';
import type { HistoryPage, PortalStatus } from '../../contract/service/portal.ts';
import type { TokenStatus } from '../../contract/token/token.ts';
import { HistoryCard } from '../history/history-card.tsx';
import { Button } from '../kit/button.tsx';
import { Card, Column, Columns } from '../kit/card.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { desktop, type Desktop } from '../kit/desktop-bridge.ts';
import { Icon } from '../kit/icon.tsx';
import { Link } from '../kit/link.tsx';
import { portalStatus, type Resource } from '../kit/live/resource.ts';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { goTo, leaveFor } from '../kit/navigation.ts';
import rowStyles from '../kit/row-link.module.css';
import { PartFailure } from '../kit/part-failure.tsx';
import { readPortal } from '../kit/read-portal.ts';
import { RichText } from '../kit/rich-text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { StatusShape } from '../tokens/status-shape.tsx';
import { statusMeanings } from '../../text/credential/credentials.ts';
import { firstStepsText, overviewText } from '../../text/window/overview.ts';
import { whereTokensAre } from '../../text/credential/vault-text.ts';
import { useReturnOfFocus } from '../kit/dialog.tsx';
import { AttentionCard } from './attention/attention-card.tsx';
import { FirstSteps } from './guide/first-steps.tsx';
import { chooseGuideState, showFirstSteps, useGuide } from './guide/guide-memory.ts';
import { LifelineCard, LifelineEmpty } from './lifeline/lifeline-card.tsx';
import styles from './overview-window.module.css';

const IssueDialog = lazy(async () => ({
  default: (await import('../tokens/issue-dialog.tsx')).IssueDialog,
}));

/** Only a team has them. */
const HostsCard = lazy(async () => ({ default: (await import('./hosts-card.tsx')).HostsCard }));

/** Only an office has them. */
const HoursCard = lazy(async () => ({ default: (await import('../hours/hours-card.tsx')).HoursCard }));

/** How many events are read; those that say the same are one row. */
const newestCount = 30;

/** After every change: it is small, and the state of the vault and the disk shows in the results of other changes. */
const attention: Resource<AttentionList> = {
  key: ['attention'],
  about: [],
  read: (signal) => readPortal('attention', signal),
};

/** After changes that move a bar or a mark; the use of a token moves none. */
const lifeline: Resource<Lifeline> = {
  key: ['lifeline'],
  about: [
    'token.issued',
    'token.rotated',
    'token.suspended',
    'token.resumed',
    'token.blacklisted',
    'token.expired',
    'token.reuse',
    'credential.',
  ],
  read: (signal) => readPortal('lifeline', signal),
};

const newestEvents: Resource<HistoryPage> = {
  key: ['history', 'newest', newestCount],
  about: [],
  read: (signal) => readPortal(`history?limit=${newestCount}`, signal),
};

const movedByTime = [attention, lifeline];
/** A host that is lost tells nobody. */
const ofTeam = [portalStatus, attention];
const ofNoTeam: typeof ofTeam = [];

/** The first window: what needs attention, the lifeline, and what there is. */
export function OverviewWindow({ isIssuing }: { isIssuing: boolean }) {
  const lives = {
    status: useLive(portalStatus),
    attention: useLive(attention),
    lifeline: useLive(lifeline),
    newest: useLive(newestEvents),
  };
  const live = combineLive(lives);
  const status = lives.status.known?.value;
  const team = status?.team;
  useReadAgain(movedByTime, lagMs);
  useReadAgain(team === undefined ? ofNoTeam : ofTeam, hostLagMs);
  const picture = lives.lifeline.known?.value;
  const needs = lives.attention.known?.value;
  const newest = lives.newest.known?.value;
  const hasEvents = newest !== undefined && newest.events.length > 0;

  const issueRef = useRef<HTMLButtonElement>(null);
  const issue = (): void => goTo('/tokens/issue');
  const hasToken = status !== undefined && Object.values(status.tokens).some((count) => count > 0);
  const credentialName = picture?.rows.find(({ kind }) => kind === 'credential')?.name ?? null;
  const hasOtherwise = hasToken ? 'tokens' : 'nothing';
  const has = credentialName !== null ? 'credentials' : hasOtherwise;
  const guideRef = useRef<HTMLElement>(null);
  const guide = useGuide(status === undefined || picture === undefined ? undefined : credentialName !== null);
  /** Nothing but the first step is there to be done, and nothing that could be looked at. */
  const isFresh = guide === undefined || (guide === 'open' && has === 'nothing');
  useReturnOfFocus(isIssuing, guide === 'open' && has !== 'nothing' ? guideRef : issueRef);
  const closeGuide = (state: 'dismissed' | 'done'): void => {
    flushSync(() => void chooseGuideState(state));
    // Its button is gone. Where the page begins is where it was.
    document.querySelector('h1')?.focus({ preventScroll: true });
  };
  const openGuide = (): void => {
    flushSync(showFirstSteps);
    guideRef.current?.focus();
  };

  return (
    <WindowFrame
      title={isIssuing ? overviewText.issueTitle : overviewText.title}
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
              credentialName={credentialName}
              commandLine={status.command_line}
              issueRef={issueRef}
              onIssue={issue}
              onDismiss={() => closeGuide('dismissed')}
              onDone={() => closeGuide('done')}
            />
          ) : null}
          {needs === undefined || (isFresh && needs.items.length === 0) ? null : (
            <AttentionCard list={needs} has={has} />
          )}
          {isFresh ? null : <LifelineCard lifeline={picture} empty={<LifelineEmpty onGuide={openGuide} />} />}
          {/* Not before the first steps are decided, which have the same button elsewhere: a press on it would be lost. */}
          {guide !== undefined && (hasToken || guide !== 'open') ? (
            <TokensCard tokens={status.tokens} issueRef={issueRef} onIssue={issue} />
          ) : null}
          <Columns>
            <Column>
              <ServiceCard status={status} />
              {team === undefined ? null : (
                <PartFailure>
                  <Suspense>
                    <HostsCard team={team} version={status.version} />
                  </Suspense>
                </PartFailure>
              )}
              {status.schedules === undefined ? null : (
                <PartFailure>
                  <Suspense>
                    <HoursCard />
                  </Suspense>
                </PartFailure>
              )}
              {hasEvents ? <MenusCard count={status.ivrs} /> : null}
            </Column>
            {newest !== undefined && !hasEvents ? <MenusCard count={status.ivrs} /> : null}
            {newest === undefined || !hasEvents ? null : (
              <Stack gap={2}>
                <HistoryCard
                  events={newest.events}
                  names={newest.names}
                  isAll={newest.next_before === null}
                  isLive={lives.newest.connection.kind === 'live'}
                />
                <Link to="/history">{overviewText.wholeHistory}</Link>
              </Stack>
            )}
          </Columns>
        </>
      )}
    </WindowFrame>
  );
}

/** How many phone menus the service holds, and the way to them. */
function MenusCard({ count }: { count: number }) {
  const { menus } = overviewText;
  return (
    <Card title={menus.title} aside={count === 0 ? undefined : count.toLocaleString()}>
      <Stack gap={2} align="start">
        <Text tone="soft">
          {count === 0 ? (
            menus.none
          ) : (
            <RichText text={menus.some} parts={{ route: <code>GET /v1/ivrs</code> }} />
          )}
        </Text>
        <Link to="/ivr">{count === 0 ? menus.design : menus.show}</Link>
      </Stack>
    </Card>
  );
}

/** How many tokens there are of each status that occurs, each a way to them. */
function TokensCard({
  tokens,
  issueRef,
  onIssue,
}: {
  tokens: Partial<Record<TokenStatus, number>>;
  issueRef: React.Ref<HTMLButtonElement>;
  onIssue: () => void;
}) {
  const statuses = (Object.keys(statusMeanings) as TokenStatus[]).filter(
    (status) => (tokens[status] ?? 0) > 0,
  );
  return (
    <Card
      title={overviewText.tokens.title}
      aside={
        <Button ref={issueRef} onPress={onIssue}>
          {overviewText.tokens.issue}
        </Button>
      }
    >
      {statuses.length === 0 ? (
        <Text tone="soft">{overviewText.tokens.none}</Text>
      ) : (
        <Grid as="dl" min={8} gap={2}>
          {statuses.map((status) => (
            <div key={status} className={styles['tile']} title={statusMeanings[status]}>
              <Text as="dt" size="small">
                <Row as="span" gap={2} align="center">
                  <StatusShape status={status} />
                  <Link to={`/tokens?status=${status}`} className={rowStyles['link']}>
                    {status}
                  </Link>
                </Row>
              </Text>
              <Text as="dd" weight="bold" isTabular className={styles['tokensCount']}>
                {tokens[status]?.toLocaleString()}
              </Text>
            </div>
          ))}
        </Grid>
      )}
    </Card>
  );
}

/** Where the service answers, where it keeps things, and whether what it acknowledges is safe. */
function ServiceCard({
  status: { base_url, data_dir, pid, started_at, store, team, vault, version },
}: {
  status: PortalStatus;
}) {
  const { service } = overviewText;
  const saved = team === undefined ? service.saved : service.savedInDatabase;
  return (
    <Card title={service.title} aside={service.version(version)}>
      <Facts>
        <Fact name={service.address}>
          <Copied text={base_url} what={service.addressCopy} weight="bold" />
        </Fact>
        <Fact name={service.store}>
          <Text as="span" tone={store.status === 'ok' ? 'good' : 'bad'}>
            <Icon name={store.status === 'ok' ? 'shield' : 'alert'} />
          </Text>{' '}
          <Text as="span" tone={store.status === 'ok' ? undefined : 'bad'} weight="strong">
            {store.status === 'ok' ? saved : service.refusing}
          </Text>{' '}
          <Text as="span" tone="soft" size="small">
            {service.changes(store.last_seq)}
          </Text>
        </Fact>
        {vault === undefined ? null : (
          <Fact name={service.vault}>
            {whereTokensAre(vault)}{' '}
            {vault.kind === 'keychain' || vault.kind === 'file' ? (
              <Link to="/settings#computer">{service.vaultMove}</Link>
            ) : null}
          </Fact>
        )}
        <Fact name={service.dataFolder}>
          <Copied text={data_dir} what={service.dataFolderCopy} />
        </Fact>
        <Fact name={service.startedAt}>
          <Moment at={started_at} />{' '}
          <Text as="span" tone="soft" size="small">
            {service.process(pid)}
          </Text>
        </Fact>
      </Facts>
    </Card>
  );
}

/** An address or a path, with a button that copies it. */
function Copied({ text, what, weight }: { text: string; what: string; weight?: 'bold' }) {
  return (
    <Row as="span" gap={2} align="center" justify="between">
      <Text as="code" breaks weight={weight} style={{ userSelect: 'all' }}>
        <PathText path={text} />
      </Text>
      <CopyButton text={text} what={what} />
    </Row>
  );
}

/** What stops the service, which differs between the desktop app and a browser, and the way back to the first steps. */
function ShellNote({
  desktop,
  onGuide,
}: {
  desktop: Desktop | undefined;
  /** Undefined while they are shown. */
  onGuide: (() => void) | undefined;
}) {
  const quit = desktop?.quit;
  return (
    <Row as="footer" gap={3} wraps align="center" justify="between">
      <Text tone="soft" size="small">
        {quit === undefined ? overviewText.inBrowser : overviewText.inApp}
      </Text>
      <Row gap={2} wraps>
        {onGuide === undefined ? null : <Button onPress={onGuide}>{firstStepsText.title}</Button>}
        {quit === undefined ? null : <Button onPress={() => void quit()}>{overviewText.quit}</Button>}
      </Row>
    </Row>
  );
}

/** How long what time alone changes may lag behind, in milliseconds. */
const lagMs = 5 * 60_000;
/** How long the state of other hosts may lag behind, in milliseconds. */
const hostLagMs = 10_000;

/**
 * Reads some things again and again, while they are shown.
 *
 * Not for changes, which the stream tells: a token comes near its end without one.
 */
function useReadAgain(resources: readonly Pick<Resource<unknown>, 'key'>[], everyMs: number): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (resources.length === 0) return undefined;
    const timer = setInterval(() => {
      for (const { key } of resources) void cache.invalidateQueries({ queryKey: key, exact: true });
    }, everyMs);
    return () => clearInterval(timer);
  }, [cache, resources, everyMs]);
}
