/**
 * Which values of a file are tokens, by the name and the text of each. Start at `judgeValue`.
 *
 * A value that is no token, such as a variable that stands for one, must never be sent to a service. A token that is not recognised is
 * only not offered: a person can name its line.
 */
import { TokenValue } from '../../contract/credential/credential.ts';

/**
 * `encrypted_value`: another program has encrypted it. `reference`: it names where the token is. `placeholder`: it stands for a token that somebody has to enter. `none`: nothing says that it
 * is a token.
 */
export type ValueKind = 'token' | 'encrypted_value' | 'reference' | 'placeholder' | 'none';

/** Shorter ones are words. */
const shortest = 8;

/** `isKnown`: it begins as the tokens of a known service do. `isChosen`: a person has named its line. */
export function judgeValue(
  name: string,
  text: string,
  { isKnown, isChosen = false }: { readonly isKnown: boolean; readonly isChosen?: boolean },
): ValueKind {
  if (!isKnown && !isChosen && !isTokenName(name)) return 'none';
  if (isEncrypted(text)) return 'encrypted_value';
  if (references.some((one) => one.test(text))) return 'reference';
  if (isPlaceholder(text)) return 'placeholder';
  const read = TokenValue.safeParse(text);
  if (!read.success || read.data !== text || /\s/.test(text)) return 'none';
  return isKnown || isChosen || mayBeToken(text) ? 'token' : 'none';
}

/** What another program replaces: variables, templates, and addresses of stores of secrets. */
const references: readonly RegExp[] = [
  /\$[{(]|\{\{|<%/,
  /^\$[A-Za-z_]\w*$/,
  /^%[A-Za-z_]\w*%$/,
  /^(?:op|vault|keyring|keychain|secret|ssm|arn|file|env|ref\+\w+|azurekeyvault|gcpsm):/i,
  /^!(?:Ref|vault|secret)\b/i,
];

/** How values begin that sops, dotenvx, Spring, Jasypt, eyaml and Ansible have encrypted. */
const ciphers = /^(?:ENC\[|ENC\(|encrypted:|\{cipher\}|\$ANSIBLE_VAULT;)/;

/** Whether a value is what a program has encrypted: no token, and no place for one in plain text. */
export function isEncrypted(text: string): boolean {
  return ciphers.test(text);
}

/** Whether sops has encrypted it, whose checksum is over all values of a file: it reads none of them once one has changed. */
export function isOfSops(text: string): boolean {
  return text.startsWith('ENC[AES256_GCM,');
}

const placeholderWords =
  /^(?:change[-_ ]?(?:me|it|this)|(?:your|my|the|some|an?)[-_ ].*|replace[-_ ]?(?:me|this|with).*|insert[-_ ].*|enter[-_ ].*|put[-_ ].*|todo.*|fixme.*|none|null|nil|undefined|true|false|example.*|sample.*|dummy.*|fake.*|redacted|secret|password|token|placeholder|not[-_ ]?set|unset|test|<.*>|\[.*\]|[-_.…*•]+)$/i;

/** Also behind the beginning that tokens of a service have: `glpat-xxxxxxxxxxxx`. */
function isPlaceholder(text: string): boolean {
  return placeholderWords.test(text.trim()) || /([xX*.0•])\1{5}$/.test(text);
}

/** How the name of a token ends, in its last word. A password signs a person in, and is no token of a service. */
const tokenWords: ReadonlySet<string> = new Set([
  'token',
  'secret',
  'key',
  'pat',
  'apikey',
  'authtoken',
  'accesstoken',
]);
/** Before `key`: it is not secret, or no service gave it. */
const otherKeys: ReadonlySet<string> = new Set([
  ...['public', 'pub', 'publishable', 'site', 'ssh', 'host'],
  ...['primary', 'foreign', 'sort', 'cache', 'partition', 'object'],
]);

function isTokenName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const [last = '', before] = words.toReversed();
  if (last === 'key') return before !== undefined && !otherKeys.has(before);
  return tokenWords.has(last);
}

/** Whether a text is a token where a user name may be: long, of letters and digits, as people call no account. */
export function isTokenNotUser(text: string): boolean {
  return (
    text.length >= 20 && /^[\w.=-]+$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text) && mayBeToken(text)
  );
}

function mayBeToken(text: string): boolean {
  if (text.length < shortest) return false;
  const isNumber = /^\d{1,15}$/.test(text);
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const isPath = /^(?:~|\.{0,2})\/(?:[\w .-]+\/)+[\w .-]+$/.test(text);
  return !isNumber && !isAddress && !isPath;
}
