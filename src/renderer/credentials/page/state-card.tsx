import { type ReactNode, useState } from 'react';
import {
  type CredentialView,
  isDead,
  mayRotate,
  waitsForPerson,
} from '../../../contract/credential/credential-view.ts';
import { isRenewed, isSignedIn, providerFacts } from '../../../providers/catalogue.ts';
import {
  stateCardText as text,
  tokenCardText,
  rotationStepsText as stepsText,
  rotationStepText,
} from '../../../text/credential/credential-page.ts';
import { toolWaitText } from '../../../text/credential/tool-wait-text.ts';
import { notRotatedText } from '../../../text/credential/providers.ts';
import { durationText, preciseClockText } from '../../../text/time.ts';
import { ActionButton } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { copyText } from '../../kit/clipboard.ts';
import { useCommandLine } from '../../kit/command-line.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Countdown, ExactMoment, ExpiryMoment } from '../../kit/moment.tsx';
import { setSearch, useSearch } from '../../kit/navigation.ts';
import { Disclosure } from '../../kit/page.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { useMinute } from '../../kit/use-minute.ts';
import { AnswerLine } from '../connection-test.tsx';
import { LifetimeBar, lifetimeMs } from '../state-sign.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { RotateDialog, useRotation } from '../rotate-dialog.tsx';
import {
  useRotationRun,
  type DeliveryLine,
  ownSteps,
  type RotationRun,
  type StepState,
} from '../rotation-run.ts';
import { useCopyToken, useStoreName } from '../read-credentials.ts';
import styles from './credential-page.module.css';
import { Box } from '../../kit/box.tsx';
import { placeText, serviceText } from '../../../text/credential/credentials.ts';

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
      <Stack gap={4}>
        <Text isTabular className={styles['story']}>
          <NextEvent one={one} />{' '}
          {isDead(one) ? null : <RichText text={text.works} parts={{ at: <ExpiryMoment one={one} /> }} />}
        </Text>
        <Lifetime one={one} />
        <Row gap={2} wraps align="center">
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
        </Row>
        <AnswerLine tone={copying.answer?.tone ?? 'calm'} words={copying.answer?.words ?? null} />
        <FormRefusal reason={refusal} />
        <CopiesEnd one={one} />
        {run === null ? <UnderWay one={one} /> : null}
        <LiveSteps run={run} one={one} />
        <PlannedRotations one={one} />
      </Stack>
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
  if (one.waits_for_tools !== undefined) {
    const until = <ExactMoment at={one.waits_for_tools.until} />;
    return <RichText text={toolWaitText.rotation(one.waits_for_tools.tools)} parts={{ ...parts, until }} />;
  }
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
        <Row gap={1} wraps justify="between">
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

/**
 * A rotation step by step, each with its time; the one that failed with its reason.
 *
 * The summary's place is always there, or its first words could not be heard.
 */
function LiveSteps({ run, one }: { run: RotationRun | null; one: CredentialView }) {
  return (
    <Box isSunken className={run === null ? styles['nothing'] : ''}>
      <Stack gap={3}>
        <Text role="status" tone={run?.state === 'failed' ? 'bad' : 'plain'} weight="strong">
          {run === null ? null : summaryOf(run, one)}
        </Text>
        {run === null ? null : <StepLines run={run} one={one} />}
      </Stack>
    </Box>
  );
}

function StepLines({ run, one }: { run: RotationRun; one: CredentialView }) {
  const vault = useStoreName();
  const names = { service: serviceText(one), vault };
  const told = new Map(run.steps.map((line) => [line.step, line]));
  // Of one that is over, what it left out need not be listed.
  const steps = ownSteps.filter((step) => told.has(step) || run.state === 'running');
  return (
    <Stack as="ol" gap={2} aria-label={stepsText.list}>
      {steps.map((step) => {
        const line = told.get(step);
        const state = line?.state ?? 'coming';
        return (
          <StepLine
            key={step}
            state={state}
            at={line?.endedAt ?? line?.beganAt ?? null}
            message={line?.message ?? null}
          >
            {rotationStepText(step, state, names)}
          </StepLine>
        );
      })}
      {run.deliveries.map((line) => (
        <StepLine
          key={line.targetId}
          state={line.state}
          at={line.endedAt ?? line.beganAt}
          message={line.message}
        >
          {stepsText.delivery[line.state]} {placeOf(line, one)}
        </StepLine>
      ))}
    </Stack>
  );
}

function StepLine({
  state,
  at,
  message,
  children,
}: {
  state: StepState | 'coming';
  at: string | null;
  message: string | null;
  children: React.ReactNode;
}) {
  return (
    <Text as="li" tone={state === 'coming' ? 'soft' : 'plain'} size="medium" className={styles['step']}>
      <StepMark state={state} />
      <Text as="div" breaks>
        <p>{children}</p>
        {message === null ? null : <Text tone="bad">{message}</Text>}
      </Text>
      {at === null ? null : (
        <Text as="span" tone="soft" size="small" isTabular>
          <time dateTime={at}>{preciseClockText(at)}</time>
        </Text>
      )}
    </Text>
  );
}

function placeOf({ targetId }: DeliveryLine, { targets }: CredentialView): string {
  const target = targets.find(({ id }) => id === targetId);
  return target === undefined ? stepsText.removedTarget : placeText(target.target);
}

/** The whole in a sentence, which a screen reader is told when it changes. */
function summaryOf({ state, deliveries }: RotationRun, { targets }: CredentialView): string {
  if (state !== 'done') return stepsText[state];
  if (targets.length === 0) return stepsText.rotated;
  const delivered = deliveries.filter((line) => line.state === 'done').length;
  if (deliveries.some((line) => line.state === 'running') || deliveries.length < targets.length)
    return stepsText.delivering;
  return stepsText.delivered(delivered, targets.length);
}

const tones = { coming: 'calm', running: 'accent', done: 'good', failed: 'bad' } as const;

/** How a step stands, by shape: an empty ring, an open one that turns, a tick, a triangle. */
function StepMark({ state }: { state: StepState | 'coming' }) {
  return (
    <svg
      className={styles['mark']}
      data-state={state}
      data-tone={tones[state]}
      viewBox="0 0 16 16"
      role="img"
      aria-label={stepsText.states[state]}
    >
      {state === 'coming' ? <circle cx="8" cy="8" r="4.5" /> : null}
      {state === 'running' ? <path d="M8 2.5A5.5 5.5 0 1 1 2.5 8" /> : null}
      {state === 'done' ? <path d="m3 8.5 3.25 3.25L13 5" /> : null}
      {state === 'failed' ? <path d="M8 2 1.5 13.5h13zM8 6.5v3.25m0 1.75v.5" /> : null}
    </svg>
  );
}
