import type { ReactNode } from 'react';
import {
  type CredentialState,
  type CredentialView,
  isDead,
  type TargetView,
  type TroubleKind,
} from '../../contract/credential/credential-view.ts';
import {
  credentialLabel,
  placeText,
  receiptLabels,
  targetKindText,
} from '../../text/credential/credentials.ts';
import { drawings, Shape, strokes } from '../kit/shape.tsx';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { credentialListText as text } from '../../text/credential/credential-list-text.ts';
import unseen from '../kit/unseen.module.css';
import { useMinute } from '../kit/use-minute.ts';
import styles from './credentials.module.css';

/** How a credential is, told apart by shape before colour. */
export type StateShape = 'disc' | 'ring' | 'half' | 'bars' | 'triangle' | 'cross' | 'lock' | 'bell';
export type StateTone = 'good' | 'accent' | 'pause' | 'warn' | 'bad';

export interface StateSign {
  readonly shape: StateShape;
  readonly tone: StateTone;
  readonly words: string;
}

const signs: Record<CredentialState, Omit<StateSign, 'words'>> = {
  reply_lost: { shape: 'cross', tone: 'bad' },
  value_missing: { shape: 'cross', tone: 'bad' },
  expired: { shape: 'cross', tone: 'bad' },
  refused: { shape: 'triangle', tone: 'bad' },
  vault_unavailable: { shape: 'lock', tone: 'bad' },
  failing: { shape: 'triangle', tone: 'bad' },
  rotating: { shape: 'ring', tone: 'accent' },
  due: { shape: 'half', tone: 'accent' },
  delivery_failing: { shape: 'triangle', tone: 'warn' },
  reminder: { shape: 'bell', tone: 'pause' },
  paused: { shape: 'bars', tone: 'pause' },
  fine: { shape: 'disc', tone: 'good' },
};

/** Refusals after which the token never works again. */
const finalRefusals: ReadonlySet<TroubleKind> = new Set(['invalid', 'superseded', 'blacklisted']);

/** A credential's state as a shape, a tone and a few words. */
export function stateSign({
  state,
  trouble,
  provider,
}: {
  readonly provider?: { readonly id: string };
  readonly state: CredentialState;
  readonly trouble: { readonly kind: TroubleKind } | null;
}): StateSign {
  const kind = trouble?.kind ?? null;
  const isFinal = state === 'refused' && kind !== null && finalRefusals.has(kind);
  return { ...signs[isFinal ? 'value_missing' : state], words: credentialLabel(state, kind, provider?.id) };
}

/** Each has its own outline, so that none is told by its colour alone. */
const stateDrawings: Record<StateShape, ReactNode> = {
  ...drawings,
  ring: (
    <path
      className={strokes.line}
      d="M16.5 8A6.75 6.75 0 0 0 4.4 6.2L3 8m0-4.5V8h4.5M3.5 12a6.75 6.75 0 0 0 12.1 1.8L17 12m0 4.5V12h-4.5"
    />
  ),
  half: (
    <>
      <circle className={strokes.line} cx="10" cy="10" r="7.25" />
      <path className={strokes.solid} d="M10 2.75a7.25 7.25 0 0 1 0 14.5z" />
    </>
  ),
  bell: (
    <>
      <path className={strokes.solid} d="M10 2.5a5 5 0 0 0-5 5v4L3.25 14.5h13.5L15 11.5v-4a5 5 0 0 0-5-5z" />
      <path className={strokes.line} d="M8.25 17h3.5" />
    </>
  ),
  lock: (
    <>
      <rect className={strokes.solid} x="3.5" y="8.5" width="13" height="9" rx="2" />
      <path className={strokes.line} d="M6.25 8.5V6a3.75 3.75 0 0 1 7.5 0v2.5" />
      <path className={strokes.cut} d="M10 12v2.25" />
    </>
  ),
};

/** The sign of a state. */
export function StateDrawing({ shape, tone }: { shape: StateShape; tone: StateTone }) {
  return <Shape tone={tone}>{stateDrawings[shape]}</Shape>;
}

export function StateSign({ one }: { one: Pick<CredentialView, 'state' | 'trouble'> }) {
  const { shape, tone, words } = stateSign(one);
  return (
    <Text as="span" tone={tone === 'bad' || tone === 'warn' ? tone : 'plain'} weight="strong">
      <Row as="span" gap={2} align="center">
        <StateDrawing shape={shape} tone={tone} />
        {words}
      </Row>
    </Text>
  );
}

/** More than these are a crowd: the page of the credential has them all. */
const shown = 6;

/** The receipts of a credential's targets, each as a small sign with its place on hover. */
export function ReceiptSigns({ targets }: { targets: readonly TargetView[] }) {
  if (targets.length === 0) return null;
  const more = targets.length - shown;
  return (
    <Row as="ul" gap={targets.length > 2 ? 1 : 3} wraps align="center" aria-label={text.targets}>
      {targets.slice(0, shown).map((one) => (
        <Row key={one.id} as="li" gap={1} title={`${placeText(one.target)}\n${receiptLabels[one.status]}`}>
          <ReceiptShape status={one.status} />
          {/* Where there is room for it, what kind of target it is. */}
          <Text as="span" tone="soft" size="small" isUnseen={targets.length > 2}>
            {targetKindText(one.target)}
          </Text>
          <span className={unseen['unseen']}>
            {' '}
            {placeText(one.target)}: {receiptLabels[one.status]}
          </span>
        </Row>
      ))}
      {more > 0 ? (
        <Text as="li" tone="soft" size="small">
          {text.moreTargets(more)}
        </Text>
      ) : null}
    </Row>
  );
}

/** A receipt's status by shape: a full square with a tick, an empty one, a triangle. */
export function ReceiptShape({ status }: { status: TargetView['status'] }) {
  return <Shape tone={tones[status]}>{receiptDrawings[status]}</Shape>;
}

const tones = { delivered: 'good', owed: 'calm', failing: 'warn' } as const;

const receiptDrawings: Record<TargetView['status'], ReactNode> = {
  delivered: (
    <>
      <rect className={strokes.solid} x="2.5" y="2.5" width="15" height="15" rx="4" />
      <path className={strokes.cut} d="m6.5 10.25 2.5 2.5 4.5-5" />
    </>
  ),
  owed: <rect className={strokes.line} x="3.25" y="3.25" width="13.5" height="13.5" rx="4" />,
  failing: drawings.triangle,
};

/** The lifetime of the current token as a bar that empties, with a mark at its next rotation. The words beside say the same. */
export function LifetimeBar({ one }: { one: CredentialView }) {
  const now = useMinute();
  const { tone } = stateSign(one);
  const left = isDead(one) ? 0 : shareLeft(one, now);
  return (
    <div className={styles['bar']} aria-hidden="true">
      <div className={styles['left']} data-tone={tone} style={{ width: `${left * 100}%` }} />
      {one.next_rotation_at === null || left === 0 ? null : (
        <div
          className={styles['mark']}
          style={{ right: `${(1 - shareAt(one, one.next_rotation_at)) * 100}%` }}
        />
      )}
    </div>
  );
}

type Lifetime = Pick<CredentialView, 'obtained_at' | 'expires_at'>;

/** How long a token is valid in all, in milliseconds; at least 1, also for one that expired when it was issued. */
export function lifetimeMs({ obtained_at: from, expires_at: until }: Lifetime): number {
  return Math.max(Date.parse(until) - Date.parse(from), 1);
}

/** The share of its lifetime that is left, from 0 to 1. */
export function shareLeft(one: Lifetime, nowMs: number): number {
  return Math.min(Math.max((Date.parse(one.expires_at) - nowMs) / lifetimeMs(one), 0), 1);
}

/** The share of its lifetime after which an instant is, from 0 to 1; for a mark on a bar. */
export function shareAt(one: Lifetime, at: string): number {
  return Math.min(Math.max((Date.parse(at) - Date.parse(one.obtained_at)) / lifetimeMs(one), 0), 1);
}
