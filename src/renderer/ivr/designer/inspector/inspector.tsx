import { memo, type ReactNode, useDeferredValue } from 'react';
import type { EndNode, IvrDocument, MenuNode, NodeId, Place } from '../../../../contract/ivr-draft.ts';
import { writeReference } from '../../../../contract/ivr-reference.ts';
import { moveNodes, removeNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { linesOf } from '../../../../core/ivr/edit/lines.ts';
import { countWords } from '../../../../text/count.ts';
import { nodeWords } from '../../../../text/phone-menu.ts';
import type { Selection } from '../designer-store.ts';
import { shows } from '../focus-inspector.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { DestinationLine } from './destination-picker.tsx';
import { EndFields } from './end-fields.tsx';
import { FieldProblems, useProblemsAt } from './spec-field.tsx';
import styles from './inspector.module.css';
import { MenuFields } from './menu-fields.tsx';
import { SmallButton } from './small-button.tsx';
import { TextLine } from './text-lines.tsx';

/** What is selected, with everything that can be said of it. */
export function Inspector() {
  // Deferred: a card that is let go must not stand still until its fields are drawn.
  const selection = useDeferredValue(useDesignerState((state) => state.selection));
  return (
    <section className={styles['inspector']} aria-label="Inspector" {...shows(selection)}>
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
  // Keyed: what is half typed belongs to one node.
  return node.kind === 'menu' ? (
    <MenuInspector key={node.id} menu={node} />
  ) : (
    <EndInspector key={node.id} end={node} />
  );
});

/** What kind of thing is selected, what it is called, and what can be done with it. */
function InspectorHead({ kind, title, children }: { kind: string; title: string; children?: ReactNode }) {
  return (
    <header className={styles['head']}>
      <div>
        <p className={styles['kind']}>{kind}</p>
        <h2 className={styles['title']}>{title}</h2>
      </div>
      {children}
    </header>
  );
}

/** Along which direction: `x` for columns, `y` for rows. */
export type Axis = 'x' | 'y';

/** Puts nodes onto one line: the same left edge (`x`), or the same upper edge (`y`), that of the foremost. */
export function alignNodes(document: IvrDocument, ids: ReadonlySet<string>, axis: Axis): IvrDocument {
  const places = placesOf(document, ids);
  const edge = Math.min(...[...places.values()].map((place) => place[axis]));
  return moveNodes(
    document,
    mapPlaces(places, (place) => ({ ...place, [axis]: edge })),
  );
}

/** Puts the same distance between each two nodes, from the first to the last as they lie. */
export function spreadNodes(document: IvrDocument, ids: ReadonlySet<string>, axis: Axis): IvrDocument {
  const order = [...placesOf(document, ids)].sort(([, one], [, other]) => one[axis] - other[axis]);
  const first = order[0]?.[1][axis] ?? 0;
  const last = order.at(-1)?.[1][axis] ?? 0;
  const step = (last - first) / Math.max(1, order.length - 1);
  const spread = order.map(([id, place], index) => [id, { ...place, [axis]: first + index * step }] as const);
  return moveNodes(document, new Map(spread));
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

/** Takes nodes out of the drawing, with every line to them; undo brings all of it back. */
export function RemoveButton({ ids, what }: { ids: ReadonlySet<string>; what: string }) {
  const { store } = useDesigner();
  return (
    <SmallButton
      name={`Remove ${what}`}
      icon="remove"
      onPress={() =>
        store.edit(`remove ${what}`, (document) => removeNodes(document, ids), { select: new Set() })
      }
    >
      Remove
    </SmallButton>
  );
}

function CallerInspector() {
  const to = useDesignerState(({ document }) => document.caller.to);
  return (
    <>
      <InspectorHead kind="Where every call begins" title="Caller" />
      <DestinationLine
        label="Every call comes first to"
        spec={null}
        path="caller.to"
        name="the caller"
        from={{ kind: 'caller' }}
        to={to}
        menusOnly
      />
      <p className={styles['note']}>
        The body says nothing of this: it is the menu that a telephone number is connected with.
      </p>
    </>
  );
}

function EndInspector({ end }: { end: EndNode }) {
  const { referenceData } = useDesigner();
  const lines = useDesignerState(
    ({ document }) => linesOf(document).filter(({ to }) => to === end.id).length,
  );
  const problems = useProblemsAt(`nodes.${end.id}`);
  const name = nodeWords(end, referenceData);
  return (
    <>
      <InspectorHead kind="Destination" title={name}>
        <RemoveButton ids={new Set([end.id])} what={`“${name}”`} />
      </InspectorHead>
      <FieldProblems problems={problems} />
      <EndFields end={end} />
      <dl className={styles['facts']}>
        <dt>In the body</dt>
        <dd>
          <code>{writeReference({ type: end.type, id: end.ref })}</code>
        </dd>
        <dt>Leads here</dt>
        <dd>{lines === 0 ? 'nothing yet' : countWords(lines, 'line')}</dd>
      </dl>
    </>
  );
}

function MenuInspector({ menu }: { menu: MenuNode }) {
  const { referenceData } = useDesigner();
  const name = nodeWords(menu, referenceData);
  return (
    <>
      <InspectorHead kind="Menu" title={name}>
        <RemoveButton ids={new Set([menu.id])} what={`“${name}”`} />
      </InspectorHead>
      <MenuFields menu={menu} />
    </>
  );
}

/** Several parts at once: put them in line, or remove them. */
function SeveralInspector({ ids }: { ids: ReadonlySet<string> }) {
  const { store } = useDesigner();
  const nodes = new Set([...ids].filter((id) => id !== 'caller'));
  return (
    <>
      <InspectorHead kind="Selected" title={countWords(ids.size, 'part')}>
        <RemoveButton ids={nodes} what={countWords(nodes.size, 'part')} />
      </InspectorHead>
      <div className={styles['buttons']} role="group" aria-label="Put in line">
        <SmallButton onPress={() => store.edit('align parts', (document) => alignNodes(document, ids, 'x'))}>
          Align left edges
        </SmallButton>
        <SmallButton onPress={() => store.edit('align parts', (document) => alignNodes(document, ids, 'y'))}>
          Align upper edges
        </SmallButton>
        <SmallButton
          onPress={() => store.edit('spread parts', (document) => spreadNodes(document, ids, 'y'))}
        >
          Same distance, downwards
        </SmallButton>
        <SmallButton
          onPress={() => store.edit('spread parts', (document) => spreadNodes(document, ids, 'x'))}
        >
          Same distance, sideways
        </SmallButton>
      </div>
      <p className={styles['note']}>Select one part to see and change what it says.</p>
    </>
  );
}

/** Nothing is selected: the drawing as a whole, and how to go on. */
function DraftInspector() {
  const { store, check } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const nodes = Object.values(document.nodes);
  const menus = nodes.filter(({ kind }) => kind === 'menu').length;
  const errors = check.problems.filter(({ severity }) => severity === 'error').length;
  return (
    <>
      <InspectorHead kind="Drawing" title={document.name} />
      <TextLine
        label="Name of the drawing"
        spec={null}
        path="name"
        value={document.name}
        onType={(name) => {
          // A drawing is never without a name: it is what it is found by.
          if (name.trim() !== '' && name.length <= 100)
            store.edit('rename the drawing', (drawn) => ({ ...drawn, name }), { merge: 'name' });
        }}
      />
      <dl className={styles['facts']}>
        <dt>Menus</dt>
        <dd>{menus}</dd>
        <dt>Destinations</dt>
        <dd>{nodes.length - menus}</dd>
        <dt>Scenarios</dt>
        <dd>{Object.keys(document.scenarios).length}</dd>
        <dt>Proved</dt>
        <dd>{errors === 0 ? 'nothing keeps it from being published' : countWords(errors, 'error')}</dd>
      </dl>
      {menus > 0 ? (
        <p className={styles['note']}>Select a part of the drawing to see and change what it says.</p>
      ) : (
        <ol className={styles['steps']}>
          <li>Add a menu from the palette, or begin with a template.</li>
          <li>Say what callers hear, and add a key for each thing they may want.</li>
          <li>Lead each key somewhere: an extension, another menu, the end of the call.</li>
          <li>Play it, and publish it when nothing is wrong any more.</li>
        </ol>
      )}
    </>
  );
}
