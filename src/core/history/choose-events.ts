import type { Actor, EventKind, HistoryEvent, AuditEvent } from '../../contract/history/audit-event.ts';
import type { HistoryFilters, HistoryResult } from '../../contract/history/history.ts';

/**
 * A selection, prepared for checking many events in steps: the first two steps need only the head of an event, so that
 * a reader of events on disk parses few of them.
 *
 * Positions (`seqs`, `after`) are not checked here: they are known before the event is read.
 */
export interface EventChoice {
  /** The folded search text; undefined without one. */
  readonly sought: string | undefined;
  /** Whether events of this kind can match. */
  readonly allowsKind: (kind: string) => boolean;
  /** Whether an instant is in the selected time. */
  readonly allowsTime: (at: string) => boolean;
  /** Whether kind and subject of an event already match the text. */
  readonly isMeant: (kind: string, subject: string) => boolean;
  readonly isChosen: (event: HistoryEvent) => boolean;
}

/** `nameOf` returns the current name of a subject; it is called once for each. */
export function chooseEvents(
  { subject, kinds, result, text, textKinds, from, until }: HistorySelection,
  nameOf: (subject: string) => string | undefined,
): EventChoice {
  const sought = text === undefined ? undefined : foldCase(text);
  const isAllowed = remembered(
    (kind) => fits(kind, kinds) && (result === undefined || resultOfEvent(kind) === result),
  );
  const [fromMs, untilMs] = [from ?? -Infinity, until ?? Infinity];
  const allowsTime = (at: string): boolean => {
    if (from === undefined && until === undefined) return true;
    const atMs = Date.parse(at);
    return atMs >= fromMs && atMs < untilMs;
  };
  const saysText = (said: string | null | undefined): boolean =>
    sought === undefined || (typeof said === 'string' && foldCase(said).includes(sought));
  const isMeantKind = remembered(
    (kind) => saysText(kind) || (textKinds !== undefined && fits(kind, textKinds)),
  );
  const isMeantSubject = remembered((of) => saysText(of) || saysText(nameOf(of)));
  const isMeant = (kind: string, of: string): boolean => isMeantKind(kind) || isMeantSubject(of);
  return {
    sought,
    allowsKind: isAllowed,
    allowsTime,
    isMeant,
    isChosen: ({ at, kind, subject: of, actor, data }) =>
      (subject ?? of) === of &&
      allowsTime(at) &&
      isAllowed(kind) &&
      (isMeant(kind, of) || textsOfActor(actor).some(saysText) || textsIn(data).some(saysText)),
  };
}

/** Whether a kind is one of these, or belongs to one of these groups. Without a list every kind matches. */
function fits(kind: string, kinds: readonly string[] | undefined): boolean {
  return kinds?.some((one) => kind === one || (one.endsWith('.') && kind.startsWith(one))) ?? true;
}

function textsOfActor(actor: Actor): readonly (string | null)[] {
  switch (actor.kind) {
    case 'bearer':
      return [actor.token_id, actor.address, actor.user_agent];
    case 'owner':
      return [actor.kind, actor.name ?? null];
    case 'system':
      return [actor.kind];
  }
}

/** The texts at any depth of a value, without the names of fields. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Memoizes a function: there are many events, but few kinds and subjects. */
function remembered(decide: (about: string) => boolean): (about: string) => boolean {
  const known = new Map<string, boolean>();
  return (about) => {
    let answer = known.get(about);
    if (answer === undefined) known.set(about, (answer = decide(about)));
    return answer;
  };
}

/**
 * Folds the case of a text for comparison.
 *
 * To upper case, because it is defined per character: the upper case of a part is a part of the upper case of the
 * whole. Lower case depends on the context (a Greek sigma at the end of a word), and `ß` has no lower-case `ss`.
 */
export function foldCase(text: string): string {
  return text.toUpperCase();
}

/** Which events are selected. All conditions must hold. */
export interface HistorySelection {
  readonly subject?: string | undefined;
  /** Kinds, or groups of them (`token.`); one must match. */
  readonly kinds?: readonly string[] | undefined;
  readonly result?: HistoryResult | undefined;
  /** A text that the event must contain, in any case. */
  readonly text?: string | undefined;
  /** Kinds, or groups of them, whose events match `text` whatever they contain. */
  readonly textKinds?: readonly string[] | undefined;
  /** Only events with one of these `seq`. */
  readonly seqs?: readonly number[] | undefined;
  /** Only events at this instant or later, in milliseconds. */
  readonly from?: number | undefined;
  /** Only events before this instant. */
  readonly until?: number | undefined;
  /** Only events with a greater `seq`. */
  readonly after?: number | undefined;
}

/** The selection of a query. */
export function selectionOf(
  filters: HistoryFilters & { readonly seq?: string | undefined },
): HistorySelection {
  const { subject, kind, result, text, text_kind: textKind, seq, after, from, until } = filters;
  return {
    subject,
    kinds: kind?.split(','),
    result,
    text,
    textKinds: textKind?.split(','),
    seqs: seq?.split(',').map(Number),
    from: from === undefined ? undefined : Date.parse(from),
    until: until === undefined ? undefined : Date.parse(until),
    after: after === undefined ? undefined : Number(after),
  };
}

/** The result of each kind that is not `ok`. */
const results: Readonly<Partial<Record<EventKind, HistoryResult>>> = {
  'credential.rotation_failed': 'failed',
  'credential.delivery_failed': 'failed',
  'credential.retire_failed': 'failed',
  'owner.sign_in_failed': 'failed',
  // From now on, apps that use the token are refused.
  'token.suspended': 'attention',
  'token.blacklisted': 'attention',
  'token.expired': 'attention',
  // A target has not got the new token, or a superseded token was used.
  'token.reused': 'attention',
  // Its token expires if it is not resumed in time.
  'credential.paused': 'attention',
  // The service shows a token to whoever asks it.
  'proxy.token_reflected': 'attention',
  // The removed part is stored beside the journal, for inspection.
  'journal.repaired': 'attention',
};

const resultByKind: ReadonlyMap<string, HistoryResult> = new Map(Object.entries(results));

/** The result of the events of a kind. An unknown kind is `ok`. */
export function resultOfEvent(kind: string): HistoryResult {
  return resultByKind.get(kind) ?? 'ok';
}

/** An event for the history: without the sealed part. */
export function presentEvent(event: AuditEvent): HistoryEvent {
  const { seq, at, kind, subject, actor, data } = event;
  return { seq, at, kind, subject, actor, data };
}
