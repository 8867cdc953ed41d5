const longest = 100;

/** What a recording is called that comes from a file: the file's own name, as a person would write it. */
export function nameOfFile(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]{1,5}$/, '')
    .replace(/[_\s]+/g, ' ')
    .trim();
  return Array.from(words === '' ? 'Recording' : words)
    .slice(0, longest)
    .join('')
    .trim();
}
