import { useId, useRef, useState } from 'react';

import type { DraftVersion } from '../../../../contract/ivr-draft.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { Moment } from '../../../kit/moment.tsx';
import { problemWords } from '../../../kit/problem-words.ts';
import { useDesigner } from '../use-designer.ts';
import { Comparison } from './comparison.tsx';
import { versionsOf } from './read-versions.ts';
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
