import { memo, type ReactNode, useDeferredValue } from 'react';
import { Row } from '../../../kit/layout.tsx';
import {
  draftBounds,
  type EndNode,
  type IvrDocument,
  type LeadingNode,
  type NodeId,
  type Place,
} from '../../../../contract/menu/ivr-draft.ts';
import { moveNodes, removeNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { linesOf } from '../../../../core/ivr/edit/lines.ts';
import { tallyOf } from '../../../../core/ivr/finding-severity.ts';
import { nodeTitle, tallyText } from '../../../../text/menu/phone-menu.ts';
import type { Selection } from '../designer-store.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { DestinationLine } from './destination-picker.tsx';
import { EndFields } from './end-fields.tsx';
import { FieldProblems, useProblemsAt, useRequestedFocus } from './spec-field.tsx';
import panel from '../panel.module.css';
import styles from './inspector.module.css';
import { FlowPrompts, FlowSpeechFields } from './menu-fields.tsx';
import { LeadingFields } from './office-fields.tsx';
import { SmallButton } from '../small-button.tsx';
import { TextLine } from './text-lines.tsx';
import { cardText } from '../../../../text/menu/designer-canvas.ts';
import { editText } from '../../../../text/menu/designer.ts';
import { inspectorText as text } from '../../../../text/menu/designer-inspector.ts';

/** For a request of the focus where no single field is meant. */
export const inspectorPath = 'inspector';

/** The fields of what is selected. */
export function Inspector() {
  // Deferred: rendering the fields must not delay a card that was just dropped.
  const current = useDesignerState((state) => state.selection);
  const selection = useDeferredValue(current);
  useRequestedFocus('fields', selection === current);
  return (
    <section className={panel['view']} aria-label={text.title} data-path={inspectorPath} tabIndex={-1}>
      <Selected selection={selection} />
    </section>
  );
}

const Selected = memo(function Selected({ selection }: { selection: Selection }) {
  const nodes = useDesignerState(({ document }) => document.nodes);
  const [only] = selection;
  if (only === undefined) return <DraftInspector />;
  if (selection.size > 1) return <SeveralInspector ids={selection} />;
  if (only === 'caller') return <CallerInspector />;
  const node = nodes[only as NodeId];
  if (node === undefined) return <DraftInspector />;
  // Keyed: half-typed text belongs to one node.
  return node.kind === 'end' ? (
    <EndInspector key={node.id} end={node} />
  ) : (
    <LeadingInspector key={node.id} node={node} />
  );
});

/** The kind and the name of what is selected, and its buttons. */
function InspectorHead({ kind, title, children }: { kind: string; title: string; children?: ReactNode }) {
  return (
    <Row as="header" gap={2} align="start" justify="between">
      <div>
        <p className={panel['note']}>{kind}</p>
        <h2 className={[panel['title'], panel['long']].join(' ')} title={title} tabIndex={-1}>
          {title}
        </h2>
      </div>
      {children}
    </Row>
  );
}

/** `x` for columns, `y` for rows. */
export type Axis = 'x' | 'y';

/** Aligns nodes with the leftmost left edge (`x`) or the topmost upper edge (`y`). */
export function alignNodes(document: IvrDocument, ids: ReadonlySet<string>, axis: Axis): IvrDocument {
  const places = placesOf(document, ids);
  const edge = Math.min(...[...places.values()].map((place) => place[axis]));
  return moveNodes(
    document,
    mapPlaces(places, (place) => ({ ...place, [axis]: edge })),
  );
}

/** Puts the same distance between each two nodes, from the first to the last. */
export function distributeNodes(document: IvrDocument, ids: ReadonlySet<string>, axis: Axis): IvrDocument {
  const order = [...placesOf(document, ids)].sort(([, one], [, other]) => one[axis] - other[axis]);
  const first = order[0]?.[1][axis] ?? 0;
  const last = order.at(-1)?.[1][axis] ?? 0;
  const step = (last - first) / Math.max(1, order.length - 1);
  const distributed = order.map(
    ([id, place], index) => [id, { ...place, [axis]: first + index * step }] as const,
  );
  return moveNodes(document, new Map(distributed));
}

function placesOf(document: IvrDocument, ids: ReadonlySet<string>): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const id of ids) {
    const place = id === 'caller' ? document.caller.place : document.nodes[id as NodeId]?.place;
    if (place !== undefined) places.set(id, place);
  }
  return places;
}

function mapPlaces(places: ReadonlyMap<string, Place>, change: (place: Place) => Place): Map<string, Place> {
  return new Map([...places].map(([id, place]) => [id, change(place)]));
}

/** Removes nodes and every line to them. */
export function RemoveButton({ ids, what }: { ids: ReadonlySet<string>; what: string }) {
  const { store } = useDesigner();
  return (
    <SmallButton
      name={text.removeWhat(what)}
      icon="bin"
      onPress={() =>
        store.edit(editText.remove(what), (document) => removeNodes(document, ids), { select: new Set() })
      }
    >
      {text.remove}
    </SmallButton>
  );
}

function CallerInspector() {
  const to = useDesignerState(({ document }) => document.caller.to);
  return (
    <>
      <InspectorHead {...text.caller} />
      <DestinationLine
        label={text.first}
        path="caller.to"
        name={text.firstName}
        from={{ kind: 'caller' }}
        to={to}
        isStart
      />
      <p className={panel['note']}>{text.firstHint}</p>
    </>
  );
}

function EndInspector({ end }: { end: EndNode }) {
  const { referenceData } = useDesigner();
  const lines = useDesignerState(
    ({ document }) => linesOf(document).filter(({ to }) => to === end.id).length,
  );
  const problems = useProblemsAt(`nodes.${end.id}`);
  const name = nodeTitle(end, referenceData);
  return (
    <>
      <InspectorHead kind={text.destination.kind} title={name}>
        <RemoveButton ids={new Set([end.id])} what={text.part(name)} />
      </InspectorHead>
      <FieldProblems problems={problems} />
      <EndFields end={end} />
      <dl className={styles['facts']}>
        <dt>{text.destination.ledHere}</dt>
        <dd>{text.destination.lines(lines)}</dd>
      </dl>
    </>
  );
}

function LeadingInspector({ node }: { node: LeadingNode }) {
  const { referenceData } = useDesigner();
  const name = nodeTitle(node, referenceData);
  // Not “Opening hours” twice.
  const schedule = referenceData.schedules?.find(({ id }) => node.kind === 'hours' && id === node.hours);
  return (
    <>
      <InspectorHead kind={cardText[node.kind]} title={schedule?.name ?? name}>
        <RemoveButton ids={new Set([node.id])} what={text.part(name)} />
      </InspectorHead>
      <LeadingFields node={node} />
    </>
  );
}

const arrangements = [
  { name: text.several.alignLeft, edit: editText.align, arrange: alignNodes, axis: 'x' },
  { name: text.several.alignTop, edit: editText.align, arrange: alignNodes, axis: 'y' },
  { name: text.several.distributeDown, edit: editText.distribute, arrange: distributeNodes, axis: 'y' },
  { name: text.several.distributeAcross, edit: editText.distribute, arrange: distributeNodes, axis: 'x' },
] as const;

/** Several parts at once: align or remove them. */
function SeveralInspector({ ids }: { ids: ReadonlySet<string> }) {
  const { store } = useDesigner();
  const nodes = new Set([...ids].filter((id) => id !== 'caller'));
  return (
    <>
      <InspectorHead kind={text.several.kind} title={text.parts(ids.size)}>
        <RemoveButton ids={nodes} what={text.parts(nodes.size)} />
      </InspectorHead>
      <Row gap={1} wraps role="group" aria-label={text.several.align}>
        {arrangements.map(({ name, edit, arrange, axis }) => (
          <SmallButton
            key={name}
            onPress={() => store.edit(edit, (document) => arrange(document, ids, axis))}
          >
            {name}
          </SmallButton>
        ))}
      </Row>
      <p className={panel['note']}>{text.several.hint}</p>
    </>
  );
}

/** Nothing is selected: the draft as a whole, and the next steps. */
function DraftInspector() {
  const { store, check } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const nodes = Object.values(document.nodes);
  const menus = nodes.filter(({ kind }) => kind === 'menu').length;
  const ends = nodes.filter(({ kind }) => kind === 'end').length;
  return (
    <>
      <InspectorHead kind={text.draft.kind} title={document.name} />
      <TextLine
        label={text.draft.name}
        path="name"
        value={document.name}
        most={draftBounds.nameLength}
        mostSaved={draftBounds.nameLength}
        onChange={(name) => {
          // A draft always has a name.
          if (name.trim() !== '')
            store.edit(editText.renameDraft, (before) => ({ ...before, name }), { merge: 'name' });
        }}
      />
      <FlowSpeechFields />
      <FlowPrompts />
      <dl className={styles['facts']}>
        <dt>{text.draft.menus}</dt>
        <dd>{menus}</dd>
        <dt>{text.draft.destinations}</dt>
        <dd>{ends}</dd>
        <dt>{text.draft.scenarios}</dt>
        <dd>{Object.keys(document.scenarios).length}</dd>
        <dt>{text.draft.checks}</dt>
        <dd>{tallyText(tallyOf(check.problems))}</dd>
      </dl>
      {menus > 0 ? (
        <p className={panel['note']}>{text.draft.hint}</p>
      ) : (
        <ol className={styles['steps']}>
          {text.draft.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </>
  );
}
