import type {
  DraftSummary,
  IvrDocument,
  IvrDraft,
  NodeId,
  Publication,
} from '../../../contract/menu/ivr-draft.ts';
import type { IvrId } from '../../../contract/menu/ivr.ts';
import type { FlowPartId, ScheduleId } from '../../../contract/menu/schedule.ts';
import type { FieldProblem } from '../../../contract/field-problem.ts';
import { isoInstant, isoInstantOrNull } from '../../iso-instant.ts';
import type { State } from '../../state.ts';
import { checkDraft } from '../check-draft.ts';
import { nodeOf } from '../edit/lines.ts';
import { hoursAt } from '../../schedule/hours-at.ts';
import { fingerprintOf, fnv1a } from '../fingerprint.ts';
import { withFlowPrompts } from '../flow-prompts.ts';
import { type IvrDirectory, readReference } from '../../../contract/menu/ivr-reference.ts';
import { type Tally, tallyOf, withToDos } from '../finding-severity.ts';
import type { Draft, DraftPublication } from './draft.ts';
import { stateDirectory } from '../change-ivr.ts';

/** A draft as the owner reads it. */
export function viewDraft(state: State, draft: Draft): IvrDraft {
  return { ...headOf(state, draft), document: draft.document };
}

/** All drafts, the one changed last first. */
export function listDrafts(state: State, tally: DraftTally, nowMs: number): DraftSummary[] {
  const latestFirst = [...state.drafts.values()].sort((one, other) => other.updatedAtMs - one.updatedAtMs);
  return latestFirst.map((draft) => {
    const { name, nodes, scenarios } = draft.document;
    return {
      ...headOf(state, draft),
      name,
      menus: Object.values(nodes).filter(({ kind }) => kind === 'menu').length,
      scenarios: Object.keys(scenarios).length,
      ...summaryTally(tally.of(state, draft.document, nowMs)),
    };
  });
}

/** In a summary the to-dos are among the errors: both block publishing. */
function summaryTally({ errors, todos, warnings }: Tally): Tally {
  return { errors: errors + todos, todos, warnings };
}

function headOf(state: State, draft: Draft) {
  const { id, revision, createdAtMs, updatedAtMs, document, publications } = draft;
  return {
    id,
    revision,
    created_at: isoInstant(createdAtMs),
    updated_at: isoInstant(updatedAtMs),
    publications: publications.map((one) => viewPublication(state, draft, one)),
    fingerprint: fingerprintOf(document),
  };
}

function viewPublication(state: State, draft: Draft, publication: DraftPublication): Publication {
  const { credential, baseUrl, menus, published } = publication;
  const altered = alteredMenus(state, draft, publication);
  return {
    credential,
    base_url: baseUrl,
    menus,
    version: published?.version ?? null,
    published_at: isoInstantOrNull(published?.atMs ?? null),
    fingerprint: published?.fingerprint ?? null,
    ...(altered === null ? {} : { altered }),
  };
}

/**
 * What this service no longer stores as the last version did; null if nothing.
 *
 * Menus that the draft has no longer do not count: nobody misses them.
 */
function alteredMenus(
  { ivrs, flowParts }: State,
  { document }: Draft,
  { isHere, published, menus, versions }: DraftPublication,
): NonNullable<Publication['altered']> | null {
  if (!isHere || published === null) return null;
  const stored = Object.entries(menus).flatMap(([node, id]) => {
    const part = nodeOf(document, node as NodeId);
    if (part === null || part.kind === 'end') return [];
    const ivr = ivrs.get(id as IvrId);
    const isStored = part.kind === 'menu' ? ivr !== undefined : flowParts.has(id as FlowPartId);
    return [{ name: part.kind === 'hours' ? document.name : part.name, id, ivr, isStored }];
  });
  const deleted = stored.filter(({ isStored }) => !isStored);
  const replaced = stored.filter(
    ({ id, ivr }) => ivr !== undefined && ivr.version > (versions[id] ?? Infinity),
  );
  if (deleted.length === 0 && replaced.length === 0) return null;
  return {
    deleted: deleted.map(({ name }) => name),
    replaced: replaced.map(({ name }) => name),
    is_gone: deleted.length === stored.length,
  };
}

/** The errors in the list of menus that a new draft claims to have in this service; empty if it is valid. */
export function storedMenuErrors(
  { ivrs }: State,
  document: IvrDocument,
  stored: Readonly<Record<NodeId, IvrId>>,
): FieldProblem[] {
  const seen = new Set<IvrId>();
  return (Object.entries(stored) as [NodeId, IvrId][]).flatMap(([node, id]) => {
    const code = whatIsWrong(node, id);
    seen.add(id);
    return code === null ? [] : [{ field: `stored.${node}`, code, params: null }];
  });

  function whatIsWrong(node: NodeId, id: IvrId) {
    if (nodeOf(document, node)?.kind !== 'menu') return 'not_a_menu_of_draft';
    if (!ivrs.has(id)) return 'not_stored_here';
    return seen.has(id) ? 'stored_twice' : null;
  }
}

/**
 * Counts the findings of drafts, once for each revision.
 *
 * A check plays the scenarios and proves every path of a call, and all drafts are listed whenever one is saved. A
 * document is immutable, so its count is cached by identity; the cache entry is valid until one of its references is
 * added or removed, which costs a lookup for each reference. There is no invalidation that could be missed, not even
 * for a change that the disk refused.
 */
export class DraftTally {
  readonly #counted = new WeakMap<IvrDocument, Counted>();

  of(state: State, document: IvrDocument, nowMs: number): Tally {
    const before = this.#counted.get(document);
    const asked = before?.asked ?? askedBy(document);
    const directory = stateDirectory(state);
    const known = knownOf(asked, directory, nowMs);
    if (before?.known === known) return before.tally;
    const tally = tallyOf(withToDos(checkDraft(document, directory, nowMs).problems));
    this.#counted.set(document, { asked, known, tally });
    return tally;
  }
}

interface Counted {
  readonly asked: Asked;
  /** Which references were known when it was counted. */
  readonly known: string;
  readonly tally: Tally;
}

/** The ids that a document refers to. */
interface Asked {
  readonly recordings: string[];
  readonly extensions: string[];
  readonly menus: string[];
  readonly smsTemplates: string[];
  readonly routedTypes: string[];
  readonly schedules: ScheduleId[];
  /** Whether a menu lets callers dial the numbers of the directory. */
  readonly dials: boolean;
}

function askedBy(document: IvrDocument): Asked {
  const nodes = Object.values(document.nodes);
  const asked: Asked = {
    recordings: [],
    extensions: [],
    menus: [],
    smsTemplates: [],
    routedTypes: [],
    schedules: nodes.flatMap((node) => (node.kind === 'hours' && node.hours !== null ? [node.hours] : [])),
    dials: nodes.some((node) => node.kind === 'menu' && (node.direct_dial ?? null) !== null),
  };
  const askRecording = (played: string | null): void => {
    const reference = played === null ? null : readReference(played);
    if (reference?.type === 'recording') asked.recordings.push(reference.id);
  };
  for (const node of nodes) {
    if (node.kind === 'hours') continue;
    if (node.kind === 'message') {
      askRecording(node.recording);
      continue;
    }
    if (node.kind === 'end') {
      if (node.type === 'extension') asked.extensions.push(node.ref);
      if (node.type === 'ivr') asked.menus.push(node.ref);
      asked.routedTypes.push(node.type);
      continue;
    }
    const { recording, invalid_recording, timeout_retry_recording, timeout_recording, keys } =
      withFlowPrompts(document, node);
    for (const played of [recording, invalid_recording, timeout_retry_recording, timeout_recording])
      askRecording(played);
    asked.smsTemplates.push(...keys.map((key) => key.sms_template).filter((one) => one !== null));
  }
  return asked;
}

/** What is known of what is asked, and what the schedules say now: scenarios may be run now. */
function knownOf(
  asked: Asked,
  { smsTemplatesEnabled, outside, ...known }: IvrDirectory,
  nowMs: number,
): string {
  const tables = ['recordings', 'extensions', 'menus', 'smsTemplates', 'routedTypes'] as const;
  return JSON.stringify([
    smsTemplatesEnabled,
    asked.routedTypes.includes('number') ? outside : null,
    ...tables.map((table) => asked[table].filter((id) => known[table].has(id))),
    ...asked.schedules.map((id) => {
      const hours = known.schedules?.get(id);
      return hours === undefined ? null : [hours, hoursAt(hours, { to: 'schedule', until: null }, nowMs)];
    }),
    ...(asked.dials ? [fnv1a([...known.extensions.keys()].join('\n'))] : []),
  ]);
}
