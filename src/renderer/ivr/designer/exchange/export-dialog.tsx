import { useRef, useState } from 'react';
import type { IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import { bodyExport } from '../../../../core/ivr/body/menu-body.ts';
import { documentExport } from '../../../../core/ivr/document-file.ts';
import { asteriskDialplan } from '../../../../core/ivr/export/asterisk-dialplan.ts';
import { freeswitchMenus } from '../../../../core/ivr/export/freeswitch-menus.ts';
import { graphvizPicture } from '../../../../core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../../../core/ivr/export/svg-picture.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { pictureWords } from '../../../../text/phone-menu.ts';
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
import styles from './exchange.module.css';

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

type FormatName = 'body' | 'drawing' | 'asterisk' | 'freeswitch' | 'graphviz' | 'svg' | 'png';

export interface ExportFormat {
  readonly name: FormatName;
  readonly label: string;
  /** What it is for. */
  readonly purpose: string;
  readonly ending: string;
  readonly type: string;
}

const exportFormats: readonly ExportFormat[] = [
  {
    name: 'drawing',
    label: 'Drawing',
    purpose: 'All of it, scenarios and places included: to keep it, or to open it on another machine.',
    ending: '.rotavox.json',
    type: 'application/json',
  },
  {
    name: 'body',
    label: 'Request body',
    purpose: 'The JSON that POST /v1/ivr takes; several menus as a list of bodies.',
    ending: '.json',
    type: 'application/json',
  },
  {
    name: 'asterisk',
    label: 'Asterisk',
    purpose: 'Contexts for extensions.conf, with the counters for wrong keys and timeouts.',
    ending: '.conf',
    type: 'text/plain',
  },
  {
    name: 'freeswitch',
    label: 'FreeSWITCH',
    purpose: 'Menus as XML for mod_ivr.',
    ending: '.xml',
    type: 'application/xml',
  },
  {
    name: 'svg',
    label: 'SVG',
    purpose: 'A picture for documentation, sharp at any size.',
    ending: '.svg',
    type: 'image/svg+xml',
  },
  {
    name: 'png',
    label: 'PNG',
    purpose: 'The same picture in pixels, for documents and chats that take no SVG.',
    ending: '.png',
    type: 'image/png',
  },
  {
    name: 'graphviz',
    label: 'Graphviz',
    purpose: 'The graph as DOT text, to be laid out and styled by other tools.',
    ending: '.dot',
    type: 'text/vnd.graphviz',
  },
];

/** The text of an export (of a PNG: the SVG that it is drawn from); null for what needs a drawing that can be called. */
function exportText(
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
    case 'drawing':
      return documentExport(document);
    case 'asterisk':
      return flow === null ? null : asteriskDialplan(flow, document.name);
    case 'freeswitch':
      return flow === null ? null : freeswitchMenus(flow, document.name);
    case 'graphviz':
      return graphvizPicture(document, pictureWords);
    case 'svg':
    case 'png':
      return svgPicture(document, pictureWords);
  }
}
