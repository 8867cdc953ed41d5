/** “1 menu”, “3 menus”. */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** What a journal is in, with the number of its files: 0 in a database. */
export function journalSize(files: number): string {
  return files === 0 ? 'the database' : countWords(files, 'file');
}
