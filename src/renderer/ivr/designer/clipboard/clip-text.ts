import type { DraftNode, IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import { readDocumentFile } from '../../../../core/ivr/document-file.ts';
import { documentExport } from '../../../../core/ivr/export/document-export.ts';

/** In UTF-16 units: far above what the largest drawing takes. */
const longestText = 4 * 1024 * 1024;

/**
 * What is selected of a drawing, as a text: our own export, which any draft takes, and which is a file of its own.
 *
 * Lines to what is not selected are left out: in another draft the same id is another node. Null when nothing is selected
 * that can be copied.
 */
export function clipText(document: IvrDocument, selection: ReadonlySet<string>): string | null {
  const kept = Object.values(document.nodes).filter(({ id }) => selection.has(id));
  if (kept.length === 0) return null;
  const nodes = Object.fromEntries(kept.map((node) => [node.id, withoutLinesOut(node, selection)]));
  return documentExport({
    name: document.name,
    caller: { ...document.caller, to: null },
    nodes,
    scenarios: {},
  });
}

/** The nodes of such a text; null for every other text, also for a body or a file of another program. */
export function readClip(text: string): readonly DraftNode[] | null {
  if (text.length > longestText) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null; // any other text
  }
  const read = readDocumentFile(json);
  if (read?.ok !== true) return null;
  const nodes = Object.values(read.value.nodes);
  return nodes.length === 0 ? null : nodes;
}

function withoutLinesOut(node: DraftNode, kept: ReadonlySet<string>): DraftNode {
  if (node.kind === 'end') return node;
  const lead = (to: NodeId | null): NodeId | null => (to !== null && kept.has(to) ? to : null);
  return {
    ...node,
    keys: node.keys.map((key) => ({ ...key, to: lead(key.to) })),
    invalid_destination: lead(node.invalid_destination),
    timeout_destination: lead(node.timeout_destination),
  };
}
