import { useId, useMemo, useRef, useState } from 'react';
import type { DraftVersion, IvrDocument, NodeId } from '../../../../contract/menu/ivr-draft.ts';
import { problemText } from '../../../../text/window/connection.ts';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { svgPicture } from '../../../../core/ivr/export/svg-picture.ts';
import { pictureLabels } from '../../../../text/menu/phone-menu.ts';
import { ActionButton, Button } from '../../../kit/button.tsx';
import { Tick } from '../../../kit/choice.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { isBusyWith, useAct } from '../../../kit/use-act.ts';
import { type HoursToRestore, hoursToRestore, othersThatAsk, restoreHours } from './hours-to-restore.ts';
import type { LiveView } from '../../../kit/live/resource.ts';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { Moment } from '../../../kit/moment.tsx';
import { svgAddress } from '../exchange/draw-png.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { versionsOf } from '../publish/read-publications.ts';
import { Sentences } from '../publish/caller-preview.tsx';
import { compareDocuments, type PartDifference } from './compare-documents.ts';
import panel from '../panel.module.css';
import styles from './versions-dialog.module.css';
import { editText } from '../../../../text/menu/designer.ts';
import { versionsText as text } from '../../../../text/menu/versions.ts';

/** The published versions of this draft: compare and restore them. */
export function VersionsDialog({
  onRestored,
  onClose,
}: {
  /** The version is in the draft, and what was published stays as it is. */
  onRestored: (version: number) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { draftId, referenceData, store } = useDesigner();
  const live = useLive(versionsOf(draftId));
  const versions = live.known?.value;
  const [chosen, setChosen] = useState<number | null>(null);
  const version = versions?.find((other) => other.version === chosen) ?? versions?.[0];

  const act = useAct();
  const isBusy = isBusyWith(act, 'restore');
  /** The version whose hours are set back: not those of another, such as one that is published meanwhile. */
  const [backTo, setBackTo] = useState<number | null>(null);
  const setsBack = backTo !== null && backTo === version?.version;
  const stored = referenceData.schedules;
  const hours = version === undefined || stored === undefined ? noHours : hoursToRestore(version, stored);

  async function restore({ version: number, document }: DraftVersion): Promise<void> {
    const done = await act.run(
      'restore',
      () => restoreHours(document, hours, { setsBack, stored: stored ?? [] }),
      'schedule_changed',
    );
    if (done === null) return;
    store.replace(editText.restore(number), done.value, new Set());
    onRestored(number);
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !isBusy} onClose={onClose}>
      <div className={panel['column']}>
        {versions === undefined || version === undefined ? (
          <p className={panel['note']}>{noVersionText(live)}</p>
        ) : (
          <>
            <VersionList versions={versions} shown={version.version} onShow={setChosen} />
            <RestoredHours
              version={version}
              versions={versions}
              hours={hours}
              setsBack={setsBack}
              onSetsBack={(isOn) => setBackTo(isOn ? version.version : null)}
            />
            <Comparison key={version.version} version={version} versions={versions} />
          </>
        )}
        <DialogButtons>
          <FormRefusal reason={act.refusal} />
          <Button onPress={() => ref.current?.close()}>{text.close}</Button>
          {version === undefined ? null : (
            <ActionButton rank="main" isBusy={isBusy} onPress={() => void restore(version)}>
              {text.restore(version.version)}
            </ActionButton>
          )}
        </DialogButtons>
      </div>
    </Dialog>
  );
}

/** Why no version is shown. */
function noVersionText({ known, connection }: LiveView<unknown>): string {
  if (known !== undefined) return text.none;
  if (connection.kind === 'asking' || connection.kind === 'live') return text.loading;
  return problemText(connection);
}

const noHours: HoursToRestore = { changed: [], missing: [], again: new Map() };

/** What restoring does to the opening hours, which other call flows may ask, too: said before it happens. */
function RestoredHours({
  version: { version },
  versions,
  hours: { changed, missing },
  setsBack,
  onSetsBack,
}: {
  version: DraftVersion;
  versions: readonly DraftVersion[];
  hours: HoursToRestore;
  setsBack: boolean;
  onSetsBack: (setsBack: boolean) => void;
}) {
  const { draftId } = useDesigner();
  if (changed.length === 0 && missing.length === 0) return null;
  const names = changed.map(({ present }) => present.name);
  return (
    <section className={panel['group']} aria-label={text.hours.title}>
      <Text as="h3" size="medium" weight="bold">
        {text.hours.title}
      </Text>
      {missing.map(({ id, name }) => (
        <p key={id}>{text.hours.missing(name)}</p>
      ))}
      {changed.length === 0 ? null : (
        <>
          <p>{text.hours.changed(names, version)}</p>
          <Tick
            label={text.hours.setBack(version)}
            hint={text.hours.meaning(othersThatAsk(changed, { draftId, versions }))}
            isOn={setsBack}
            onChange={onSetsBack}
          />
        </>
      )}
    </section>
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
    <ul className={styles['list']} aria-label={text.list}>
      {versions.map(({ version, credential, base_url, published_at }) => (
        <li key={version}>
          <button
            type="button"
            className={styles['version']}
            aria-pressed={version === shown}
            aria-describedby={`${id}-${version}`}
            onClick={() => onShow(version)}
          >
            <span>{text.version(version)}</span>
            <Text as="span" id={`${id}-${version}`} weight="regular">
              {credential === null ? text.here : text.elsewhere(credential, base_url)}
            </Text>
            <Text as="span" weight="regular">
              <Moment at={published_at} />
            </Text>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A version compared with the current draft or another version, as pictures and field by field. */
function Comparison({ version, versions }: { version: DraftVersion; versions: readonly DraftVersion[] }) {
  const { referenceData } = useDesigner();
  const draft = useDesignerState(({ document }) => document);
  const [other, setOther] = useState<number | null>(null);
  const otherVersion = versions.find((known) => known.version === other);
  const after: IvrDocument = otherVersion?.document ?? draft;
  const parts = useMemo(
    () => compareDocuments(version.document, after, referenceData),
    [version, after, referenceData],
  );
  const afterName = other === null ? text.now : text.version(other);
  return (
    <>
      <Field label={text.compareWith(version.version)}>
        {(tied) => (
          <select
            {...tied}
            className={panel['select']}
            value={other ?? 'current'}
            onChange={({ target }) => setOther(target.value === 'current' ? null : Number(target.value))}
          >
            <option value="current">{text.current}</option>
            {versions
              .filter((known) => known.version !== version.version)
              .map((known) => (
                <option key={known.version} value={known.version}>
                  {text.version(known.version)}
                </option>
              ))}
          </select>
        )}
      </Field>
      <Differences parts={parts} />
      <div className={panel['column']}>
        <VersionPicture document={version.document} parts={parts} label={text.version(version.version)} />
        <VersionPicture document={after} parts={parts} label={afterName} />
      </div>
    </>
  );
}

/** The differences part by part: what they mean for callers, and the fields of the requests where they are asked for. */
function Differences({ parts }: { parts: readonly PartDifference[] }) {
  if (parts.length === 0) return <p className={panel['note']}>{text.same}</p>;
  return (
    <Stack as="ul" gap={3} aria-label={text.differences}>
      {parts.map(({ id, what, change, sentences, fields }) => (
        <li key={id}>
          <Text as="h3" size="medium" weight="bold" breaks>
            {what}{' '}
            <Text as="span" tone="soft" weight="regular">
              {text.change[change]}
            </Text>
          </Text>
          {sentences.length === 0 ? null : <Sentences sentences={sentences} />}
          {fields.length === 0 ? null : (
            <details className={styles['requests']}>
              <summary>{text.requests}</summary>
              <FieldTable fields={fields} />
            </details>
          )}
        </li>
      ))}
    </Stack>
  );
}

/** The fields that differ, under their names in the body. */
function FieldTable({ fields }: { fields: PartDifference['fields'] }) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{text.field}</th>
          <th scope="col">{text.before}</th>
          <th scope="col">{text.after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">
              <code>{field}</code>
            </th>
            <td>{before ?? text.nothing}</td>
            <td>{after ?? text.nothing}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A version as the picture that can also be exported; the differences are marked. */
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
    // A part that was only moved is not marked.
    const marked = new Map(
      parts.flatMap(({ id, change }) => (change === 'moved' ? [] : [[id as NodeId, change] as const])),
    );
    return svgAddress(svgPicture(document, pictureLabels, { marked, isThemed: true }));
  }, [document, parts]);
  return (
    <Stack as="figure" gap={1}>
      <figcaption className={panel['note']}>{label}</figcaption>
      <img className={panel['picture']} src={address} alt={text.picture(label)} />
    </Stack>
  );
}
