import type { Actor, EventKind, HistoryEvent } from '../../contract/audit-event.ts';
import type { HistoryFilters, HistoryResult } from '../../contract/history.ts';

/**
 * A selection made ready to be asked about many events, and in steps: the first two need only the head of an event, so
 * that whoever reads events from disk parses few of them.
 *
 * Places (`seqs`, `after`) are not looked at: they are known before an event is.
 */
export interface EventChoice {
  /** The text that is looked for, folded; nothing when none is. */
  readonly sought: string | undefined;
  /** Whether events of this kind may be chosen at all. */
  readonly allowsKind: (kind: string) => boolean;
  /** Whether an event matches the text by what happened and to what, whatever else it says. */
  readonly isMeant: (kind: string, subject: string) => boolean;
  readonly isChosen: (event: HistoryEvent) => boolean;
}

/** `nameOf` gives the present name of a subject; it is asked once about each. */
export function chooseEvents(
  { subject, kinds, result, text, textKinds }: HistorySelection,
  nameOf: (subject: string) => string | undefined,
): EventChoice {
  const sought = text === undefined ? undefined : foldCase(text);
  const isAllowed = remembered(
    (kind) => fits(kind, kinds) && (result === undefined || resultOfEvent(kind) === result),
  );
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
    isMeant,
    isChosen: ({ kind, subject: of, actor, data }) =>
      (subject ?? of) === of &&
      isAllowed(kind) &&
      (isMeant(kind, of) || textsOfActor(actor).some(saysText) || textsIn(data).some(saysText)),
  };
}

/** Whether a kind is one of these, or of one of these groups. No list lets every kind in. */
function fits(kind: string, kinds: readonly string[] | undefined): boolean {
  return kinds?.some((one) => kind === one || (one.endsWith('.') && kind.startsWith(one))) ?? true;
}

function textsOfActor(actor: Actor): readonly (string | null)[] {
  return actor.kind === 'bearer' ? [actor.token_id, actor.address, actor.user_agent] : [actor.kind];
}

/** Texts at any depth. Names of fields are not something that an event says. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Answers each question once and remembers the answer: there are many events, of few kinds and subjects. */
function remembered(decide: (about: string) => boolean): (about: string) => boolean {
  const known = new Map<string, boolean>();
  return (about) => {
    let answer = known.get(about);
    if (answer === undefined) known.set(about, (answer = decide(about)));
    return answer;
  };
}

/**
 * Makes texts comparable whatever their case.
 *
 * Upper case and not lower: it is made character by character, so the upper case of a part is a part of the upper case
 * of the whole. Lower case looks around itself (a Greek sigma at the end of a word), and `ß` has no `ss` in it.
 */
export function foldCase(text: string): string {
  return text.toUpperCase();
}

/** Which events are asked for. All that is given must hold. */
export interface HistorySelection {
  readonly subject?: string | undefined;
  /** Kinds, or groups of them (`token.`); one must fit. */
  readonly kinds?: readonly string[] | undefined;
  readonly result?: HistoryResult | undefined;
  /** What an event must say somewhere, whatever the case. */
  readonly text?: string | undefined;
  /** Kinds, or groups of them, whose events match `text` whatever they say. */
  readonly textKinds?: readonly string[] | undefined;
  /** Only events with one of these `seq`. */
  readonly seqs?: readonly number[] | undefined;
  /** Only events with a greater `seq`. */
  readonly after?: number | undefined;
}

/** The selection that a query asks for. */
export function selectionOf(
  filters: HistoryFilters & { readonly seq?: string | undefined },
): HistorySelection {
  const { subject, kind, result, text, text_kind: textKind, seq, after } = filters;
  return {
    subject,
    kinds: kind?.split(','),
    result,
    text,
    textKinds: textKind?.split(','),
    seqs: seq?.split(',').map(Number),
    after: after === undefined ? undefined : Number(after),
  };
}

/** Every kind that is not simply `ok`. */
const results: Readonly<Partial<Record<EventKind, HistoryResult>>> = {
  'credential.rotation_failed': 'failed',
  'credential.delivery_failed': 'failed',
  // Apps that use the token are refused from here on.
  'token.suspended': 'attention',
  'token.blacklisted': 'attention',
  'token.expired': 'attention',
  // Somebody has not got the new value, or has got hold of an old one.
  'token.reused': 'attention',
  // Its value lapses when nobody resumes it in time.
  'credential.paused': 'attention',
  // What was cut off is kept beside the journal, for somebody to look at.
  'journal.repaired': 'attention',
};

const resultByKind: ReadonlyMap<string, HistoryResult> = new Map(Object.entries(results));

/** How events of a kind ended. A kind that is not known is `ok`. */
export function resultOfEvent(kind: string): HistoryResult {
  return resultByKind.get(kind) ?? 'ok';
}
