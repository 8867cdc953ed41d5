import { useState } from 'react';
import { type CredentialView, isDead, mayRotate, waitsForPerson } from '../../../contract/credential-view.ts';
import { ActionButton } from '../../kit/button.tsx';
import { credentialPath } from '../../kit/address.ts';
import { Countdown } from '../../kit/countdown.tsx';
import { Link } from '../../kit/link.tsx';
import { ExactMoment, Moment } from '../../kit/moment.tsx';
import { ServiceWords } from '../../kit/service-words.tsx';
import { AnswerLine } from '../answer-line.tsx';
import { LifeBar } from '../life-bar.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { ReceiptSigns } from '../receipt-signs.tsx';
import { StateSign } from '../state-shape.tsx';
import { useCopyToken } from '../use-copy-token.ts';
import { useRotation } from '../use-rotation.ts';
import { hostOf } from '../../../contract/address.ts';
import styles from './credential-row.module.css';

/** A credential in the list: how it is, what comes next, and what is asked for most. */
export function CredentialRow({
  one,
  isFixed = false,
}: {
  one: CredentialView;
  /** Whether it has to do with the height that it is given. */
  isFixed?: boolean;
}) {
  const [isPausing, setPausing] = useState(false);
  const isOver = isDead(one) && one.trouble?.kind !== 'suspended';
  return (
    <div className={styles['row']} data-fixed={isFixed || undefined}>
      <div className={styles['who']}>
        <StateSign one={one} />
        <p className={styles['name']} title={one.name}>
          <Link to={credentialPath(one.name)} className={styles['link']}>
            {one.name}
          </Link>
        </p>
        <p className={styles['soft']} title={one.base_url}>
          {one.service === 'embedded' ? 'this service' : hostOf(one.base_url)}
        </p>
      </div>
      <div className={styles['when']}>
        <p className={styles['countdown']}>
          <NextCountdown one={one} />
        </p>
        <LifeBar one={one} />
        <p className={styles['soft']}>
          <NextExactly one={one} />
        </p>
        <p className={styles['soft']}>
          {one.state === 'expired' ? 'expired ' : isOver ? 'was to expire ' : 'expires in '}
          {isOver ? <Moment at={one.expires_at} /> : <Countdown to={one.expires_at} past="no time at all" />}
        </p>
      </div>
      <div className={styles['result']}>
        <p className={styles['last']} data-tone={one.message === null ? 'calm' : 'told'}>
          <LastResult one={one} />
        </p>
        <ReceiptSigns targets={one.targets} />
      </div>
      <RowActions one={one} onPause={() => setPausing(true)} />
      {isPausing ? <PauseDialog one={one} onClose={() => setPausing(false)} /> : null}
    </div>
  );
}

/** What the last attempt came to. */
function LastResult({ one }: { one: CredentialView }) {
  if (one.message !== null) return <ServiceWords said={one.message} />;
  if (one.last_rotated_at === null) return <>Not rotated yet</>;
  return (
    <>
      Rotated <Moment at={one.last_rotated_at} />
    </>
  );
}

/** The countdown to what comes next, in a few words. */
function NextCountdown({ one }: { one: CredentialView }) {
  if (one.rotation !== null && one.trouble === null) return <>under way</>;
  if (one.next_rotation_at === null) return <>{noneWords(one)}</>;
  return <Countdown to={one.next_rotation_at} past="due now" />;
}

/** What comes next, at its exact instant. */
function NextExactly({ one }: { one: CredentialView }) {
  const { next_rotation_at: next, paused } = one;
  if (next === null) {
    if (one.trouble?.kind === 'suspended') return <>no rotation until the token is resumed</>;
    if (waitsForPerson(one) || one.can_rotate === false) return <>no rotation is planned</>;
    return <>no rotation until you resume it</>;
  }
  const what = one.trouble !== null ? 'next try' : paused !== null ? 'next, after the pause' : 'next';
  return (
    <>
      {what}: <ExactMoment at={next} />
    </>
  );
}

/** Why no rotation is planned. */
function noneWords(one: CredentialView): string {
  if (one.trouble?.kind === 'suspended') return 'suspended';
  if (waitsForPerson(one) || one.trouble !== null) return 'waits for you';
  return one.can_rotate === false ? 'not rotated' : 'paused';
}

/** What is asked for most, and what came of it. */
function RowActions({ one, onPause }: { one: CredentialView; onPause: () => void }) {
  const { rotate, resume, isRotating, isResuming, refusal } = useRotation(one);
  const token = useCopyToken(one.name);
  const answer = refusal === undefined ? token.answer : { tone: 'bad' as const, words: refusal };

  return (
    <div className={styles['actions']}>
      <div className={styles['buttons']}>
        {!mayRotate(one) ? null : (
          <ActionButton about={one.name} isBusy={isRotating} onPress={rotate}>
            {isRotating ? 'Rotating …' : 'Rotate now'}
          </ActionButton>
        )}
        {isDead(one) ? null : (
          <ActionButton about={`of ${one.name}`} isBusy={token.isBusy} onPress={() => void token.copy()}>
            Copy token
          </ActionButton>
        )}
        {!mayRotate(one) ? null : one.paused === null ? (
          <ActionButton about={one.name} onPress={onPause}>
            Pause…
          </ActionButton>
        ) : (
          <ActionButton about={one.name} isBusy={isResuming} onPress={resume}>
            Resume
          </ActionButton>
        )}
      </div>
      <AnswerLine tone={answer?.tone ?? 'calm'} words={answer?.words ?? null} />
    </div>
  );
}
