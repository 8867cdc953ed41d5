import type { ReactNode } from 'react';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import type { TargetView } from '../../contract/credential/credential-view.ts';
import { drawings, Shape, strokes } from '../kit/shape.tsx';
import { credentialListText as text } from '../../text/credential/credential-list-text.ts';
import { placeText, receiptLabels, targetKindText } from '../../text/credential/credentials.ts';
import unseen from '../kit/unseen.module.css';

/** More than these are a crowd: the page of the credential has them all. */
const shown = 6;

/** The receipts of a credential's targets, each as a small sign with its place on hover. */
export function ReceiptSigns({ targets }: { targets: readonly TargetView[] }) {
  if (targets.length === 0) return null;
  const more = targets.length - shown;
  return (
    <Row as="ul" gap={1} wraps align="center" aria-label={text.targets}>
      {targets.slice(0, shown).map((one) => (
        <Row key={one.id} as="li" gap={1} title={`${placeText(one.target)}\n${receiptLabels[one.status]}`}>
          <ReceiptShape status={one.status} />
          <span className={unseen['unseen']}>
            {targetKindText(one.target)} {placeText(one.target)}: {receiptLabels[one.status]}
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
