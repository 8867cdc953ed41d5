/** What a log and a report say of an unexpected failure. */

/** Its stack, with those of its causes, without the secrets that messages of the runtime can have in them. */
export function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let one = error; one !== undefined && stacks.length < mostCauses; one = causeOf(one)) {
    stacks.push(one instanceof Error ? (one.stack ?? one.message) : textOf(one));
  }
  return withoutSecrets(stacks.join('\nbecause of: '));
}

const mostCauses = 5;

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

/** Of what was thrown instead of an error; it may have no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return typeof thrown;
  }
}

/** Hides our own tokens, the values of a query, and what a parser quotes of a text that it cannot read. */
export function withoutSecrets(text: string): string {
  return withoutQuotes(text)
    .replace(/\b(rv[a-z]_)\w{8,}/g, '$1••••')
    .replace(/([?&][\w-]{1,100}=)[^\s&"'`)]+/g, '$1••••')
    .replace(/\b(Bearer|Basic) [\w.~+/=-]{8,}/gi, '$1 ••••');
}

const quoted = ' is not valid JSON';

/** What a parser quotes goes from the first quotation mark of its message to these words, and may have any character. */
function withoutQuotes(text: string): string {
  const kept: string[] = [];
  let at = 0;
  let mark = text.indexOf('"');
  for (let end = text.indexOf(quoted); end >= 0; end = text.indexOf(quoted, at)) {
    if (mark >= 0 && mark < at) mark = text.indexOf('"', at);
    kept.push(
      ...(mark >= 0 && mark < end ? [text.slice(at, mark), '"••••"'] : [text.slice(at, end)]),
      quoted,
    );
    at = end + quoted.length;
  }
  return kept.join('') + text.slice(at);
}
