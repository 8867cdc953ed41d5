/** What the command line says under a Node that is too old. Written in old syntax, because that Node reads it. */
export function nodeTooOldText(asked: {
  /** Of Rotavox. */
  readonly version: string;
  /** As in package.json: `>=22.15`. */
  readonly needed: string;
  readonly found: string;
  readonly execPath: string;
}): string {
  const needed = asked.needed.replace('>=', '');
  return `Rotavox ${asked.version} needs Node ${needed} or newer, and ${asked.execPath} is Node ${asked.found}. Install a newer Node from https://nodejs.org, then run this command again.`;
}
