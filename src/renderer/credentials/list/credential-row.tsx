import { isRenewed } from '../../../providers/catalogue.ts';
import { type ReactNode, useState } from 'react';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import {
  type CredentialView,
  isDead,
  mayRotate,
  waitsForPerson,
} from '../../../contract/credential/credential-view.ts';
import { toolWaitText } from '../../../text/credential/tool-wait-text.ts';
import { credentialListText as text } from '../../../text/credential/credential-list-text.ts';
import { serviceLine, tokenNameText } from '../../../text/credential/credentials.ts';
import { ActionButton } from '../../kit/button.tsx';
import { credentialPath } from '../../kit/window-paths.ts';
import { Link } from '../../kit/link.tsx';
import { Countdown, ExactMoment, Moment } from '../../kit/moment.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { AnswerLine } from '../connection-test.tsx';
import { LifetimeBar, ReceiptSigns, StateSign } from '../state-sign.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { RotateDialog, useRotation } from '../rotate-dialog.tsx';
import { useCopyToken } from '../read-credentials.ts';
import styles from './credential-row.module.css';

/** A credential in the list: its state, what comes next, and the actions that are needed most. */
export function CredentialRow({
  one,
  isFixed = false,
}: {
  one: CredentialView;
  /** Whether it has to do with the height that it is given. */
  isFixed?: boolean;
}) {
  const [isPausing, setPausing] = useState(false);
  const name = one.token_name ?? one.name;
  const isOver = isDead(one) && one.trouble?.kind !== 'suspended';
  return (
    <div className={styles['row']} data-fixed={isFixed || undefined}>
      <Stack gap={1}>
        <Text as="div" size="medium">
          <StateSign one={one} />
        </Text>
        <Text size="normal" weight="bold" isCut title={tokenNameText({ name, kept_fresh_by: one.name })}>
          <Link to={credentialPath(one.name)} className={styles['link']}>
            <bdi>{one.name}</bdi>
          </Link>{' '}
          {name === one.name ? null : (
            <Text as="span" tone="soft" weight="regular">
              <bdi>{name}</bdi>
            </Text>
          )}
        </Text>
        <Line title={one.base_url}>{serviceLine(one)}</Line>
      </Stack>
      <Stack gap={1}>
        <Text weight="bold" isTabular>
          <NextCountdown one={one} />
        </Text>
        <LifetimeBar one={one} />
        <Line>
          <NextExactly one={one} />
        </Line>
        <Line>
          {isOver ? (
            <RichText text={overText(one)} parts={{ at: <Moment at={one.expires_at} /> }} />
          ) : (
            <RichText
              text={one.expiry_assumed === undefined ? text.expiresIn : text.expiresInAbout}
              parts={{ countdown: <Countdown to={one.expires_at} past={text.noTime} /> }}
            />
          )}
        </Line>
      </Stack>
      <Stack gap={1} className={styles['result']}>
        {/* As much as fits beside the rest; the page of the credential says all of it. */}
        <Text tone={one.message === null ? 'soft' : 'plain'} size="small" breaks lines={isFixed ? 2 : 3}>
          <LastResult one={one} />
        </Text>
        <ReceiptSigns targets={one.targets} />
      </Stack>
      <RowActions one={one} onPause={() => setPausing(true)} />
      {isPausing ? <PauseDialog one={one} onClose={() => setPausing(false)} /> : null}
    </div>
  );
}

function Line({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Text tone="soft" size="small" isTabular isCut title={title}>
      {children}
    </Text>
  );
}

/** What the last attempt came to. */
function LastResult({ one }: { one: CredentialView }) {
  if (one.message !== null) return one.message;
  const isRenewal = isRenewed(one.provider);
  if (one.last_rotated_at === null) return isRenewal ? text.neverRenewed : text.neverRotated;
  return (
    <RichText
      text={isRenewal ? text.renewed : text.rotated}
      parts={{ at: <Moment at={one.last_rotated_at} /> }}
    />
  );
}

/** The countdown to what comes next, in a few words. */
function NextCountdown({ one }: { one: CredentialView }) {
  if (one.rotation !== null && one.trouble === null) return text.underWay;
  if (one.next_rotation_at === null) return whyNone(one);
  if (one.waits_for_tools !== undefined) return toolWaitText.short(one.waits_for_tools.tools);
  return <Countdown to={one.next_rotation_at} past={text.due} />;
}

/** What comes next, at its exact instant. */
function NextExactly({ one }: { one: CredentialView }) {
  const { next_rotation_at: next, paused } = one;
  if (next === null) {
    if (one.trouble?.kind === 'suspended') return text.whenTokenResumed;
    if (waitsForPerson(one) || one.can_rotate === false) return text.nonePlanned;
    return text.whenResumed;
  }
  if (one.waits_for_tools !== undefined) {
    const parts = { until: <ExactMoment at={one.waits_for_tools.until} />, left: null };
    return <RichText text={toolWaitText.rotation(one.waits_for_tools.tools)} parts={parts} />;
  }
  const planned = paused !== null ? text.nextAfterPause : text.next;
  const what = one.trouble !== null ? text.retry : planned;
  return <RichText text={what} parts={{ at: <ExactMoment at={next} /> }} />;
}

/** That the time of a token is over; its state says whether that is why it does not work. */
function overText({ state, expiry_assumed: assumed }: CredentialView) {
  if (state !== 'expired') return text.wouldExpire;
  return assumed === undefined ? text.expired : text.expiredAbout;
}

/** Why no rotation is planned. */
function whyNone(one: CredentialView): string {
  if (one.trouble?.kind === 'suspended') return text.suspended;
  if (waitsForPerson(one) || one.trouble !== null) return text.waitsForYou;
  return one.can_rotate === false ? text.notRotated : text.paused;
}

function PauseButton({
  one,
  isResuming,
  onPause,
  onResume,
}: {
  one: CredentialView;
  isResuming: boolean;
  onPause: () => void;
  onResume: () => void;
}) {
  if (one.paused === null) {
    return (
      <ActionButton about={one.name} onPress={onPause}>
        {text.pause}
      </ActionButton>
    );
  }
  return (
    <ActionButton about={one.name} isBusy={isResuming} onPress={onResume}>
      {text.resume}
    </ActionButton>
  );
}

/** The actions that are needed most, and what came of them. */
function RowActions({ one, onPause }: { one: CredentialView; onPause: () => void }) {
  const { rotate, resume, isRotating, isResuming, refusal } = useRotation(one);
  const token = useCopyToken(one.name);
  const [isAsking, setAsking] = useState(false);
  const answer = refusal === undefined ? token.answer : { tone: 'bad' as const, words: refusal };
  const rotateLabel = isRenewed(one.provider) ? text.renew : text.rotate;

  return (
    <div className={styles['actions']}>
      <div className={styles['buttons']}>
        {!mayRotate(one) ? null : (
          <ActionButton about={one.name} isBusy={isRotating} onPress={() => setAsking(true)}>
            {isRotating ? text.rotating : rotateLabel}
          </ActionButton>
        )}
        {isDead(one) ? null : (
          <ActionButton about={text.of(one.name)} isBusy={token.isBusy} onPress={() => void token.copy()}>
            {text.copy}
          </ActionButton>
        )}
        {!mayRotate(one) ? null : (
          <PauseButton one={one} isResuming={isResuming} onPause={onPause} onResume={resume} />
        )}
      </div>
      <AnswerLine tone={answer?.tone ?? 'calm'} words={answer?.words ?? null} />
      {isAsking ? <RotateDialog one={one} onRotate={rotate} onClose={() => setAsking(false)} /> : null}
    </div>
  );
}
