import type { DraftNode, IvrDocument, MenuNode, NodeId } from '../../../../contract/ivr-draft.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { differenceText } from '../../../../text/versions.ts';

/** How a part differs between two versions. `moved`: only its position differs. */
export type PartChange = 'added' | 'removed' | 'changed' | 'moved';

/** A field that differs; `before` and `after` are null where it was empty. */
export interface FieldDifference {
  /** The field's name in the body, or a text for what the body does not have. */
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

type NameOf = (document: IvrDocument, node: DraftNode) => string;

/**
 * The differences of two versions, part by part and field by field.
 *
 * Parts are compared by id: a menu that was renamed is changed, not another one.
 */
export function compareDocuments(
  before: IvrDocument,
  after: IvrDocument,
  nameOf: NameOf,
): readonly PartDifference[] {
  const parts: PartDifference[] = [];
  if (before.name !== after.name) {
    const fields = [{ field: 'name', before: before.name, after: after.name }];
    parts.push({ id: 'name', what: differenceText.draft, change: 'changed', fields });
  }
  const first = fieldsBetween(
    { [differenceText.first]: lineOf(before, before.caller.to) },
    { [differenceText.first]: lineOf(after, after.caller.to) },
  );
  if (first.length > 0)
    parts.push({ id: 'caller', what: differenceText.caller, change: 'changed', fields: first });
  for (const id of idsOf(before.nodes, after.nodes)) parts.push(...compareNode(id as NodeId));
  for (const id of idsOf(before.scenarios, after.scenarios)) parts.push(...compareScenario(id));
  return parts;

  function compareNode(id: NodeId): PartDifference[] {
    const [old, now] = [nodeOf(before, id), nodeOf(after, id)];
    const what = now === null ? (old === null ? id : nameOf(before, old)) : nameOf(after, now);
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
    const what = differenceText.scenario((now ?? old)?.['name']?.text ?? id);
    return [{ id, what, change: old === null ? 'added' : now === null ? 'removed' : 'changed', fields }];
  }

  /** A line to a menu is the same while the menu is, even if renamed; a line to a destination, while that is the same. */
  function lineOf(document: IvrDocument, id: NodeId | null): Value | null {
    const node = nodeOf(document, id);
    if (node === null) return null;
    const name = nameOf(document, node);
    return { text: name, same: node.kind === 'menu' ? node.id : name };
  }

  function fieldsOf(document: IvrDocument, node: DraftNode): Fields {
    if (node.kind === 'end') return { destination: value(nameOf(document, node)) };
    return menuFields(node, (to) => lineOf(document, to));
  }

  function scenarioFields(document: IvrDocument, id: string): Fields | null {
    const scenario = Object.values(document.scenarios).find((other) => String(other.id) === id);
    if (scenario === undefined) return null;
    const { expected } = scenario;
    const menu = expected.kind === 'menu' ? lineOf(document, expected.menu) : null;
    const end =
      expected.kind === 'destination'
        ? value(expected.destination)
        : { text: differenceText.waitsIn(menu?.text ?? null), same: expected.menu };
    return { name: value(scenario.name), inputs: value(scenario.inputs.join(', ')), expected: end };
  }
}

/** What a field shows, and what it is compared by. */
interface Value {
  readonly text: string;
  readonly same: string;
}
type Fields = Readonly<Record<string, Value | null>>;

/** In the order of the body; each key is a separate field, so that an added key does not make all of them differ. */
function menuFields(menu: MenuNode, lineOf: (id: NodeId | null) => Value | null): Fields {
  const keys = menu.keys.flatMap(({ key, to, sms_template: template }): [string, Value | null][] => [
    [differenceText.key(key), lineOf(to) ?? value(differenceText.noDestination)],
    ...(template === null
      ? []
      : [[differenceText.keyTemplate(key), value(template)] satisfies [string, Value | null]]),
  ]);
  return {
    name: value(menu.name),
    description: value(menu.description),
    recording: value(menu.recording),
    timeout: value(menu.timeout),
    option: value(menu.keys.map(({ key }) => key).join(' ')),
    ...Object.fromEntries(keys),
    incorrect_count: value(menu.incorrect_count),
    invalid_recording: value(menu.invalid_recording),
    invalid_destination: lineOf(menu.invalid_destination),
    timeout_retry_recording: value(menu.timeout_retry_recording),
    timeout_recording: value(menu.timeout_recording),
    timeout_destination: lineOf(menu.timeout_destination),
    timeout_tries: value(menu.timeout_tries),
  };
}

function value(shown: string | number | null): Value | null {
  return shown === null || shown === '' ? null : { text: String(shown), same: String(shown) };
}

function fieldsBetween(before: Fields, after: Fields): FieldDifference[] {
  return idsOf(before, after).flatMap((field) => {
    const [old, now] = [before[field] ?? null, after[field] ?? null];
    return old?.same === now?.same ? [] : [{ field, before: old?.text ?? null, after: now?.text ?? null }];
  });
}

function idsOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])];
}
