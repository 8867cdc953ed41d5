import { useRef, useState } from 'react';
import type { IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import { bodyExport } from '../../../../core/ivr/body/menu-body.ts';
import { documentExport } from '../../../../core/ivr/document-file.ts';
import { asteriskDialplan } from '../../../../core/ivr/export/asterisk-dialplan.ts';
import { freeswitchMenus } from '../../../../core/ivr/export/freeswitch-menus.ts';
import { graphvizPicture } from '../../../../core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../../../core/ivr/export/svg-picture.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { pictureLabels } from '../../../../text/phone-menu.ts';
import { Button } from '../../../kit/button.tsx';
import { Choice } from '../../../kit/choice.tsx';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FieldGroup } from '../../../kit/field.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { fileName, saveFile } from '../../../kit/save-file.ts';
import { knownIds, publicationsOf } from '../publish/read-publications.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { drawPng, svgAddress } from './draw-png.ts';
import panel from '../panel.module.css';
import styles from './exchange.module.css';
import { exportFormatText, exportText, type FormatName } from '../../../../text/flow-export.ts';

/** The call flow in the formats of other programs, with a preview. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const { check, draftId } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const known = knownIds(useLive(publicationsOf(draftId)).known?.value ?? [], null);
  const [name, setName] = useState<FormatName>('draft');
  const [reason, setReason] = useState<string>();
  const format = exportFormats.find((other) => other.name === name);
  if (format === undefined) return null;
  const { ending, type } = format;
  const { label, purpose } = exportFormatText[name];
  const text = exportOf(name, { document, flow: check.flow, idOf: (menu) => known[menu] ?? menu });
  const isPicture = name === 'svg' || name === 'png';
  const file = fileName(document.name, ending);

  async function save(content: string): Promise<void> {
    try {
      saveFile(file, name === 'png' ? await drawPng(content) : new Blob([content], { type }));
      setReason(undefined);
    } catch {
      setReason(exportText.noPng);
    }
  }

  return (
    <Dialog ref={ref} title={exportText.title} mayClose={() => true} onClose={onClose}>
      <div className={panel['column']}>
        <FieldGroup legend={exportText.format} hint={purpose}>
          <Choice
            options={exportFormats.map(({ name: value }) => ({
              value,
              label: exportFormatText[value].label,
            }))}
            value={name}
            onChange={setName}
          />
        </FieldGroup>
        {text === null ? (
          <p className={panel['note']}>{exportText.incomplete}</p>
        ) : isPicture ? (
          <img className={panel['picture']} src={svgAddress(text)} alt={exportText.picture(document.name)} />
        ) : (
          <pre
            className={styles['preview']}
            tabIndex={0}
            aria-label={exportText.preview(label, document.name)}
          >
            <code>{text}</code>
          </pre>
        )}
        <DialogButtons>
          <FormRefusal reason={reason} />
          <Button onPress={() => ref.current?.close()}>{exportText.close}</Button>
          {text === null || name === 'png' ? null : <CopyButton text={text} what={exportText.copy(label)} />}
          {text === null ? null : (
            <Button rank="main" onPress={() => void save(text)}>
              {file.length > 40 ? exportText.saveAs(ending) : exportText.save(file)}
            </Button>
          )}
        </DialogButtons>
      </div>
    </Dialog>
  );
}

const exportFormats: readonly {
  readonly name: FormatName;
  readonly ending: string;
  /** Media type. */
  readonly type: string;
}[] = [
  {
    name: 'draft',
    ending: '.rotavox.json',
    type: 'application/json',
  },
  {
    name: 'body',
    ending: '.json',
    type: 'application/json',
  },
  {
    name: 'asterisk',
    ending: '.conf',
    type: 'text/plain',
  },
  {
    name: 'freeswitch',
    ending: '.xml',
    type: 'application/xml',
  },
  {
    name: 'svg',
    ending: '.svg',
    type: 'image/svg+xml',
  },
  {
    name: 'png',
    ending: '.png',
    type: 'image/png',
  },
  {
    name: 'graphviz',
    ending: '.dot',
    type: 'text/vnd.graphviz',
  },
];

/** The text of an export (of a PNG: its SVG); null for a format that needs a call flow without errors. */
function exportOf(
  name: FormatName,
  {
    document,
    flow,
    idOf,
  }: {
    readonly document: IvrDocument;
    readonly flow: Flow | null;
    readonly idOf: (menu: NodeId) => string;
  },
): string | null {
  switch (name) {
    case 'body':
      return bodyExport(document, idOf);
    case 'draft':
      return documentExport(document);
    case 'asterisk':
      return flow === null ? null : asteriskDialplan(flow, document.name);
    case 'freeswitch':
      return flow === null ? null : freeswitchMenus(flow, document.name);
    case 'graphviz':
      return graphvizPicture(document, pictureLabels);
    case 'svg':
    case 'png':
      return svgPicture(document, pictureLabels);
  }
}
