import type { DeliveryPreview } from '../contract/credential-checks.ts';
import type { TargetView } from '../contract/credential-view.ts';
import { placeText, receiptLabels } from '../text/credentials.ts';
import { formatTable } from './format-table.ts';
import { localTime } from '../text/time.ts';

/** How many characters of a note are shown, the last ones; `--json` has all of it. */
const shownNote = 200;

/** Delivery targets as a table, a line each: where the token is delivered, and whether it is there. */
export function targetTable(targets: readonly TargetView[]): string[] {
  return formatTable(
    targets.map((view) => [view.id, view.target.kind, placeText(view.target), receiptWords(view)]),
    ['id', 'kind', 'where', 'receipt'],
  );
}

/** What one target has, as a sentence for a terminal. */
export function receiptLine(view: TargetView): string {
  return `${placeText(view.target)}: ${receiptWords(view)}`;
}

/** What a target has, on one line. */
function receiptWords(view: TargetView): string {
  const { status, delivered_at: at, note, message, next_try_at: nextTry } = view;
  switch (status) {
    case 'delivered':
      return (
        receiptLabels[status] +
        (at === null ? '' : ` ${localTime(at)}`) +
        (note === null ? '' : `, and said: ${endOf(note)}`)
      );
    case 'owed':
      return receiptLabels[status];
    case 'failing':
      return (
        `${receiptLabels[status]}: ${message ?? 'no reason is known'}` +
        (nextTry === null ? '' : ` Next try: ${localTime(nextTry)}.`)
      );
  }
}

/** The end of a note: what a command says last tells most. Well formed: the cut may go through a pair of surrogates. */
function endOf(note: string): string {
  return note.length > shownNote ? `…${note.slice(-shownNote).toWellFormed()}` : note;
}

/** What a delivery would change, line by line: the place, then what goes (-) and what comes (+). */
export function previewLines({ place, lines }: DeliveryPreview): string[] {
  return [
    place,
    ...lines.flatMap(({ number, before, after }) => {
      const at = number === null ? '' : `line ${number}: `;
      return [
        ...(before === null ? [] : [`- ${at}${before}`]),
        ...(after === null ? [] : [`+ ${at}${after}`]),
      ];
    }),
  ];
}
