import type { HistoryFilters, HistoryResult } from '../../contract/history.ts';

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
