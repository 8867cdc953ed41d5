import type { WantedColumns } from '../../contract/menu/directory.ts';
import type { DirectoryName, FieldFinding } from '../../contract/field-problem.ts';
import { done, refused, type Result } from '../result.ts';

/** Where the fields of an entry are in the rows of a file. */
export interface ChosenColumns {
  /** The index of each column that a field is read from; several are joined by a space. */
  readonly fields: Readonly<Record<string, readonly number[]>>;
  /** What the heading says that the cells of a field are. */
  readonly kinds: Readonly<Record<string, 'plain' | 'caller_id'>>;
}

/** A heading without its signs and in small letters: `First Name`, `first_name` and `FirstName` are one. */
function plainHeading(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * The headings that are known for each field, the surest first; several in one place are joined.
 *
 * Of the exports of FreePBX (Bulk Handler: `extension`, `name`, `id`, `description`, `callerid`), 3CX (`Number`, `FirstName`,
 * `LastName`), Switchvox (`ext`, `fname`, `lname`), Yeastar (`Extension Number`, `First Name`, `Caller ID`), FusionPBX
 * (`effective_caller_id_name`) and of our own. `id` comes last: in other programs it numbers the rows.
 */
const knownHeadings: Readonly<
  Record<DirectoryName, Readonly<Record<string, readonly (readonly string[])[]>>>
> = {
  extensions: {
    id: [
      ['extension'],
      ['extensionnumber'],
      ['ext'],
      ['extn'],
      ['exten'],
      ['extensionid'],
      ['number'],
      ['id'],
    ],
    name: [
      ['name'],
      ['displayname'],
      ['fullname'],
      ['extensionname'],
      ['firstname', 'lastname'],
      ['fname', 'lname'],
      ['effectivecalleridname'],
      ['calleridname'],
      ['callerid'],
      ['firstname'],
      ['lastname'],
      ['description'],
    ],
  },
  sms_templates: {
    id: [['templateid'], ['id'], ['number']],
    name: [['name'], ['templatename'], ['displayname'], ['title']],
    text: [['text'], ['message'], ['body'], ['content']],
  },
};

/** How much of a heading, and how many of them, a message shows. */
const shownCharacters = 50;
const shownHeadings = 20;

export function shownHeading(heading: string): string {
  const text = heading.replace(/\s+/g, ' ').trim();
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** Finds the column of each field: as it is wanted, otherwise by the headings that are known. */
export function chooseColumns(
  { name, columns }: { readonly name: DirectoryName; readonly columns: readonly string[] },
  headings: readonly string[],
  wanted: WantedColumns,
): Result<ChosenColumns, readonly FieldFinding[]> {
  const plain = headings.map(plainHeading);
  const shown = headings.map(shownHeading).filter((heading) => heading !== '');
  const named = shown.slice(0, shownHeadings);
  if (shown.length > named.length) named.push('…');
  const wrong: FieldFinding[] = [];
  const fields: Record<string, readonly number[]> = {};
  const kinds: Record<string, 'plain' | 'caller_id'> = {};
  for (const field of columns) {
    const asked = wanted[field as keyof WantedColumns];
    const found = asked === undefined ? knownPlaces(field) : wantedPlaces(asked);
    if (found === null) continue;
    fields[field] = found;
    const [only] = found;
    kinds[field] = only !== undefined && plain[only] === 'callerid' ? 'caller_id' : 'plain';
  }
  return wrong.length === 0 ? done({ fields, kinds }) : refused(wrong);

  function knownPlaces(field: string): readonly number[] | null {
    const known = knownHeadings[name][field]?.find((parts) => parts.every((part) => plain.includes(part)));
    if (known === undefined) {
      wrong.push({ code: 'missing_column', params: { column: field, columns: named } });
      return null;
    }
    return known.map((part) => {
      const at = plain.indexOf(part);
      if (plain.includes(part, at + 1))
        wrong.push({ code: 'column_twice', params: { column: shownHeading(headings[at] ?? '') } });
      return at;
    });
  }

  function wantedPlaces(asked: string | readonly number[]): readonly number[] | null {
    if (typeof asked !== 'string') {
      const beyond = asked.find((column) => column > headings.length);
      if (beyond === undefined) return asked.map((column) => column - 1);
      wrong.push({ code: 'unknown_column', params: { column: String(beyond), columns: named } });
      return null;
    }
    const whole = placeOf(asked);
    if (whole !== null) return [whole];
    const parts = asked.split('+').map((part) => [part.trim(), placeOf(part)] as const);
    const unknown = parts.filter(([, at]) => at === null).map(([part]) => part);
    if (unknown.length === 0) return parts.flatMap(([, at]) => at ?? []);
    for (const part of unknown)
      wrong.push({ code: 'unknown_column', params: { column: shownHeading(part), columns: named } });
    return null;
  }

  /** As it is written, otherwise without its signs. */
  function placeOf(heading: string): number | null {
    const exact = headings.findIndex((one) => shownHeading(one) === shownHeading(heading));
    const at = exact === -1 ? plain.indexOf(plainHeading(heading)) : exact;
    return at === -1 || plainHeading(heading) === '' ? null : at;
  }
}
