import { isRenewed, isSignedIn } from '../../../providers/catalogue.ts';
import { type ReactNode, useState } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { type CredentialView, mayRotate, waitsForPerson } from '../../../contract/credential-view.ts';
import { rotationCardText as text } from '../../../text/credential-page.ts';
import { notRotatedText } from '../../../text/providers.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Countdown } from '../../kit/countdown.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { ExactMoment, ExpiryMoment } from '../../kit/moment.tsx';
import { setSearch, useSearch } from '../../kit/navigation.ts';
import pageStyles from '../../kit/page.module.css';
import { RichText } from '../../kit/rich-text.tsx';
import { LifetimeBar } from '../lifetime-bar.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { RotateDialog } from '../rotate-dialog.tsx';
import { useRotationRun } from '../rotation-run.ts';
import { useRotation } from '../use-rotation.ts';
import { LiveSteps } from './live-steps.tsx';
import styles from './credential-page.module.css';

/** When the token is rotated: the countdown, the exact instants, and a rotation while it happens. */
export function RotationCard({ one }: { one: CredentialView }) {
  const { rotate, resume, isResuming, refusal, ...rotation } = useRotation(one);
  const run = useRotationRun(one.id);
  const [isPausing, setPausing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  /** The palette and the list of what needs attention lead here with the question. */
  const isAsked = useSearch().has('rotate') && mayRotate(one);
  const { renewal } = text;
  const isRenewal = isRenewed(one.provider);
  const isRotating = rotation.isRotating || run?.state === 'running';

  return (
    <Card
      title={text.title}
      aside={
        one.last_rotated_at === null
          ? isRenewal
            ? renewal.never
            : text.neverRotated
          : at(isRenewal ? renewal.last : text.lastRotated, one.last_rotated_at)
      }
    >
      <div className={pageStyles['stack']}>
        <RotationHeadline one={one} />
        <Text as="div" tone="soft" size="small" isTabular>
          <Stack gap={2}>
            <LifetimeBar one={one} />
            <Row gap={4} wraps justify="between">
              <p>{at(text.since, one.obtained_at)}</p>
              <p>
                <RichText
                  text={isRenewal && one.last_rotated_at !== null ? renewal.until : text.until}
                  parts={{ at: <ExpiryMoment one={one} /> }}
                />
              </p>
            </Row>
          </Stack>
        </Text>
        {mayRotate(one) ? (
          <div className={pageStyles['buttons']}>
            <ActionButton isBusy={isRotating} onPress={() => setAsking(true)}>
              {isRotating ? text.rotating : isRenewal ? renewal.renew : text.rotate}
            </ActionButton>
            {one.paused === null ? (
              <ActionButton onPress={() => setPausing(true)}>{text.pause}</ActionButton>
            ) : (
              <ActionButton isBusy={isResuming} onPress={resume}>
                {text.resume}
              </ActionButton>
            )}
          </div>
        ) : null}
        <FormRefusal reason={refusal} />
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

function at(sentence: `${string}{at}${string}`, instant: string) {
  return <RichText text={sentence} parts={{ at: <ExactMoment at={instant} /> }} />;
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

/** What comes next: the countdown large, its exact instant below. */
function RotationHeadline({ one }: { one: CredentialView }) {
  const { headline } = text;
  const { next_rotation_at: next, paused, rotation, trouble } = one;
  const pausedUntil = paused?.until ?? null;
  if (rotation !== null && trouble === null) return <Headline {...headline.rotating} />;
  if (next === null) {
    if (waitsForPerson(one)) {
      return <Headline {...(isSignedIn(one.provider) ? headline.needsSignIn : headline.needsToken)} />;
    }
    if (trouble?.kind === 'suspended') return <Headline {...headline.suspended} />;
    if (one.can_rotate !== false) return <Headline {...headline.paused} />;
    return (
      <Headline
        large={<Countdown to={one.expires_at} past={headline.expired} />}
        small={headline.reminder(notRotatedText(one.provider))}
      />
    );
  }
  if (one.service_waits_until !== undefined) {
    const { service_waits_until: waits, service_asks_until: asked } = one;
    const { serviceWaits: texts } = headline;
    const small =
      asked === undefined ? (
        at(texts.unsaid, waits)
      ) : (
        <RichText
          text={Date.parse(asked) > Date.parse(waits) ? texts.longer : texts.asked}
          parts={{ asked: <ExactMoment at={asked} />, at: <ExactMoment at={waits} /> }}
        />
      );
    return <Headline large={<Countdown to={next} past={headline.due} />} small={small} />;
  }
  const parts = { at: <ExactMoment at={next} />, until: <ExactMoment at={pausedUntil ?? next} /> };
  return (
    <Headline
      large={<Countdown to={next} past={headline.due} />}
      small={
        trouble !== null ? (
          <RichText text={headline.retry(trouble.attempts, pausedUntil !== null)} parts={parts} />
        ) : (
          <RichText
            text={
              pausedUntil !== null
                ? headline.nextPaused
                : isRenewed(one.provider)
                  ? text.renewal.next
                  : headline.next
            }
            parts={parts}
          />
        )
      }
    />
  );
}

function Headline({ large, small }: { large: ReactNode; small: ReactNode }) {
  return (
    <div>
      <Text isTabular className={styles['large']}>
        {large}
      </Text>
      <Text tone="soft" isTabular>
        {small}
      </Text>
    </div>
  );
}

/** Enough to see the rhythm. */
const shownAtOnce = 5;
/** The service plans no more than so many. */
const most = 200;

/** The dry run: the rotations of the next 90 days, if each succeeds at once. */
function PlannedRotations({ one: { planned, provider } }: { one: CredentialView }) {
  const [isOpen, setOpen] = useState(false);
  if (planned.length === 0) return null;
  const shown = isOpen ? planned : planned.slice(0, shownAtOnce);
  return (
    <Stack gap={2} className={styles['planned']}>
      <Text as="h3" size="medium" weight="bold">
        {(isRenewed(provider) ? text.planned.renewals : text.planned.title)(
          Math.min(planned.length, most),
          planned.length >= most,
        )}
      </Text>
      <Text
        as="ol"
        tone="soft"
        size="small"
        isTabular
        className={styles['list']}
        aria-label={text.planned.list}
      >
        {shown.map((instant) => (
          <li key={instant}>
            <ExactMoment at={instant} />
          </li>
        ))}
      </Text>
      {planned.length > shownAtOnce ? (
        <div>
          <Button onPress={() => setOpen(!isOpen)}>
            {isOpen ? text.planned.fewer : text.planned.all(planned.length)}
          </Button>
        </div>
      ) : null}
    </Stack>
  );
}
