import { type ReactNode, useState } from 'react';
import {
  type CredentialView,
  isDead,
  mayRotate,
  waitsForPerson,
} from '../../../contract/credential/credential-view.ts';
import { isRenewed, isSignedIn, providerFacts } from '../../../providers/catalogue.ts';
import { stateCardText as text, tokenCardText } from '../../../text/credential/credential-page.ts';
import { notRotatedText } from '../../../text/credential/providers.ts';
import { durationText } from '../../../text/time.ts';
import { ActionButton } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { copyText } from '../../kit/clipboard.ts';
import { useCommandLine } from '../../kit/command-line.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Countdown, ExactMoment, ExpiryMoment } from '../../kit/moment.tsx';
import { setSearch, useSearch } from '../../kit/navigation.ts';
import { Disclosure } from '../../kit/page.tsx';
import pageStyles from '../../kit/page.module.css';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { useMinute } from '../../kit/use-minute.ts';
import { AnswerLine } from '../connection-test.tsx';
import { LifetimeBar, lifetimeMs } from '../state-sign.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { RotateDialog, useRotation } from '../rotate-dialog.tsx';
import { useRotationRun } from '../rotation-run.ts';
import { useCopyToken } from '../read-credentials.ts';
import { LiveSteps } from './live-steps.tsx';
import styles from './credential-page.module.css';

/** How a credential is and what comes next, in sentences with the bar, what is done most, and a rotation while it happens. */
export function StateCard({ one }: { one: CredentialView }) {
  const { rotate, resume, isResuming, refusal, ...rotation } = useRotation(one);
  const run = useRotationRun(one.id);
  const copying = useCopying(one);
  const [isPausing, setPausing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  /** The palette and the list of what needs attention lead here with the question. */
  const isAsked = useSearch().has('rotate') && mayRotate(one);
  const isRotating = rotation.isRotating || run?.state === 'running';

  return (
    <Card title={text.title} aside={<LastRotated one={one} />}>
      <div className={pageStyles['stack']}>
        <Text isTabular className={styles['story']}>
          <NextEvent one={one} />{' '}
          {isDead(one) ? null : <RichText text={text.works} parts={{ at: <ExpiryMoment one={one} /> }} />}
        </Text>
        <Lifetime one={one} />
        <div className={pageStyles['buttons']}>
          {isDead(one) ? null : <CopyButtons copying={copying} />}
          {mayRotate(one) ? (
            <>
              <ActionButton isBusy={isRotating} onPress={() => setAsking(true)}>
                {rotateLabel(one, isRotating)}
              </ActionButton>
              {one.paused === null ? (
                <ActionButton onPress={() => setPausing(true)}>{text.pause}</ActionButton>
              ) : (
                <ActionButton isBusy={isResuming} onPress={resume}>
                  {text.resume}
                </ActionButton>
              )}
            </>
          ) : null}
        </div>
        <AnswerLine tone={copying.answer?.tone ?? 'calm'} words={copying.answer?.words ?? null} />
        <FormRefusal reason={refusal} />
        <CopiesEnd one={one} />
        {run === null ? <UnderWay one={one} /> : null}
        <LiveSteps run={run} one={one} />
        <PlannedRotations one={one} />
      </div>
      {isAsking || isAsked ? (
        <RotateDialog
          one={one}
          onRotate={rotate}
          onClose={() => {
            setAsking(false);
            setSearch({ rotate: undefined });
          }}
        />
      ) : null}
      {isPausing ? <PauseDialog one={one} onClose={() => setPausing(false)} /> : null}
    </Card>
  );
}

function rotateLabel(one: CredentialView, isRotating: boolean): string {
  if (isRotating) return text.rotating;
  return isRenewed(one.provider) ? text.renewal.renew : text.rotate;
}

/** The buttons that copy the command, where there is one, and the token. */
function CopyButtons({ copying }: { copying: ReturnType<typeof useCopying> }) {
  const { command, copyCommand, copyToken, isBusy } = copying;
  return (
    <>
      {command === null ? null : (
        <ActionButton rank="main" onPress={() => void copyCommand(command)}>
          {tokenCardText.copyCommand}
        </ActionButton>
      )}
      <ActionButton
        rank={command === null ? 'main' : 'plain'}
        isBusy={isBusy}
        onPress={() => void copyToken()}
      >
        {tokenCardText.copy}
      </ActionButton>
    </>
  );
}

/** Copying the command or the token, and what came of it. */
function useCopying({ name }: CredentialView) {
  const { isBusy, copy, answer } = useCopyToken(name);
  const [commandAnswer, setCommandAnswer] = useState<typeof answer>(null);
  const commandLine = useCommandLine();

  async function copyCommand(line: string): Promise<void> {
    try {
      await copyText(line);
      setCommandAnswer({ tone: 'calm', words: tokenCardText.commandCopied });
    } catch {
      setCommandAnswer({ tone: 'bad', words: tokenCardText.clipboardRefused });
    }
  }
  async function copyToken(): Promise<void> {
    setCommandAnswer(null);
    await copy();
  }
  const command = commandLine === null ? null : `${commandLine} get ${name}`;
  return { command, copyCommand, copyToken, isBusy, answer: commandAnswer ?? answer };
}

function at(sentence: `${string}{at}${string}`, instant: string) {
  return <RichText text={sentence} parts={{ at: <ExactMoment at={instant} /> }} />;
}

function LastRotated({ one }: { one: CredentialView }) {
  const words = isRenewed(one.provider) ? text.renewal : { never: text.neverRotated, last: text.lastRotated };
  return one.last_rotated_at === null ? words.never : at(words.last, one.last_rotated_at);
}

/** What comes next, in a sentence. */
function NextEvent({ one }: { one: CredentialView }) {
  const { next } = text;
  const nowMs = useMinute();
  const { next_rotation_at: nextAt, paused, rotation, trouble, service_asks_until: asked } = one;
  const pausedUntil = paused?.until ?? null;
  if (rotation !== null && trouble === null) return next.rotating;
  if (nextAt === null) {
    if (waitsForPerson(one)) return isSignedIn(one.provider) ? next.needsSignIn : next.needsToken;
    if (trouble?.kind === 'suspended') return next.suspended;
    return one.can_rotate === false ? next.reminder(notRotatedText(one.provider)) : next.paused;
  }
  const isDue = Date.parse(nextAt) <= nowMs;
  const parts = {
    at: <ExactMoment at={one.service_waits_until ?? nextAt} />,
    left: isDue ? null : <RichText text={text.inTime} parts={{ left: <Countdown to={nextAt} /> }} />,
    until: <ExactMoment at={pausedUntil ?? nextAt} />,
    asked: <ExactMoment at={asked ?? nextAt} />,
  };
  if (one.service_waits_until !== undefined) {
    if (asked === undefined) return <RichText text={next.serviceWaits.unsaid} parts={parts} />;
    const isLonger = Date.parse(asked) > Date.parse(one.service_waits_until);
    return <RichText text={isLonger ? next.serviceWaits.longer : next.serviceWaits.asked} parts={parts} />;
  }
  if (trouble !== null)
    return <RichText text={next.retry(trouble.attempts, pausedUntil !== null)} parts={parts} />;
  if (pausedUntil !== null) return <RichText text={next.whilePaused} parts={parts} />;
  if (isDue) return isRenewed(one.provider) ? next.dueRenewal : next.due;
  const every = durationText(lifetimeMs(one) * one.policy.fraction);
  return <RichText text={(isRenewed(one.provider) ? next.renewal : next.rotation)(every)} parts={parts} />;
}

/** The bar with the two instants that it is drawn between. */
function Lifetime({ one }: { one: CredentialView }) {
  const isProlonged = isRenewed(one.provider) && one.last_rotated_at !== null;
  return (
    <Text as="div" tone="soft" size="small" isTabular>
      <Stack gap={2}>
        <LifetimeBar one={one} />
        <Row gap={4} wraps justify="between">
          <p>{at(text.since, one.obtained_at)}</p>
          <p>
            <RichText
              text={isProlonged ? text.renewal.until : text.until}
              parts={{ at: <ExpiryMoment one={one} /> }}
            />
          </p>
        </Row>
      </Stack>
    </Text>
  );
}

/** How long a copy of the token works. */
function CopiesEnd({ one }: { one: CredentialView }) {
  if (isDead(one) || one.can_rotate === false || isRenewed(one.provider)) return null;
  return (
    <Text tone="soft" size="small">
      {copiesEnd(one)}
    </Text>
  );
}

function copiesEnd(one: CredentialView): ReactNode {
  const { oldEnds } = providerFacts(one.provider.id).traits;
  if (one.standby !== null) return tokenCardText.copyEndsLater;
  if (oldEnds === 'never')
    return <RichText text={tokenCardText.copyExpires} parts={{ at: <ExpiryMoment one={one} /> }} />;
  if (one.next_rotation_at === null) return tokenCardText.copyEndsUnplanned;
  return at(
    oldEnds === 'when_retired' ? tokenCardText.copyEndsInOverlap : tokenCardText.copyEnds,
    one.next_rotation_at,
  );
}

/** A rotation that started before this window was opened: its earlier steps are not sent again. */
function UnderWay({ one: { rotation, trouble } }: { one: CredentialView }) {
  if (rotation === null || trouble !== null) return null;
  return (
    <Text tone="soft" size="medium" breaks>
      {at(rotation.cause === 'owner' ? text.underWayAsked : text.underWay, rotation.begun_at)}
    </Text>
  );
}

/** The service plans no more than so many. */
const most = 200;

/** The dry run: the rotations of the next 90 days, if each succeeds at once. */
function PlannedRotations({ one: { planned, provider } }: { one: CredentialView }) {
  if (planned.length === 0) return null;
  const title = isRenewed(provider) ? text.planned.renewals : text.planned.title;
  return (
    <Disclosure title={title(Math.min(planned.length, most), planned.length >= most)}>
      <Text
        as="ol"
        tone="soft"
        size="small"
        isTabular
        className={styles['list']}
        aria-label={text.planned.list}
      >
        {planned.map((instant) => (
          <li key={instant}>
            <ExactMoment at={instant} />
          </li>
        ))}
      </Text>
    </Disclosure>
  );
}
