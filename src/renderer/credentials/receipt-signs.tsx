import type { TargetView } from '../../contract/credential-view.ts';
import { kindWords, placeWords } from './place-words.ts';
import { ReceiptShape, receiptShapeWords } from './receipt-shape.tsx';
import styles from './receipt-signs.module.css';

/** More than these are a crowd: the page of the credential has them all. */
const shown = 6;

/** The receipts of a credential's targets, each as a small sign with its place on hover. */
export function ReceiptSigns({ targets }: { targets: readonly TargetView[] }) {
  if (targets.length === 0) return null;
  const more = targets.length - shown;
  return (
    <ul className={styles['signs']} aria-label="Delivered to">
      {targets.slice(0, shown).map((one) => (
        <li
          key={one.id}
          className={styles['sign']}
          title={`${placeWords(one.target)}\n${receiptShapeWords[one.status]}`}
        >
          <ReceiptShape status={one.status} />
          <span className={styles['unseen']}>
            {kindWords[one.target.kind]} {placeWords(one.target)}: {receiptShapeWords[one.status]}
          </span>
        </li>
      ))}
      {more > 0 ? <li className={styles['more']}>and {more} more</li> : null}
    </ul>
  );
}
