import { useId, useMemo, useRef, useState } from 'react';
import type {
  DraftId,
  DraftNode,
  DraftVersion,
  IvrDocument,
  NodeId,
} from '../../../../contract/ivr-draft.ts';
import { svgPicture } from '../../../../core/ivr/export/svg-picture.ts';
import { nodeWords, pictureWords } from '../../../../text/phone-menu.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import type { Resource } from '../../../kit/live/resource.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { Moment } from '../../../kit/moment.tsx';
import { problemWords } from '../../../kit/problem-words.ts';
import { svgAddress } from '../exchange/draw-png.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { compareDocuments, type PartDifference } from './compare-documents.ts';
import styles from './versions-dialog.module.css';

/** What was published of this drawing: look at it beside the present one, and go back to it. */
export function VersionsDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const { draftId, store } = useDesigner();
  const live = useLive(versionsOf(draftId));
  const versions = live.known?.value;
  const [chosen, setChosen] = useState<number | null>(null);
  const version = versions?.find((other) => other.version === chosen) ?? versions?.[0];

  function restore({ version: number, document }: DraftVersion): void {
    store.edit(`restore version ${number}`, () => document, { select: new Set() });
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title="Versions" mayClose={() => true} onClose={onClose}>
      <div className={styles['versions']}>
        {versions === undefined ? (
          <p className={styles['note']}>
            {live.connection.kind === 'asking' || live.connection.kind === 'live'
              ? 'Asking the service …'
              : problemWords(live.connection)}
          </p>
        ) : version === undefined ? (
          <p className={styles['note']}>
            No version yet. Each time this drawing is published, it is kept as it was then: to compare, and to
            go back to.
          </p>
        ) : (
          <>
            <VersionList versions={versions} shown={version.version} onShow={setChosen} />
            <Comparison key={version.version} version={version} versions={versions} />
          </>
        )}
        <DialogButtons>
          <Button onPress={() => ref.current?.close()}>Close</Button>
          {version === undefined ? null : (
            <Button rank="main" onPress={() => restore(version)}>
              Restore version {version.version}
            </Button>
          )}
        </DialogButtons>
      </div>
    </Dialog>
  );
}

function VersionList({
  versions,
  shown,
  onShow,
}: {
  versions: readonly DraftVersion[];
  shown: number;
  onShow: (version: number) => void;
}) {
  const id = useId();
  return (
    <ul className={styles['list']} aria-label="Published versions">
      {versions.map(({ version, credential, base_url, published_at }) => (
        <li key={version}>
          <button
            type="button"
            className={styles['version']}
            aria-pressed={version === shown}
            aria-describedby={`${id}-${version}`}
            onClick={() => onShow(version)}
          >
            <span>Version {version}</span>
            <span id={`${id}-${version}`} className={styles['where']}>
              {credential === null ? 'this service' : `${credential}, ${base_url}`}
            </span>
            <span className={styles['when']}>
              <Moment at={published_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A version beside the present drawing, or beside another version: as pictures, and field by field. */
function Comparison({ version, versions }: { version: DraftVersion; versions: readonly DraftVersion[] }) {
  const { referenceData } = useDesigner();
  const present = useDesignerState(({ document }) => document);
  const [other, setOther] = useState<number | null>(null);
  const otherVersion = versions.find((known) => known.version === other);
  const after: IvrDocument = otherVersion?.document ?? present;
  const parts = useMemo(
    () =>
      compareDocuments(version.document, after, (_document, node: DraftNode) =>
        nodeWords(node, referenceData),
      ),
    [version, after, referenceData],
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

/** What differs, part by part: a menu's fields under their names in the body. */
function Differences({ parts }: { parts: readonly PartDifference[] }) {
  if (parts.length === 0) return <p className={styles['note']}>The two are the same.</p>;
  return (
    <ul className={styles['differences']} aria-label="What differs">
      {parts.map(({ id, what, change, fields }) => (
        <li key={id}>
          <h3 className={styles['what']}>
            {what} <span className={styles['change']}>{change === 'moved' ? 'moved' : change}</span>
          </h3>
          {fields.length === 0 || change === 'removed' ? null : (
            <table className={styles['table']}>
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                </tr>
              </thead>
              <tbody>
                {fields.map(({ field, before, after }) => (
                  <tr key={field}>
                    <th scope="row">
                      <code>{field}</code>
                    </th>
                    <td className={styles['before']}>{before ?? '—'}</td>
                    <td>{after ?? '—'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A state of the drawing as the picture that can also be exported; what differs from the other is marked in it. */
function VersionPicture({
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
    return svgAddress(svgPicture(document, pictureWords, { marked }));
  }, [document, parts]);
  return (
    <figure className={styles['figure']}>
      <figcaption className={styles['caption']}>{label}</figcaption>
      <img className={styles['picture']} src={address} alt={`Picture of the drawing: ${label}`} />
    </figure>
  );
}

/** Every version of a draft that was published, newest first. */
function versionsOf(id: DraftId): Resource<readonly DraftVersion[]> {
  return {
    key: ['draft', id, 'versions'],
    about: ['draft.published'],
    read: async (signal) => {
      const reply = await askPortal('draftVersions', { params: { id }, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.versions } : reply;
    },
  };
}
