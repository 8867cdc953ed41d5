import type { DraftNode, IvrDocument, MenuNode, NodeId } from '../../../../contract/menu/ivr-draft.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { type PromptField, withFlowPrompts } from '../../../../core/ivr/flow-prompts.ts';
import { referenceTitle } from '../../../../text/menu/phone-menu.ts';
import { differenceText } from '../../../../text/menu/versions.ts';

/** How a part differs between two versions. `moved`: only its position differs. */
export type PartChange = 'added' | 'removed' | 'changed' | 'moved';

/** A field that differs; `before` and `after` are null where it was empty. */
export interface FieldDifference {
  /** The field's name in the body, or a text for what the body does not have. */
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What that means for callers; null where another field of the part says it. */
  readonly sentence: string | null;
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
    const fields = fieldsBetween({ name: named(before.name) }, { name: named(after.name) });
    parts.push({ id: 'name', what: differenceText.draft, change: 'changed', fields });
  }
  const first = fieldsBetween(
    { [differenceText.first]: line(before, before.caller.to, differenceText.firstMenu) },
    { [differenceText.first]: line(after, after.caller.to, differenceText.firstMenu) },
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
  function line(document: IvrDocument, id: NodeId | null, tell: Tell): Value | null {
    const node = nodeOf(document, id);
    if (node === null) return null;
    const name = nameOf(document, node);
    return { text: name, same: node.kind === 'menu' ? node.id : name, tell };
  }

  function fieldsOf(document: IvrDocument, node: DraftNode): Fields {
    if (node.kind === 'end')
      return { destination: value(nameOf(document, node), differenceText.value(differenceText.destination)) };
    return menuFields(withFlowPrompts(document, node), (to, tell) => line(document, to, tell));
  }

  function scenarioFields(document: IvrDocument, id: string): Fields | null {
    const scenario = Object.values(document.scenarios).find((other) => String(other.id) === id);
    if (scenario === undefined) return null;
    const { expected } = scenario;
    const tell = differenceText.value(differenceText.scenarioFields.expected);
    const menu = expected.kind === 'menu' ? line(document, expected.menu, tell) : null;
    const end =
      expected.kind === 'destination'
        ? {
            text: expected.destination,
            shown: referenceTitle(expected.destination),
            same: expected.destination,
            tell,
          }
        : { text: differenceText.waitsIn(menu?.text ?? null), same: expected.menu, tell };
    return {
      name: named(scenario.name),
      inputs: value(scenario.inputs.join(', '), differenceText.value(differenceText.scenarioFields.inputs)),
      expected: end,
    };
  }
}

/** The sentence about a change from one value to another; null is none. */
type Tell = (before: string | null, after: string | null) => string | null;

/** What a field shows, and what it is compared by. */
interface Value {
  /** As the body has it. */
  readonly text: string;
  /** As a person reads it, where that differs. */
  readonly shown?: string;
  readonly same: string;
  readonly tell: Tell;
}
type Fields = Readonly<Record<string, Value | null>>;

/** In the order of the body; each key is a separate field, so that an added key does not make all of them differ. */
function menuFields(menu: MenuNode, line: (id: NodeId | null, tell: Tell) => Value | null): Fields {
  const keys = menu.keys.flatMap(({ key, to, sms_template: template }): [string, Value | null][] => {
    const tell = differenceText.keyChange(key);
    return [
      [differenceText.key(key), line(to, tell) ?? value(differenceText.noDestination, tell)],
      ...(template === null
        ? []
        : [
            [
              differenceText.keyTemplate(key),
              value(template, differenceText.value(differenceText.smsOf(key))),
            ] satisfies [string, Value | null],
          ]),
    ];
  });
  const { fields: labels } = differenceText;
  const prompt = (field: PromptField | 'recording') => {
    const shown = menu[field] === null ? undefined : referenceTitle(menu[field]);
    const one = value(menu[field], differenceText.value(labels[field]));
    return one === null || shown === undefined ? one : { ...one, shown };
  };
  const count = (field: 'incorrect_count' | 'timeout_tries') =>
    value(menu[field], differenceText.value(labels[field]));
  return {
    name: named(menu.name),
    description: value(menu.description, differenceText.value(labels.description)),
    recording: prompt('recording'),
    timeout: value(menu.timeout, differenceText.seconds(labels.timeout)),
    // The keys themselves say which were added and removed.
    option: value(menu.keys.map(({ key }) => key).join(' '), differenceText.keyOrder),
    ...Object.fromEntries(keys),
    incorrect_count: count('incorrect_count'),
    invalid_recording: prompt('invalid_recording'),
    invalid_destination: line(menu.invalid_destination, differenceText.leads(labels.invalid_destination)),
    timeout_retry_recording: prompt('timeout_retry_recording'),
    timeout_recording: prompt('timeout_recording'),
    timeout_destination: line(menu.timeout_destination, differenceText.leads(labels.timeout_destination)),
    timeout_tries: count('timeout_tries'),
  };
}

function named(name: string): Value | null {
  return value(name, differenceText.value(differenceText.fields.name));
}

function value(shown: string | number | null, tell: Tell): Value | null {
  return shown === null || shown === '' ? null : { text: String(shown), same: String(shown), tell };
}

function fieldsBetween(before: Fields, after: Fields): FieldDifference[] {
  return idsOf(before, after).flatMap((field) => {
    const [old, now] = [before[field] ?? null, after[field] ?? null];
    if (old?.same === now?.same) return [];
    const tell = (now ?? old)?.tell;
    return [
      {
        field,
        before: old?.text ?? null,
        after: now?.text ?? null,
        sentence: tell?.(old?.shown ?? old?.text ?? null, now?.shown ?? now?.text ?? null) ?? null,
      },
    ];
  });
}

function idsOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])];
}
