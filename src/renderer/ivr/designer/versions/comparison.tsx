import { useMemo, useState } from 'react';

import type { DraftNode, DraftVersion, IvrDocument } from '../../../../contract/ivr-draft.ts';
import { Field } from '../../../kit/field.tsx';
import { nodeWords } from '../inspector/node-words.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { compareDocuments } from './compare-documents.ts';
import { Differences } from './differences.tsx';
import { VersionPicture } from './version-picture.tsx';
import styles from './versions-dialog.module.css';

/** A version beside the present drawing, or beside another version: as pictures, and field by field. */
export function Comparison({
  version,
  versions,
}: {
  version: DraftVersion;
  versions: readonly DraftVersion[];
}) {
  const { surroundings } = useDesigner();
  const present = useDesignerState(({ document }) => document);
  const [other, setOther] = useState<number | null>(null);
  const otherVersion = versions.find((known) => known.version === other);
  const after: IvrDocument = otherVersion?.document ?? present;
  const parts = useMemo(
    () =>
      compareDocuments(version.document, after, (_document, node: DraftNode) =>
        nodeWords(node, surroundings),
      ),
    [version, after, surroundings],
  );
  const afterName = otherVersion === undefined ? 'Now' : `Version ${otherVersion.version}`;
  return (
    <>
      <Field label={`Compare version ${version.version} with`}>
        {(tied) => (
          <select
            {...tied}
            className={styles['select']}
            value={other ?? 'present'}
            onChange={({ target }) => setOther(target.value === 'present' ? null : Number(target.value))}
          >
            <option value="present">The drawing as it is now</option>
            {versions
              .filter((known) => known.version !== version.version)
              .map((known) => (
                <option key={known.version} value={known.version}>
                  Version {known.version}
                </option>
              ))}
          </select>
        )}
      </Field>
      <div className={styles['pictures']}>
        <VersionPicture document={version.document} parts={parts} label={`Version ${version.version}`} />
        <VersionPicture document={after} parts={parts} label={afterName} />
      </div>
      <Differences parts={parts} />
    </>
  );
}
