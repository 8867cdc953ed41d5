import type { CallerChange } from '../../../../contract/menu/caller-change.ts';
import type { CallPort } from '../../../../contract/menu/ivr-call.ts';
import type { DraftNode, IvrDocument, NodeId, Scenario } from '../../../../contract/menu/ivr-draft.ts';
import { menuBody } from '../../../../core/ivr/body/menu-body.ts';
import { callerChanges, callerFlowOf } from '../../../../core/ivr/caller-changes.ts';
import { isSame } from '../../../../core/ivr/draft/document-delta.ts';
import type { Contradiction, NodeField } from '../../../../core/ivr/draft/merge-edits.ts';
import { flowSpeechText } from '../../../../text/menu/designer-inspector.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { flowPrompt } from '../../../../core/ivr/flow-prompts.ts';
import { writeReference } from '../../../../contract/menu/ivr-reference.ts';
import {
  type CallerNames,
  flowPromptSentence,
  startSentence,
  toldMenus,
} from '../../../../text/menu/change-sentences.ts';
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
    ...(isSame(before.speech, after.speech)
      ? []
      : [
          {
            ...changed,
            id: 'speech',
            what: flowSpeechText.title,
            sentences: [text.spokenAs(before.speech ?? null, after.speech ?? null)],
          },
        ]),
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
      ...(isSame([old.at ?? null, old.switches ?? {}], [now.at ?? null, now.switches ?? {}])
        ? []
        : [text.whenCalled]),
      ...differs(
        scenarioEndTitle(before, old.expected, known),
        scenarioEndTitle(after, now.expected, known),
        text.expected,
      ),
    ];
    return sentences.length === 0 ? [] : [{ ...changed, id, what, sentences }];
  }
}

/** What one of two people has changed in a place where they contradict each other, as sentences. */
export function changeSentences(
  base: IvrDocument,
  changed: IvrDocument,
  at: Contradiction,
  known: CallerNames,
): readonly string[] {
  if (at.kind === 'flow' && at.field !== 'name' && at.field !== 'start' && at.field !== 'speech')
    return [flowPromptSentence(at.field, [flowPrompt(base, at.field), flowPrompt(changed, at.field)], known)];
  const sentences = partSentences(base, changed, at, known);
  return sentences.length === 0 ? [text.changed] : sentences;
}

function partSentences(
  base: IvrDocument,
  changed: IvrDocument,
  at: Contradiction,
  known: CallerNames,
): readonly string[] {
  if (at.kind === 'node' && at.field !== null) {
    const { start, menus } = callerChanges(callerFlowOf(base), callerFlowOf(changed));
    const ofField = menus
      .filter(({ menu }) => menu === at.id)
      .map((menu) => ({ ...menu, changes: menu.changes.filter((change) => fieldOf(change) === at.field) }));
    return toldMenus({ start, menus: ofField }, known).flatMap(({ sentences }) => sentences);
  }
  const id = at.kind === 'flow' ? flowParts[at.field] : at.id;
  const part = compareDocuments(base, changed, known).find((one) => one.id === id);
  if (part?.change === 'removed') return [text.removed];
  if (at.kind === 'node' && (part === undefined || part.change === 'moved')) return [text.ledTo];
  return part?.sentences ?? [];
}

const flowParts: Readonly<Record<string, string>> = { name: 'name', start: 'caller', speech: 'speech' };

/** The field of a card in the draft that a change for callers comes from. */
function fieldOf(change: CallerChange): NodeField {
  switch (change.kind) {
    case 'prompt':
    case 'count':
      return change.which;
    case 'sms':
      return 'keys';
    case 'hours':
      return 'hours';
    case 'digit_time':
    case 'dial':
      return 'direct_dial';
    case 'unheard':
      return change.which === 'order' ? 'keys' : change.which;
    case 'led':
      return ledFields[change.way.kind];
  }
}

const ledFields = {
  key: 'keys',
  wrong_key: 'invalid_destination',
  silence: 'timeout_destination',
  number: 'direct_dial',
  open: 'open',
  closed: 'closed',
  holiday: 'holiday',
  then: 'then',
} as const satisfies Readonly<Record<CallPort['kind'], NodeField>>;

function differs(before: string, after: string, tell: (before: string, after: string) => string): string[] {
  return before === after ? [] : [tell(before, after)];
}

function scenarioOf({ scenarios }: IvrDocument, id: string): Scenario | undefined {
  return Object.values(scenarios).find((scenario) => String(scenario.id) === id);
}

/** As the JSON has them; menus of the draft by their ids there. */
function fieldsOf(document: IvrDocument, node: DraftNode | null): Readonly<Record<string, unknown>> {
  if (node === null) return {};
  switch (node.kind) {
    case 'menu':
      return menuBody(document, node.id, String);
    case 'end':
      return { destination: writeReference({ type: node.type, id: node.ref }) };
    case 'hours':
    case 'message': {
      const { kind: _kind, id: _id, place: _place, ...fields } = node;
      return fields;
    }
  }
}

function fieldsBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldDifference[] {
  const written = (value: unknown): string | null => {
    if (value === undefined) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return idsOf(before, after).flatMap((field) => {
    const [old, now] = [written(before[field]), written(after[field])];
    return old === now ? [] : [{ field, before: old, after: now }];
  });
}

function idsOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])];
}
