import type { Actor, HistoryEvent } from '../../contract/audit-event.ts';
import { foldCase } from './fold-case.ts';
import type { HistorySelection } from './history-selection.ts';
import { resultOfEvent } from './result-of-event.ts';

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
