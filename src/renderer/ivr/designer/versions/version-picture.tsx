import { useMemo } from 'react';

import type { IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import { svgPicture } from '../../../../core/ivr/export/svg-picture.ts';
import { svgAddress } from '../exchange/svg-address.ts';
import type { PartDifference } from './compare-documents.ts';
import styles from './versions-dialog.module.css';

/** A state of the drawing as the picture that can also be exported; what differs from the other is marked in it. */
export function VersionPicture({
  document,
  parts,
  label,
}: {
  document: IvrDocument;
  parts: readonly PartDifference[];
  label: string;
}) {
  const address = useMemo(() => {
    // What only lies elsewhere is seen without a mark.
    const marked = new Map(
      parts.flatMap(({ id, change }) => (change === 'moved' ? [] : [[id as NodeId, change] as const])),
    );
    return svgAddress(svgPicture(document, { marked }));
  }, [document, parts]);
  return (
    <figure className={styles['figure']}>
      <figcaption className={styles['caption']}>{label}</figcaption>
      <img className={styles['picture']} src={address} alt={`Picture of the drawing: ${label}`} />
    </figure>
  );
}
