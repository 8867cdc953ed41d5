import {
  draftBounds,
  type DraftNode,
  type FlowPrompts,
  type HoursNode,
  type IvrDocument,
  type MenuNode,
  type MessageNode,
  type NodeId,
  type Scenario,
  type ScenarioId,
} from '../../../contract/menu/ivr-draft.ts';
import { freeNodeId, putNode, removeNodes, withTargets } from '../edit/edit-nodes.ts';
import { linesOf } from '../edit/lines.ts';
import { flowPrompt } from '../flow-prompts.ts';
import { isSame } from './document-delta.ts';

/** A field of a menu, of opening hours or of a message. */
export type NodeField = keyof MenuNode | keyof HoursNode | keyof MessageNode;

/** What two people have changed in different ways. */
export type Contradiction =
  | { readonly kind: 'flow'; readonly field: 'name' | 'start' | 'speech' | keyof FlowPrompts }
  /** `field` is null for the whole card: a destination, or a card that one of them removed. */
  | { readonly kind: 'node'; readonly id: NodeId; readonly field: NodeField | null }
  | { readonly kind: 'scenario'; readonly id: ScenarioId };

export type Side = 'mine' | 'theirs';

/** Which side a person has chosen; undefined while nothing is chosen. */
export type Decide = (contradiction: Contradiction) => Side | undefined;

interface Decided {
  readonly at: Contradiction;
  readonly side: Side;
}

export interface MergedEdits {
  readonly document: IvrDocument;
  /** What `mine` added under the id of something that `theirs` added has another id. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The edits of two people on one document; null if they contradict each other, which a person has to decide. */
export function mergeEdits(base: IvrDocument, mine: IvrDocument, theirs: IvrDocument): MergedEdits | null {
  const settled = settleEdits(base, mine, theirs, () => undefined);
  return settled === null || settled.contradictions.length > 0 ? null : settled;
}

/**
 * The edits of two people with what was decided where they contradict each other; null if a draft cannot hold both.
 *
 * Where nothing is decided, `mine` is taken, and nothing is removed.
 *
 * Edits of different fields of a menu go together. A destination and a scenario are one field each, and so are the keys of a menu.
 * A card that both moved stays where `mine` has it. A card that one removed and the other leads to or has edited stays, unless a person
 * decides for the removal; then nothing leads to it any more. So `contradictions` depends on the decisions.
 */
export function settleEdits(
  base: IvrDocument,
  mine: IvrDocument,
  theirs: IvrDocument,
  decide: Decide,
): (MergedEdits & { readonly contradictions: readonly Decided[] }) | null {
  const renamed = renamedIds(base, mine, theirs);
  const own = renamed.size === 0 ? mine : withIds(mine, renamed);
  const contradictions: Decided[] = [];

  /** The one that differs from the base, or the one that a person chose. */
  function merged<T>(at: Contradiction, [before, here, there]: readonly [T, T, T]): T {
    if (isSame(before, there) || isSame(here, there)) return here;
    if (isSame(before, here)) return there;
    // What one of them removed is kept until a person decides.
    const side = decide(at) ?? (here === undefined ? 'theirs' : 'mine');
    contradictions.push({ at, side });
    return side === 'theirs' ? there : here;
  }

  function mergedNode(id: NodeId, versions: Versions<DraftNode>): DraftNode | undefined {
    const [before, here, there] = versions;
    const at: Contradiction = { kind: 'node', id, field: null };
    if (before === undefined || here === undefined || there === undefined)
      return merged(at, withoutMoves(versions));
    const place = mergedPlace(before.place, here.place, there.place);
    if (before.kind === 'end' || before.kind !== here.kind || before.kind !== there.kind)
      return merged(at, [
        { ...before, place },
        { ...here, place },
        { ...there, place },
      ]);
    const [old, mine, other]: readonly Record<string, unknown>[] = [before, here, there];
    // A field that only drafts of later versions have may be missing on any side.
    const fields = new Set([...Object.keys(here), ...Object.keys(there)] as NodeField[]);
    const entries = [...fields].map((field): [string, unknown] => {
      const versions = [old?.[field], mine?.[field], other?.[field]] as const;
      return [field, field === 'place' ? place : merged({ kind: 'node', id, field }, versions)];
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as typeof here;
  }

  const mergedPrompt = (field: keyof FlowPrompts): string | null =>
    merged({ kind: 'flow', field }, [
      flowPrompt(base, field),
      flowPrompt(own, field),
      flowPrompt(theirs, field),
    ]);
  const hasPrompts = [base, own, theirs].some(({ prompts }) => prompts !== undefined);
  const speech = merged({ kind: 'flow', field: 'speech' }, [base.speech, own.speech, theirs.speech] as const);
  let document: IvrDocument = {
    name: merged({ kind: 'flow', field: 'name' }, [base.name, own.name, theirs.name]),
    caller: {
      place: mergedPlace(base.caller.place, own.caller.place, theirs.caller.place),
      to: merged({ kind: 'flow', field: 'start' }, [base.caller.to, own.caller.to, theirs.caller.to]),
    },
    ...(hasPrompts
      ? { prompts: { wrong_key: mergedPrompt('wrong_key'), timeout: mergedPrompt('timeout') } }
      : {}),
    ...(speech === undefined ? {} : { speech }),
    nodes: mergedEntries([base.nodes, own.nodes, theirs.nodes], mergedNode),
    scenarios: mergedEntries([base.scenarios, own.scenarios, theirs.scenarios], (id, versions) =>
      merged({ kind: 'scenario', id }, versions),
    ),
  };
  // What is put back may lead to something else that one of them removed.
  for (let id = missingIn(document); id !== undefined; id = missingIn(document)) {
    const at: Contradiction = { kind: 'node', id, field: null };
    const here = Object.hasOwn(own.nodes, id) ? 'mine' : 'theirs';
    const side = decide(at) ?? here;
    if (!contradictions.some((one) => isSame(one.at, at))) contradictions.push({ at, side });
    const node = (here === 'mine' ? own : theirs).nodes[id];
    document = node === undefined || side !== here ? withoutCard(document, id) : putNode(document, node);
  }
  const { nodes, scenarios } = document;
  const fits =
    Object.keys(nodes).length <= draftBounds.nodes && Object.keys(scenarios).length <= draftBounds.scenarios;
  return fits ? { document, renamed, contradictions } : null;
}

/** Of the base, mine and theirs; undefined where it is not there. */
type Versions<T> = readonly [T | undefined, T | undefined, T | undefined];

function mergedPlace<T>(base: T, mine: T, theirs: T): T {
  return isSame(base, mine) ? theirs : mine;
}

/** A card that was only moved can be removed. */
function withoutMoves([before, here, there]: Versions<DraftNode>): Versions<DraftNode> {
  const unmoved = (node: DraftNode | undefined): DraftNode | undefined =>
    node !== undefined && before !== undefined && isSame({ ...node, place: before.place }, before)
      ? before
      : node;
  return [before, unmoved(here), unmoved(there)];
}

/** In the order of `theirs`, and what `mine` added after it. */
function mergedEntries<Id extends string, Entry>(
  [base, mine, theirs]: readonly [
    Readonly<Record<Id, Entry>>,
    Readonly<Record<Id, Entry>>,
    Readonly<Record<Id, Entry>>,
  ],
  merge: (id: Id, versions: Versions<Entry>) => Entry | undefined,
): Record<Id, Entry> {
  const ids = new Set([...Object.keys(theirs), ...Object.keys(mine)] as Id[]);
  const entries = [...ids].flatMap((id): [Id, Entry][] => {
    const one = merge(id, [base[id], mine[id], theirs[id]]);
    return one === undefined ? [] : [[id, one]];
  });
  return Object.fromEntries(entries) as Record<Id, Entry>;
}

/** A card that is not there, and that something leads to. */
function missingIn(document: IvrDocument): NodeId | undefined {
  const targets = [
    ...linesOf(document).map(({ to }) => to),
    ...Object.values(document.scenarios).flatMap(endsAt),
  ];
  return targets.find((id) => !Object.hasOwn(document.nodes, id));
}

/** Without what leads to the card, and without the scenarios that expect it. */
function withoutCard(document: IvrDocument, id: NodeId): IvrDocument {
  const { scenarios, ...without } = removeNodes(document, new Set([id]));
  const kept = Object.entries(scenarios).filter(([, scenario]) => !endsAt(scenario).includes(id));
  return { ...without, scenarios: Object.fromEntries(kept) as IvrDocument['scenarios'] };
}

function endsAt({ expected }: Scenario): NodeId[] {
  return expected.kind === 'menu' ? [expected.menu] : [];
}

/** The ids that both gave to something new, with the id that each gets in `mine`. */
function renamedIds(base: IvrDocument, mine: IvrDocument, theirs: IvrDocument): Map<string, string> {
  const renamed = new Map<string, string>();
  const taken = new Set([...Object.keys(mine.nodes), ...Object.keys(theirs.nodes)]);
  for (const { id, kind } of Object.values(mine.nodes)) {
    const other = theirs.nodes[id];
    if (id in base.nodes || other === undefined || isSame(other, mine.nodes[id])) continue;
    const free = freeNodeId(theirs, kind, taken);
    taken.add(free);
    renamed.set(id, free);
  }
  let number = 1;
  for (const scenario of Object.values(mine.scenarios)) {
    const { id } = scenario;
    const other = theirs.scenarios[id];
    if (id in base.scenarios || other === undefined || isSame(other, scenario)) continue;
    while (`scenario${number}` in mine.scenarios || `scenario${number}` in theirs.scenarios) number += 1;
    renamed.set(id, `scenario${number}`);
    number += 1;
  }
  return renamed;
}

function withIds(document: IvrDocument, renamed: ReadonlyMap<string, string>): IvrDocument {
  const to = <Id extends string | null>(id: Id): Id => (id === null ? id : ((renamed.get(id) ?? id) as Id));
  const nodes = Object.values(document.nodes).map((node): DraftNode => {
    const id = to(node.id);
    return { ...withTargets(node, to), id };
  });
  const scenarios = Object.values(document.scenarios).map((scenario): Scenario => ({
    ...scenario,
    id: to(scenario.id),
    expected:
      scenario.expected.kind === 'menu'
        ? { kind: 'menu', menu: to(scenario.expected.menu) }
        : scenario.expected,
  }));
  return {
    ...document,
    caller: { ...document.caller, to: to(document.caller.to) },
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) as IvrDocument['nodes'],
    scenarios: Object.fromEntries(scenarios.map((one) => [one.id, one])) as IvrDocument['scenarios'],
  };
}
