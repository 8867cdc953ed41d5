import type { CallPort } from '../../../contract/menu/ivr-call.ts';
import type { DraftNode, EndNode, LeadingNode } from '../../../contract/menu/ivr-draft.ts';
import type { Port } from '../edit/lines.ts';

/** How a node differs from the one that it is compared with. */
export type Mark = 'added' | 'changed' | 'removed';

/** The text of a picture; the caller of an exporter gives `pictureLabels` of `text/menu/phone-menu.ts`. */
export interface PictureLabels {
  readonly caller: string;
  readonly noDestination: string;
  readonly marks: Readonly<Record<Mark, string>>;
  menuTitle(node: LeadingNode): string;
  /** The prompt of a menu and its timeout, or what else its node does, on one line. */
  menuLine(node: LeadingNode): string;
  /** The type of a destination and its name; the name is blank where there is nothing to choose. */
  end(end: EndNode): { readonly kind: string; readonly which: string };
  /** The label of a line. */
  way(way: CallPort): string;
}

/** The label of the line from a port; empty for the caller's. */
export function labelOfPort(node: DraftNode | null, port: Port, labels: PictureLabels): string {
  switch (port.kind) {
    case 'caller':
      return '';
    case 'key':
      return labels.way({
        kind: 'key',
        key: node?.kind === 'menu' ? (node.keys[port.index]?.key ?? '') : '',
      });
    case 'invalid':
      return labels.way({ kind: 'wrong_key' });
    case 'timeout':
      return labels.way({ kind: 'silence' });
    case 'open':
    case 'closed':
    case 'holiday':
    case 'then':
      return labels.way({ kind: port.kind });
  }
}
