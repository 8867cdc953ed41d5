/** “1 menu”, “3 menus”. */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** Who can have written a journal, as a sentence with the space before it; empty where only its own account can write it. */
export function markedText(markedFrom: number | null | undefined): string {
  if (markedFrom === undefined) return '';
  if (markedFrom === null)
    return ' It is not sealed yet: whoever can write to the database can have written it.';
  return markedFrom === 1
    ? ' A host with the passphrase of the team wrote each of them.'
    : ` A host with the passphrase of the team wrote each event from ${markedFrom.toLocaleString('en')} on; those before it have not been changed since.`;
}

/** What a journal is in, with the number of its files: 0 in a database. */
export function journalSize(files: number): string {
  return files === 0 ? 'the database' : countWords(files, 'file');
}
