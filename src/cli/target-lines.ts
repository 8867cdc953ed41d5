import type { DeliveryPreview } from '../contract/credential-checks.ts';
import type { TargetView } from '../contract/credential-view.ts';
import type { DeliveryTarget } from '../contract/credential.ts';
import { formatTable } from './format-table.ts';
import { localTime } from './moments.ts';

/** How many characters of a note are shown, the last ones; `--json` has all of it. */
const shownNote = 200;

/** Delivery targets as a table, a line each: where the value is brought, and whether it is there. */
export function targetTable(targets: readonly TargetView[]): string[] {
  return formatTable(
    targets.map((view) => [view.id, view.target.kind, placeWords(view.target), receiptWords(view)]),
    ['id', 'kind', 'where', 'receipt'],
  );
}

/** What one target has, as a sentence for a terminal. */
export function receiptLine(view: TargetView): string {
  return `${placeWords(view.target)}: ${receiptWords(view)}`;
}

/** The place that a target is, on one line. */
function placeWords(target: DeliveryTarget): string {
  switch (target.kind) {
    case 'keychain':
      return `${target.service} / ${target.account}`;
    case 'file':
      return target.path;
    case 'dotenv':
      return `${target.path} (${target.variable})`;
    case 'hook':
      return target.command.map(shellWord).join(' ');
  }
}

/** What a target has, on one line. */
function receiptWords(view: TargetView): string {
  const { status, delivered_at: at, note, message, next_try_at: nextTry } = view;
  switch (status) {
    case 'delivered':
      return (
        (at === null ? 'delivered' : `delivered ${localTime(at)}`) +
        (note === null ? '' : `, and said: ${endOf(note)}`)
      );
    case 'owed':
      return 'not delivered yet';
    case 'failing':
      return (
        `failing: ${message ?? 'no reason is known'}` +
        (nextTry === null ? '' : ` Next try: ${localTime(nextTry)}.`)
      );
  }
}

/** The end of a note: what a command says last tells most. Well formed: the cut may go through a pair of surrogates. */
function endOf(note: string): string {
  return note.length > shownNote ? `…${note.slice(-shownNote).toWellFormed()}` : note;
}

/** A word as a shell would read it, so that where it begins and ends can be seen. */
function shellWord(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
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
