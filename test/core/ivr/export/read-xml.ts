export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** A strict reader of the XML that is written here: elements, attributes, text, comments; anything else is an error. */
export function readXml(source: string): XmlElement {
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(source))
    throw new Error('A character that XML does not allow');
  let at = 0;
  take(/<\?xml version="1\.0" encoding="UTF-8"\?>/y);
  skip();
  const root = element();
  skip();
  if (at !== source.length) throw fail('the end');
  return root;

  function element(): XmlElement {
    const name = expect(/<([A-Za-z][\w:-]*)/y)[1]!;
    const attributes = new Map<string, string>();
    for (;;) {
      const attribute = take(/\s+([A-Za-z][\w:-]*)="([^"<]*)"/y);
      if (attribute === null) break;
      if (attributes.has(attribute[1]!)) throw fail('an attribute once');
      attributes.set(attribute[1]!, unescaped(attribute[2]!));
    }
    if (take(/\s*\/>/y) !== null) return { name, attributes, children: [], text: '' };
    expect(/\s*>/y);
    const children: XmlElement[] = [];
    let text = '';
    while (take(new RegExp(`</${name}\\s*>`, 'y')) === null) {
      if (comment()) continue;
      const words = take(/[^<]+/y);
      if (words === null) children.push(element());
      else text += unescaped(words[0]);
    }
    return { name, attributes, children, text };
  }
  function skip(): void {
    while (take(/\s+/y) !== null || comment());
  }
  function comment(): boolean {
    if (take(/<!--/y) === null) return false;
    const end = source.indexOf('--', at);
    if (end === -1 || source[end + 2] !== '>') throw fail('a comment without -- in it');
    at = end + 3;
    return true;
  }
  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  }
  function expect(pattern: RegExp): RegExpExecArray {
    const match = take(pattern);
    if (match === null) throw fail(pattern.source);
    return match;
  }
  function unescaped(text: string): string {
    return text.replace(/&(?:(amp|lt|gt|quot)|#(\d+));|&/g, (whole, name?: string, code?: string) => {
      if (whole === '&') throw fail('an entity');
      return code === undefined
        ? { amp: '&', lt: '<', gt: '>', quot: '"' }[name!]!
        : String.fromCodePoint(Number(code));
    });
  }
  function fail(wanted: string): Error {
    return new Error(`Not ${wanted} at ${at}: ${source.slice(at, at + 60)}`);
  }
}

/** Every element with this name, from top to bottom. */
export function elementsOf(root: XmlElement, name: string): XmlElement[] {
  return [
    ...(root.name === name ? [root] : []),
    ...root.children.flatMap((child) => elementsOf(child, name)),
  ];
}
