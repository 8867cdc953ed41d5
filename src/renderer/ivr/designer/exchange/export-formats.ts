import type { IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import { asteriskDialplan } from '../../../../core/ivr/export/asterisk-dialplan.ts';
import { bodyExport } from '../../../../core/ivr/export/body-export.ts';
import { documentExport } from '../../../../core/ivr/export/document-export.ts';
import { freeswitchMenus } from '../../../../core/ivr/export/freeswitch-menus.ts';
import { graphvizPicture } from '../../../../core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../../../core/ivr/export/svg-picture.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';

export type FormatName = 'body' | 'drawing' | 'asterisk' | 'freeswitch' | 'graphviz' | 'svg' | 'png';

export interface ExportFormat {
  readonly name: FormatName;
  readonly label: string;
  /** What it is for. */
  readonly purpose: string;
  readonly ending: string;
  readonly type: string;
}

export const exportFormats: readonly ExportFormat[] = [
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
    purpose: 'Contexts for extensions.conf, with the counters for wrong keys and silence.',
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
export function exportText(
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
      return graphvizPicture(document);
    case 'svg':
    case 'png':
      return svgPicture(document);
  }
}
