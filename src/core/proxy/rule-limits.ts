/**
 * What a wildcard of a rule may cover. Rules only allow, and nobody can list every call of a service that makes, shows or extends
 * a credential; so a wildcard has to begin late in a path, and never covers a part that names credentials or rights. Start with
 * `wideness`, then `coversPath`.
 */
// see decisions/credential-proxy.md
import { originOf } from '../../contract/address.ts';
import type { ForbiddenRoute } from '../../contract/credential/provider-facts.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import { proxyMethods } from '../../contract/credential/proxy.ts';
import type { PathFacts, ReadyRule, ReadyRules } from '../../contract/credential/ready-rules.ts';
import { isFor, providerFacts } from '../../providers/catalogue.ts';
import type { Credential } from '../credential/credential-state.ts';
import type { ProxyRule } from './proxy-state.ts';
import { decodings, matchesPath, type PathPattern, pathPattern, readRequestPath } from './request-path.ts';

/** Words that name credentials or rights, in the singular. */
const words = listOf(`
  access acl actuator admin administrator attach auth authn authz backup batch bootstrap ca cert command composite console cred csr datakey
  debug decrypt delegate dump env eval exec export factor grant hmac hook iam identity idp installation integration invite invoke
  issuance issue issuer jnlp jwk jwks jwt key keyring keytab ldap leaf lease license mcp member membership mirror oidc openid otp
  owner ownership pass passwd pat pem pfx pgp pin pki policy pprof principal proxy pwd recover recovery refresh register
  registration rekey renew renewal reset revoke rewrap robot role root rotate rotation rpc runner saml scim seal share sign signer
  signing soap sso ssh sts sudo superuser sys terraform tls totp trigger trust tunnel unseal unwrap var variable vault verifier wrap`);
/** These, too, where something is changed: an account or its rights would be. */
const writingWords = listOf(`
  account activate application approval approve assignment bot bridge client component config configuration connection conversion
  dispatch enable enrollment environment group import license lifecycle migration privileged promote protect protected protection
  reactivate ruleset script service setting team ticket transfer unlock user`);
/** Plurals that are something else: tickets, not the call that issues a certificate. */
const otherWords = listOf('issues passes pats pins');
/** These count also with something between, as in `api-to-ken`. */
const stems =
  /token|secret|credential|passw|passphrase|passcode|oauth|2fa|mfa|webauthn|keypair|keystore|serviceaccount|serviceprincipal|userpass|webhook|graphql|login|logon|signin|signon|signblob|signjwt|singlesign|signedurl|presign|session|authoriz|authoris|authentic|impersonat|collaborator|invitation|permission|privilege|certificate|generate(?:up|down)loadurl|jitconfig|wrapping|cubbyhole|jsonrpc|xmlrpc|kubeconfig|connectionstring|configvar|envvar|heapdump|rolebinding|clusterrole|portforward|createlink|ephemeral|pipelineschedule|securefile/;
const writingStems =
  /pushrule|publicdashboard|pendingdeployment|installedapp|scripttext|setmetadata|setcommoninstancemetadata/;
/** These count anywhere in a word: services that ignore case also answer to `rolemanagement`. */
const parts =
  /access|admin|assume|auth|backup|cert|decrypt|delegat|entitle|export|grant|hmac|hook|identit|impersonat|integration|invit|invoke|issuance|issuer|jwt|key|ldap|member|mirror|oidc|openid|owner|policies|policy|principal|recover|refresh|register|registration|renew|reset|revoke|role|rotat|runner|saml|scim|signer|signing|superuser|totp|trigger|tunnel|unseal|variable|vault/;
/** Short ones count where a word begins or ends. */
const edges =
  /^(?:acl|creds|csr|iam|idp|otp|pki|pwd|sas|ssh|ssl|sso|sudo)|(?:acl|creds|csr|idp|otp|pki|pwd|sas|ssh|ssl|sso|sudo)$/;
/** Writing only. */
const writingParts = /assignment|enroll|lifecycle|reactivate|ruleset/;
/** Ordinary words with such a part in them; the first ones only where a word begins, as `commonkey` is no animal. */
const ordinary =
  /(?<![a-z])(?:assign(?!ment)|concert|consign|donkey|forerunner|frontrunner|hockey|key(?:frame|note|pad|phrase|point|press|result|space|stroke|value)|monkey|preset|remember|roadrunner|turkey|vagrant|whiskey)|accessib|accessor(?:y|ies)|author(?!i[sz])|badminton|casserole|certain|design|espresso|fragrant|hawkeye|kansas|key(?:board|word)|migrant|petroleum|secretar(?:y|i)|tokeni[sz](?:e|ing|ation)/g;
/** No call is called so: long, with digits. */
const longId = /^(?=(?:.*\d){3})[\w=-]{60,}$/;
/** The object that a service is about: whoever changes it itself can make it public or give it away. */
const wholeObject =
  /\/(?:repos\/[^/]+\/[^/]+|(?:projects|groups|repositories|orgs|organizations|workspaces)\/[^/]+)\/*$/i;

function listOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** What a part of a path says about what a call does. */
type Sensitivity = 'none' | 'where_written' | 'always';

const mostKnown = 2_000;

/** Whether a part of a path names credentials or rights: in any case and encoding, with any format after it. */
function namesRights(segment: string, isReading: boolean, { known, service }: RuleLimits): boolean {
  let found = known.get(segment);
  if (found === undefined) {
    found = sensitivityOf(segment, service);
    if (known.size >= mostKnown) known.clear();
    known.set(segment, found);
  }
  return found === 'always' || (found === 'where_written' && !isReading);
}

function sensitivityOf(segment: string, { rights, plain }: RuleLimits['service']): Sensitivity {
  if (plain?.includes(segment) === true) return 'none';
  const texts = decodings(segment).map((one) => one.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, ''));
  const joined = texts.map((text) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .replace(ordinary, ' '),
  );
  if (joined.some((text) => stems.test(text))) return 'always';
  const found = texts.flatMap(wordsOf);
  if (found.some((word) => words.has(word) || rights?.includes(word) === true)) return 'always';
  const inside = longId.test(segment) ? [] : found.map((word) => word.replace(ordinary, ' '));
  if (inside.some((word) => parts.test(word) || edges.test(word))) return 'always';
  const isWritten =
    found.some((word) => writingWords.has(word)) ||
    inside.some((word) => writingParts.test(word)) ||
    joined.some((text) => writingStems.test(text));
  return isWritten ? 'where_written' : 'none';
}

/** The words of a text, also of one in camel case, in the singular. */
function wordsOf(text: string): string[] {
  const apart = text.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2');
  const all = `${apart} ${text}`.toLowerCase().match(/[a-z]+/g) ?? [];
  return all
    .filter((word) => !otherWords.has(word))
    .flatMap((word) => [word, word.replace(/ies$/, 'y'), word.replace(/s$/, ''), word.replace(/es$/, '')]);
}

/** What limits the rules of one credential. */
export interface RuleLimits {
  /** What no rule can allow. */
  readonly forbidden: readonly ForbiddenRoute[];
  /** The path of the credential's base_url: services see it before that of the request. */
  readonly basePath: string;
  readonly ready: readonly ReadyRules[];
  /** Every ready rule that is whole without a folder. */
  readonly marked: readonly (ReadyRule & { readonly pattern: PathPattern })[];
  readonly secretFolders: readonly string[] | null;
  readonly service: PathFacts;
  /** Where the service has names: `hasSlash` for those that are written with `%2F` in them. */
  readonly names: readonly { readonly pattern: PathPattern; readonly hasSlash: boolean }[];
  /** What was found out about parts of paths. */
  readonly known: Map<string, Sensitivity>;
}

interface MadeFrom {
  readonly facts: object;
  readonly baseUrl: string | null;
}

const limitsOfChoice = new WeakMap<ProviderChoice, MadeFrom & { readonly limits: RuleLimits }>();

/** Made once, and again when the address has changed or the file of the provider was read again. */
export function limitsOf({ provider, baseUrl }: Pick<Credential, 'provider' | 'baseUrl'>): RuleLimits {
  const facts = providerFacts(provider.id);
  const before = limitsOfChoice.get(provider);
  if (before?.facts === facts && before.baseUrl === baseUrl) return before.limits;
  const ready = (facts.ready ?? []).filter(({ onlyFor }) => isFor(onlyFor, provider.inputs));
  const service = (facts.paths ?? []).find(({ onlyFor }) => isFor(onlyFor, provider.inputs)) ?? {};
  const limits: RuleLimits = {
    forbidden: [...facts.forbidden, ...ownEndpoints(provider)],
    basePath: basePathOf(baseUrl ?? ''),
    ready,
    marked: ready
      .flatMap(({ rules }) => rules)
      .filter(({ path }) => !path.includes('{'))
      .map((rule) => ({ ...rule, pattern: pathPattern(rule.path) })),
    secretFolders: facts.secretFolders ?? null,
    service,
    names: [
      ...(service.names ?? []).map((path) => ({ pattern: pathPattern(path), hasSlash: false })),
      ...(service.slashNames ?? []).map((path) => ({ pattern: pathPattern(path), hasSlash: true })),
    ],
    known: new Map(),
  };
  limitsOfChoice.set(provider, { facts, baseUrl, limits });
  return limits;
}

export function basePathOf(baseUrl: string): string {
  return baseUrl.slice(originOf(baseUrl).length).replace(/(?<!\/)\/+$/, '');
}

/** The paths that the provider itself calls where the person named them, wherever they are. */
function ownEndpoints({ inputs }: ProviderChoice): ForbiddenRoute[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const [path = ''] = name.endsWith('_url') ? value.slice(originOf(value).length).split(/[?#]/) : [];
    // One that the proxy refuses to read need not be forbidden.
    return readRequestPath(path) === null ? [] : [{ method: null, path }];
  });
}

type RuleParts = Pick<ProxyRule, 'method' | 'path'>;

/** Where the wildcards of a rule are. */
export type Wideness =
  /** It has none. */
  | 'spelled'
  /** Only where they may be. */
  | 'narrow'
  /** Only below a folder of secrets whose place is spelled: what they cover are names. */
  | 'names'
  | 'too_wide';

/** How many segments have to be spelled before a wildcard, unless the provider says what it can be. */
const spelledFirst = 2;

export function wideness({ method, path }: RuleParts, limits: RuleLimits): Wideness {
  const pattern = pathPattern(path);
  const first = pattern.findIndex(isWild);
  if (first < 0) return 'spelled';
  if (method === '*') return 'too_wide';
  const { secretFolders: folders } = limits;
  if (folders !== null) {
    // `/v1/<mount>/data/<name>`: what is called `data` further below is no folder.
    const isInFolder = folders.includes(pattern[spelledFirst] ?? '');
    if (isInFolder && first > spelledFirst) return 'names';
    return pattern[first] === '*' && first === spelledFirst - 1 && isInFolder ? 'narrow' : 'too_wide';
  }
  if (first >= spelledFirst) return 'narrow';
  const isMarked = limits.marked.some(
    (one) =>
      one.method === (method === 'HEAD' ? 'GET' : method) &&
      withBase(limits.basePath, pattern).some((reading) => isCovered(one.pattern, reading)),
  );
  return isMarked ? 'narrow' : 'too_wide';
}

const isWild = (segment: string): boolean => segment === '*' || segment === '**';

/** A path as it is, and below that of the base_url. */
export function withBase(basePath: string, segments: readonly string[]): readonly (readonly string[])[] {
  const base = basePath.split('/').filter((one) => one !== '');
  return base.length === 0 ? [segments] : [segments, [...base, ...segments]];
}

/** Whether a pattern allows everything that another one does. */
function isCovered(pattern: PathPattern, narrower: PathPattern): boolean {
  return matchesPath(pattern, narrower, (one, by) => one !== '**' || by === '**');
}

/** The parts of a rule's path that name credentials or rights, as it spells them. Names below a folder of secrets are none. */
export function spelledRights({ method, path }: RuleParts, limits: RuleLimits): string[] {
  const pattern = pathPattern(path);
  const isInFolder = limits.secretFolders?.includes(pattern[spelledFirst] ?? '') ?? false;
  const calls = isInFolder ? pattern.slice(0, spelledFirst) : pattern;
  const isReading = method === 'GET' || method === 'HEAD';
  const names = namesIn(calls, limits);
  return [
    ...new Set(
      calls.filter((one, at) => !isWild(one) && !names.has(at) && namesRights(one, isReading, limits)),
    ),
  ];
}

/** A rule, prepared for requests to one service. */
export interface PreparedRule {
  readonly pattern: PathPattern;
  readonly wideness: Wideness;
}

/** Whether a rule matches a path, and its wildcards may cover what they stand for in it. */
export function coversPath(
  { pattern, wideness: how }: PreparedRule,
  { method, segments }: { readonly method: string; readonly segments: readonly string[] },
  limits: RuleLimits,
): boolean {
  if (!matchesPath(pattern, segments)) return false;
  if (how === 'spelled' || how === 'names') return true;
  const isReading = method === 'GET' || method === 'HEAD';
  const { secretFolders: folders } = limits;
  const isInFolder = folders?.includes(segments[spelledFirst] ?? '') ?? false;
  // From before: it goes on where it only reads, and where secrets are kept only in their folders.
  if (how === 'too_wide' && !(isReading && (folders === null || isInFolder))) return false;
  // The usual mount of a store for secrets.
  const mount = isInFolder && /^secrets?$/.test(segments[1] ?? '') ? segments[1] : undefined;
  const names = namesIn(segments, limits);
  const isNoRight = (one: string, at: number): boolean =>
    names.has(at) || !namesRights(one, isReading, limits);
  const isChangedWhole = !isReading && wholeObject.test(`/${segments.map(encodeURIComponent).join('/')}`);
  if (
    !isChangedWhole &&
    matchesPath(pattern, segments, (one, _by, at) => one === mount || isNoRight(one, at))
  )
    return true;
  return withBase(limits.basePath, segments).some((reading) => {
    const before = reading.length - segments.length;
    // A slash within a segment could end the name.
    const isName = (one: string, _by: string, at: number): boolean =>
      !one.includes('/') || isNoRight(one, at - before);
    return limits.marked.some(
      (one) => one.method === (isReading ? 'GET' : method) && matchesPath(one.pattern, reading, isName),
    );
  });
}

/**
 * Which parts of a path are names by what the service says of its paths: one that may have a slash in it counts only with one, and
 * not after a number, which would be a name by itself.
 */
function namesIn(segments: readonly string[], { names, basePath }: RuleLimits): ReadonlySet<number> {
  const found = new Set<number>();
  for (const reading of names.length === 0 ? [] : withBase(basePath, segments)) {
    const before = reading.length - segments.length;
    for (const { pattern, hasSlash } of names) {
      const begins = pattern.every((one, at) => reading[at] === one || (one === '*' && reading[at] !== ''));
      if (!begins || pattern.length > reading.length) continue;
      pattern.forEach((one, at) => {
        const segment = reading[at] ?? '';
        const isName = hasSlash
          ? at === pattern.length - 1 && /^(?!\d+\/)[^/]+\//.test(segment)
          : !segment.includes('/');
        if (one === '*' && isName) found.add(at - before);
      });
    }
  }
  return found;
}

/** Whether a rule from before may not be as it is: only what is safe of it is allowed. */
export function isTooWide(rule: RuleParts, limits: RuleLimits): boolean {
  return rule.method === '*' || wideness(rule, limits) === 'too_wide';
}

/** What to allow in place of a rule that is too wide: the same for one method, or the ready rules that it covers. */
export function narrowedRules({ method, path }: RuleParts, limits: RuleLimits): ReadyRule[] {
  const pattern = pathPattern(path);
  // GET allows HEAD, too.
  if (!pattern.some(isWild))
    return proxyMethods.filter((one) => one !== 'HEAD').map((one) => ({ method: one, path }));
  const reading = { method: 'GET', path } as const;
  if (method === '*' && wideness(reading, limits) !== 'too_wide') return [reading];
  const wanted = method === '*' || method === 'HEAD' ? 'GET' : method;
  const covered = limits.marked.filter((one) => one.method === wanted && isCovered(pattern, one.pattern));
  return [...new Map(covered.map((one) => [one.path, { method: one.method, path: one.path }])).values()];
}
