import { useRef, useState } from 'react';

import { Button } from '../../../kit/button.tsx';
import { Choice } from '../../../kit/choice.tsx';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FieldGroup } from '../../../kit/field.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { knownIds, publicationsOf } from '../publish/read-publications.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { drawPng } from './draw-png.ts';
import styles from './exchange.module.css';
import { exportFormats, exportText, type FormatName } from './export-formats.ts';
import { fileName, saveFile } from '../../../kit/save-file.ts';
import { svgAddress } from './svg-address.ts';

/** The drawing in the forms that others read: looked at first, then copied or saved. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const { check, draftId } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const known = knownIds(useLive(publicationsOf(draftId)).known?.value ?? [], null);
  const [name, setName] = useState<FormatName>('drawing');
  const [reason, setReason] = useState<string>();
  const format = exportFormats.find((other) => other.name === name);
  if (format === undefined) return null;
  const { label, purpose, ending, type } = format;
  const text = exportText(name, { document, flow: check.flow, idOf: (menu) => known[menu] ?? menu });
  const isPicture = name === 'svg' || name === 'png';
  const file = fileName(document.name, ending);

  async function save(content: string): Promise<void> {
    try {
      saveFile(file, name === 'png' ? await drawPng(content) : new Blob([content], { type }));
      setReason(undefined);
    } catch (error) {
      setReason(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <Dialog ref={ref} title="Export" mayClose={() => true} onClose={onClose}>
      <div className={styles['exchange']}>
        <FieldGroup legend="Format" hint={purpose}>
          <Choice
            options={exportFormats.map(({ name: value, label: words }) => ({ value, label: words }))}
            value={name}
            onChange={setName}
          />
        </FieldGroup>
        {text === null ? (
          <p className={styles['note']}>
            This needs a drawing that can be called. Something is still open in it: see the problems.
          </p>
        ) : isPicture ? (
          <img className={styles['picture']} src={svgAddress(text)} alt={`Picture of ${document.name}`} />
        ) : (
          <pre className={styles['preview']} tabIndex={0} aria-label={`${label} of ${document.name}`}>
            <code>{text}</code>
          </pre>
        )}
        <DialogButtons>
          <FormRefusal reason={reason} />
          <Button onPress={() => ref.current?.close()}>Close</Button>
          {text === null || name === 'png' ? null : (
            <CopyButton text={text} what={`the export as ${label}`} />
          )}
          {text === null ? null : (
            <Button rank="main" onPress={() => void save(text)}>
              Save {file.length > 40 ? `as ${ending}` : file}
            </Button>
          )}
        </DialogButtons>
      </div>
    </Dialog>
  );
}
