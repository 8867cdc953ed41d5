/** A name in a message, in the quotes of the house; what has no name is told by what it is. */
export function quoted(name: string, otherwise = 'the menu without a name'): string {
  return name.trim() === '' ? otherwise : `“${name}”`;
}
