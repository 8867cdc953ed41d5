import type { DraftNode, IvrDocument, MenuNode, NodeId } from '../../../../contract/ivr-draft.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';

/** How a part differs between two states of a drawing. `moved`: it only lies elsewhere. */
export type PartChange = 'added' | 'removed' | 'changed' | 'moved';

/** One thing that is different, for a person: `before` and `after` are null where there was nothing. */
export interface FieldDifference {
  /** The field's name in the body, or what the drawing calls it. */
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface PartDifference {
  /** The node, or `caller`, or `name`, or a scenario. */
  readonly id: string;
  readonly what: string;
  readonly change: PartChange;
  readonly fields: readonly FieldDifference[];
}

type Words = (document: IvrDocument, node: DraftNode) => string;

/**
 * What differs between two states of a drawing, part by part and field by field.
 *
 * The same part is the same id: a menu that was renamed is changed, not another one. `words` says what a node is called.
 */
export function compareDocuments(
  before: IvrDocument,
  after: IvrDocument,
  words: Words,
): readonly PartDifference[] {
  const parts: PartDifference[] = [];
  if (before.name !== after.name) {
    const fields = [{ field: 'name', before: before.name, after: after.name }];
    parts.push({ id: 'name', what: 'The drawing', change: 'changed', fields });
  }
  const first = fieldsBetween(
    { 'first menu': lineOf(before, before.caller.to) },
    { 'first menu': lineOf(after, after.caller.to) },
  );
  if (first.length > 0) parts.push({ id: 'caller', what: 'Caller', change: 'changed', fields: first });
  for (const id of idsOf(before.nodes, after.nodes)) parts.push(...compareNode(id as NodeId));
  for (const id of idsOf(before.scenarios, after.scenarios)) parts.push(...compareScenario(id));
  return parts;

  function compareNode(id: NodeId): PartDifference[] {
    const [old, now] = [nodeOf(before, id), nodeOf(after, id)];
    const what = now === null ? (old === null ? id : words(before, old)) : words(after, now);
    const fields = fieldsBetween(
      old === null ? {} : fieldsOf(before, old),
      now === null ? {} : fieldsOf(after, now),
    );
    if (old === null) return [{ id, what, change: 'added', fields }];
    if (now === null) return [{ id, what, change: 'removed', fields }];
    if (fields.length > 0) return [{ id, what, change: 'changed', fields }];
    const isMoved = old.place.x !== now.place.x || old.place.y !== now.place.y;
    return isMoved ? [{ id, what, change: 'moved', fields: [] }] : [];
  }

  function compareScenario(id: string): PartDifference[] {
    const [old, now] = [scenarioFields(before, id), scenarioFields(after, id)];
    const fields = fieldsBetween(old ?? {}, now ?? {});
    if (fields.length === 0) return [];
    const what = `Scenario “${(now ?? old)?.['name']?.words ?? id}”`;
    return [{ id, what, change: old === null ? 'added' : now === null ? 'removed' : 'changed', fields }];
  }

  /** A line to a menu is the same when the menu is, whatever it is called by now; one to an end, when that says the same. */
  function lineOf(document: IvrDocument, id: NodeId | null): Value | null {
    const node = nodeOf(document, id);
    if (node === null) return null;
    const told = words(document, node);
    return { words: told, same: node.kind === 'menu' ? node.id : told };
  }

  function fieldsOf(document: IvrDocument, node: DraftNode): Fields {
    if (node.kind === 'end') return { destination: text(words(document, node)) };
    return menuFields(node, (to) => lineOf(document, to));
  }

  function scenarioFields(document: IvrDocument, id: string): Fields | null {
    const scenario = Object.values(document.scenarios).find((other) => String(other.id) === id);
    if (scenario === undefined) return null;
    const { expected } = scenario;
    const menu = expected.kind === 'menu' ? lineOf(document, expected.menu) : null;
    const end =
      expected.kind === 'destination'
        ? text(expected.destination)
        : { words: `waits in ${menu?.words ?? 'a removed menu'}`, same: expected.menu };
    return { name: text(scenario.name), inputs: text(scenario.inputs.join(', ')), expected: end };
  }
}

/** What a field says in words, and what two of them are compared by. */
interface Value {
  readonly words: string;
  readonly same: string;
}
type Fields = Readonly<Record<string, Value | null>>;

/** In the spec's order; each key is a field of its own, so that one more does not make all of them differ. */
function menuFields(menu: MenuNode, lineOf: (id: NodeId | null) => Value | null): Fields {
  const keys = menu.keys.flatMap(({ key, to, sms_template: template }): [string, Value | null][] => [
    [`key ${key}`, lineOf(to) ?? text('still open')],
    ...(template === null
      ? []
      : [[`key ${key}, sms_template`, text(template)] satisfies [string, Value | null]]),
  ]);
  return {
    name: text(menu.name),
    description: text(menu.description),
    recording: text(menu.recording),
    timeout: text(menu.timeout),
    option: text(menu.keys.map(({ key }) => key).join(' ')),
    ...Object.fromEntries(keys),
    incorrect_count: text(menu.incorrect_count),
    invalid_recording: text(menu.invalid_recording),
    invalid_destination: lineOf(menu.invalid_destination),
    timeout_retry_recording: text(menu.timeout_retry_recording),
    timeout_recording: text(menu.timeout_recording),
    timeout_destination: lineOf(menu.timeout_destination),
    timeout_tries: text(menu.timeout_tries),
  };
}

function text(value: string | number | null): Value | null {
  return value === null || value === '' ? null : { words: String(value), same: String(value) };
}

function fieldsBetween(before: Fields, after: Fields): FieldDifference[] {
  return idsOf(before, after).flatMap((field) => {
    const [old, now] = [before[field] ?? null, after[field] ?? null];
    return old?.same === now?.same ? [] : [{ field, before: old?.words ?? null, after: now?.words ?? null }];
  });
}

function idsOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])];
}
