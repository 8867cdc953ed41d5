import {
  draftBounds,
  type DraftNode,
  type IvrDocument,
  type NodeId,
  type Scenario,
} from '../../../contract/menu/ivr-draft.ts';
import { freeNodeId, withTargets } from '../edit/edit-nodes.ts';
import { linesOf } from '../edit/lines.ts';
import { isSame } from './document-delta.ts';

/**
 * The edits of two people on one document; null if they contradict each other, which a person has to decide.
 *
 * Edits of different fields of a menu go together. A destination and a scenario are one field each, and so are the keys of a menu.
 * A card that both moved stays where `mine` has it. What `mine` added under the id of something that `theirs` added gets another
 * id, which is why the ids that changed are returned.
 */
export function mergeEdits(
  base: IvrDocument,
  mine: IvrDocument,
  theirs: IvrDocument,
): { readonly document: IvrDocument; readonly renamed: ReadonlyMap<string, string> } | null {
  const renamed = renamedIds(base, mine, theirs);
  const own = renamed.size === 0 ? mine : withIds(mine, renamed);
  try {
    const prompts = merged(base.prompts, own.prompts, theirs.prompts);
    const document: IvrDocument = {
      name: merged(base.name, own.name, theirs.name),
      caller: {
        place: mergedPlace(base.caller.place, own.caller.place, theirs.caller.place),
        to: merged(base.caller.to, own.caller.to, theirs.caller.to),
      },
      ...(prompts === undefined ? {} : { prompts }),
      nodes: mergedEntries(base.nodes, own.nodes, theirs.nodes, mergedNode),
      scenarios: mergedEntries(base.scenarios, own.scenarios, theirs.scenarios, merged),
    };
    return isWhole(document) ? { document, renamed } : null;
  } catch (error) {
    if (error instanceof Contradiction) return null;
    throw error;
  }
}

class Contradiction extends Error {}

type Merge<T> = (base: T, mine: T, theirs: T) => T;

/** The one that differs from the base. */
function merged<T>(base: T, mine: T, theirs: T): T {
  if (isSame(base, theirs) || isSame(mine, theirs)) return mine;
  if (isSame(base, mine)) return theirs;
  throw new Contradiction();
}

function mergedPlace<T>(base: T, mine: T, theirs: T): T {
  return isSame(base, mine) ? theirs : mine;
}

function mergedNode(base: DraftNode, mine: DraftNode, theirs: DraftNode): DraftNode {
  const place = mergedPlace(base.place, mine.place, theirs.place);
  if (base.kind === 'end' || mine.kind === 'end' || theirs.kind === 'end')
    return { ...merged({ ...base, place }, { ...mine, place }, { ...theirs, place }), place };
  const fields = Object.keys(mine) as (keyof typeof mine)[];
  const entries = fields
    .filter((field) => field !== 'place')
    .map((field) => [field, merged<unknown>(base[field], mine[field], theirs[field])]);
  return { ...mine, ...(Object.fromEntries(entries) as Partial<typeof mine>), place };
}

/** In the order of `theirs`, and what `mine` added after it. */
function mergedEntries<Id extends string, Entry>(
  base: Readonly<Record<Id, Entry>>,
  mine: Readonly<Record<Id, Entry>>,
  theirs: Readonly<Record<Id, Entry>>,
  merge: Merge<Entry>,
): Record<Id, Entry> {
  const ids = new Set([...Object.keys(theirs), ...Object.keys(mine)] as Id[]);
  const entries = [...ids].flatMap((id): [Id, Entry][] => {
    const [before, own, other] = [base[id], mine[id], theirs[id]] as (Entry | undefined)[];
    if (before !== undefined && own !== undefined && other !== undefined)
      return [[id, merge(before, own, other)]];
    const one = merged(before, own, other);
    return one === undefined ? [] : [[id, one]];
  });
  return Object.fromEntries(entries) as Record<Id, Entry>;
}

/** Whether everything that it leads to is in it, and it is not more than a draft can hold. */
function isWhole(document: IvrDocument): boolean {
  const { nodes, scenarios } = document;
  const targets = [...linesOf(document).map(({ to }) => to), ...Object.values(scenarios).flatMap(endsAt)];
  return (
    targets.every((id) => id in nodes) &&
    Object.keys(nodes).length <= draftBounds.nodes &&
    Object.keys(scenarios).length <= draftBounds.scenarios
  );
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
    return node.kind === 'end' ? { ...node, id } : { ...withTargets(node, to), id };
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
