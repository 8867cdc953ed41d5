/** A strict reader of the subset of the dot language that is written here; nodes and edges by their names, in order. */
export function readDot(source: string): { nodes: string[]; edges: string[] } {
  const tokens: string[] = [];
  const pattern = /\s*(?:("(?:[^"\\\n]|\\[\\"n])*")|(->|[{}[\]=,;])|([A-Za-z_][A-Za-z_0-9]*|\d+))/y;
  while (source.slice(pattern.lastIndex).trim() !== '') {
    const at = pattern.lastIndex;
    const match = pattern.exec(source);
    if (match === null) throw new Error(`No dot at ${at}: ${source.slice(at, at + 40)}`);
    tokens.push(match[1] ?? match[2] ?? match[3]!);
  }
  const nodes: string[] = [];
  const edges: string[] = [];
  expect('digraph', 'ivr', '{');
  while (tokens[0] !== '}') {
    const name = tokens.shift()!;
    if (tokens[0] === '->') {
      tokens.shift();
      edges.push(`${named(name)} > ${named(tokens.shift()!)}`);
    } else if (!['graph', 'node', 'edge'].includes(name)) nodes.push(named(name));
    attributes();
    expect(';');
  }
  expect('}');
  if (tokens.length > 0) throw new Error(`More after the end: ${tokens.join(' ')}`);
  return { nodes, edges };

  function attributes(): void {
    expect('[');
    for (;;) {
      if (!/^[a-z]+$/.test(tokens.shift()!)) throw new Error('An attribute without a name');
      expect('=');
      if (!/^(?:"|\w)/.test(tokens.shift()!)) throw new Error('An attribute without a value');
      if (tokens[0] !== ',') break;
      tokens.shift();
    }
    expect(']');
  }
  function expect(...wanted: readonly string[]): void {
    for (const one of wanted) {
      const token = tokens.shift();
      if (token !== one) throw new Error(`${token ?? 'the end'} instead of ${one}`);
    }
  }
  function named(token: string): string {
    if (!token.startsWith('"')) throw new Error(`A name without quotes: ${token}`);
    return token.slice(1, -1);
  }
}
