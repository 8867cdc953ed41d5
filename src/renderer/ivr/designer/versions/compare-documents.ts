import type { DraftNode, IvrDocument, NodeId, Scenario } from '../../../../contract/menu/ivr-draft.ts';
import { menuBody } from '../../../../core/ivr/body/menu-body.ts';
import { callerChanges, callerFlowOf } from '../../../../core/ivr/caller-changes.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { writeReference } from '../../../../contract/menu/ivr-reference.ts';
import { type CallerNames, startSentence, toldMenus } from '../../../../text/menu/change-sentences.ts';
import { inputsText, nodeTitle, scenarioEndTitle } from '../../../../text/menu/phone-menu.ts';
import { differenceText as text } from '../../../../text/menu/versions.ts';

/** How a part differs between two versions. `moved`: only its position differs. */
export type PartChange = 'added' | 'removed' | 'changed' | 'moved';

/** A field of the JSON that differs; `before` and `after` are null where it was empty. */
export interface FieldDifference {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface PartDifference {
  /** The node, or `caller`, or `name`, or a scenario. */
  readonly id: string;
  readonly what: string;
  readonly change: PartChange;
  /** What that means for callers, and what else differs. */
  readonly sentences: readonly string[];
  readonly fields: readonly FieldDifference[];
}

/**
 * The differences of two versions, part by part.
 *
 * Parts are compared by id: a menu that was renamed is changed, not another one.
 */
export function compareDocuments(
  before: IvrDocument,
  after: IvrDocument,
  known: CallerNames,
): readonly PartDifference[] {
  const changes = callerChanges(callerFlowOf(before), callerFlowOf(after));
  const told = new Map(toldMenus(changes, known).map((menu) => [menu.menu, menu.sentences]));
  const start = startSentence(changes);
  const changed = { change: 'changed', fields: [] } as const;
  return [
    ...(before.name === after.name
      ? []
      : [{ ...changed, id: 'name', what: text.draft, sentences: [text.renamed(before.name, after.name)] }]),
    ...(start === null ? [] : [{ ...changed, id: 'caller', what: text.caller, sentences: [start] }]),
    ...idsOf(before.nodes, after.nodes).flatMap((id) => compareNode(id as NodeId)),
    ...idsOf(before.scenarios, after.scenarios).flatMap(compareScenario),
  ];

  function compareNode(id: NodeId): PartDifference[] {
    const [old, now] = [nodeOf(before, id), nodeOf(after, id)];
    const present = now ?? old;
    if (present === null) return [];
    const what = nodeTitle(present, known);
    const fields = fieldsBetween(fieldsOf(before, old), fieldsOf(after, now));
    if (old === null || now === null) {
      const change = old === null ? 'added' : 'removed';
      return [{ id, what, change, sentences: told.get(id) ?? [], fields: [] }];
    }
    if (fields.length > 0) {
      const sentences = told.get(id) ?? [text.instead(what, nodeTitle(old, known))];
      return [{ id, what, change: 'changed', sentences, fields }];
    }
    const isMoved = old.place.x !== now.place.x || old.place.y !== now.place.y;
    return isMoved ? [{ id, what, change: 'moved', sentences: [], fields: [] }] : [];
  }

  function compareScenario(id: string): PartDifference[] {
    const [old, now] = [scenarioOf(before, id), scenarioOf(after, id)];
    const what = text.scenario((now ?? old)?.name ?? id);
    if (old === undefined || now === undefined) {
      return [{ id, what, change: old === undefined ? 'added' : 'removed', sentences: [], fields: [] }];
    }
    const sentences = [
      ...(old.name === now.name ? [] : [text.instead(now.name, old.name)]),
      ...differs(inputsText(old.inputs), inputsText(now.inputs), text.inputs),
      ...differs(
        scenarioEndTitle(before, old.expected, known),
        scenarioEndTitle(after, now.expected, known),
        text.expected,
      ),
    ];
    return sentences.length === 0 ? [] : [{ ...changed, id, what, sentences }];
  }
}

function differs(before: string, after: string, tell: (before: string, after: string) => string): string[] {
  return before === after ? [] : [tell(before, after)];
}

function scenarioOf({ scenarios }: IvrDocument, id: string): Scenario | undefined {
  return Object.values(scenarios).find((scenario) => String(scenario.id) === id);
}

/** As the JSON has them; menus of the draft by their ids there. */
function fieldsOf(document: IvrDocument, node: DraftNode | null): Readonly<Record<string, unknown>> {
  if (node === null) return {};
  return node.kind === 'menu'
    ? menuBody(document, node.id, String)
    : { destination: writeReference({ type: node.type, id: node.ref }) };
}

function fieldsBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldDifference[] {
  const written = (value: unknown) =>
    value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
  return idsOf(before, after).flatMap((field) => {
    const [old, now] = [written(before[field]), written(after[field])];
    return old === now ? [] : [{ field, before: old, after: now }];
  });
}

function idsOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])];
}
