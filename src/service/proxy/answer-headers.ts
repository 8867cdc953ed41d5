/** Headers that would act on the origin of the windows, allow other pages to read, or belong to one connection. */
const dropped: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'public-key-pins',
  'alt-svc',
  'clear-site-data',
  'service-worker-allowed',
  'nel',
  'report-to',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface AnsweredCall {
  /** The token that was sent. */
  readonly token: string;
  /** Where it was sent: below the origin of the base_url, with its query. */
  readonly target: string;
  readonly baseUrl: string;
  /** `/proxy/<credential>`. */
  readonly proxyPath: string;
  /** This service, as the app called it. */
  readonly ownOrigin: () => string;
  /** Called with the name of a header that had the token. */
  readonly onReflected: (header: string) => void;
}

/** The headers of an answer, and what is asked of them. */
export interface AnswerHeaders {
  /** Names in lower case and values in turn, as `writeHead` takes them. */
  readonly list: string[];
  readonly type: string | undefined;
  readonly encoding: string | undefined;
  /** In bytes; undefined: the answer does not say. */
  readonly length: number | undefined;
}

/**
 * The headers of a service's answer as the app gets them: nothing that leads around the proxy, and never the token.
 *
 * `received`: names and values in turn, as they came.
 */
export function answerHeaders(received: readonly Buffer[], call: AnsweredCall): AnswerHeaders {
  // No form is shorter than the token itself, and few headers are as long.
  const shortest = call.token.length;
  let forms: readonly string[] | undefined;
  const clean = (name: string, value: string): string => {
    if (value.length < shortest) return rewritten(name, value, call);
    const found = (forms ??= formsOf(call.token)).filter((form) => value.includes(form));
    if (found.length > 0) call.onReflected(name);
    const without = found.reduce((text, form) => text.replaceAll(form, removed), value);
    return rewritten(name, without, call);
  };
  const list: string[] = [];
  let [type, encoding, length]: (string | undefined)[] = [];
  for (let at = 1; at < received.length; at += 2) {
    const name = textOf(received[at - 1]).toLowerCase();
    if (dropped.has(name) || name.startsWith('access-control-') || name.startsWith('rotavox-')) continue;
    const value = clean(name, textOf(received[at]));
    list.push(name, value);
    if (name === 'content-type') type ??= value;
    else if (name === 'content-encoding') encoding = encoding === undefined ? value : `${encoding}, ${value}`;
    else if (name === 'content-length') length = value;
  }
  return { list, type, encoding, length: length === undefined ? undefined : Number(length) };
}

/** Each byte as a character, as Node writes it. */
function textOf(bytes: Buffer | undefined): string {
  return bytes?.toString('latin1') ?? '';
}

const removed = '[removed]';

/** How a token may be sent back: as it is, in an address, or in base64, at any of three places in a longer text. */
export function formsOf(token: string): readonly string[] {
  const bytes = Buffer.from(token);
  const inAddress = encodeURIComponent(token);
  const coded = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // Without the characters at both ends that depend on what stands beside it.
    const whole = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const inLowerCase = inAddress.replace(/%../g, (code) => code.toLowerCase());
  // Some JSON writers put a backslash before each slash.
  const inJson = token.replaceAll('/', '\\/');
  return [...new Set([token, inAddress, inLowerCase, inJson, ...coded])].filter((form) => form.length >= 8);
}

function rewritten(name: string, value: string, call: AnsweredCall): string {
  if (name === 'location' || name === 'content-location') return ownLocation(value, call);
  return name === 'link' ? ownLinks(value, call) : value;
}

/** A redirect within the service leads to the proxy again; any other is passed on, and the app goes there without the token. */
function ownLocation(value: string, { target: sentTo, baseUrl, proxyPath }: AnsweredCall): string {
  const url = new URL(sentTo, baseUrl);
  const target = URL.canParse(value, url.href) ? new URL(value, url) : null;
  if (target === null) return value;
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const isBelow = target.pathname === basePath || target.pathname.startsWith(`${basePath}/`);
  if (target.origin !== base.origin || !isBelow) return target.href;
  return `${proxyPath}${target.pathname.slice(basePath.length)}${target.search}${target.hash}`;
}

/** Links to further pages (RFC 8288): a library follows them with what it takes for its key. */
function ownLinks(value: string, { baseUrl, proxyPath, ownOrigin }: AnsweredCall): string {
  return value.replace(/<([^<>]*)>/g, (whole, target: string) => {
    const rest = target.startsWith(baseUrl) ? target.slice(baseUrl.length) : null;
    return rest !== null && /^(?:$|[/?])/.test(rest) ? `<${ownOrigin()}${proxyPath}${rest}>` : whole;
  });
}
