import type { ReactNode } from 'react';
import type {
  CredentialState,
  CredentialView,
  TroubleKind,
} from '../../contract/credential/credential-view.ts';
import { credentialLabel } from '../../text/credential/credentials.ts';
import { drawings, Shape, strokes } from '../kit/shape.tsx';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';

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

/** How a credential is, by shape and words. */
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
