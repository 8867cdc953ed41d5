import type { TokenStatus } from '../../contract/token/token.ts';
import type { TokenRow } from '../../contract/token/token-list.ts';
import { drawings, Shape, type ShapeTone, strokes } from '../kit/shape.tsx';
import { Text } from '../kit/text.tsx';

const tones: Record<TokenStatus, ShapeTone> = {
  Active: 'good',
  Superseded: 'calm',
  Expired: 'warn',
  Suspended: 'pause',
  Blacklisted: 'bad',
};

/** Each status has its own outline, so that none is told by its colour alone. */
const shapes: Record<TokenStatus, React.ReactNode> = {
  Active: drawings.disc,
  Superseded: (
    <>
      <circle className={strokes.line} cx="10" cy="10" r="7.25" />
      <path className={strokes.line} d="M6.75 10h6.25m-2.5-2.75L13.25 10 10.5 12.75" />
    </>
  ),
  Expired: (
    <path
      className={strokes.line}
      d="M5.5 2.75h9m-9 14.5h9M6.5 2.75v2.5C6.5 8 10 8.25 10 10s-3.5 2-3.5 4.75v2.5m7-14.5v2.5C13.5 8 10 8.25 10 10s3.5 2 3.5 4.75v2.5"
    />
  ),
  Suspended: drawings.bars,
  Blacklisted: drawings.cross,
};

/** Whether a token works, or may work again. */
export function isLive(status: TokenStatus): boolean {
  return status === 'Active' || status === 'Suspended';
}

/** The sign of a token status. Decorative: its name always stands beside it. */
export function StatusShape({ status }: { status: TokenStatus }) {
  return <Shape tone={tones[status]}>{shapes[status]}</Shape>;
}

/** What a token is called: as its credential where it has one, with its own name beside it where that differs. */
export function TokenName({
  token: { name, kept_fresh_by: credential },
}: {
  token: Pick<TokenRow, 'name' | 'kept_fresh_by'>;
}) {
  if (credential === null || credential === name) return <bdi>{name}</bdi>;
  return (
    <>
      <bdi>{credential}</bdi>{' '}
      <Text as="span" tone="soft" weight="regular">
        <bdi>{name}</bdi>
      </Text>
    </>
  );
}
