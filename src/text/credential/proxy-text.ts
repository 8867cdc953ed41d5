/** The proxy: its refusals, the rules and apps in the windows and the command line, and the lines that a person copies. */
import {
  proxyMethods,
  type ProxyRefusalCode,
  type ProxyRule,
  type ProxyUse,
  type ProxyView,
  type RuleTrial,
} from '../../contract/credential/proxy.ts';
import type { ReadyRulesId } from '../../contract/credential/ready-rules.ts';
import { countWords } from '../count.ts';

export interface RefusalContext {
  readonly method?: string;
  /** Of the credential. */
  readonly credential?: string;
  readonly app?: string;
  /** The path, with `*` for each segment that may be an id. */
  readonly route?: string;
  /** Host and port of the service. */
  readonly service?: string;
  /** What is known beyond the code, as a sentence. */
  readonly because?: string;
}

const titles: Record<ProxyRefusalCode, string> = {
  host_not_literal: 'Use the address 127.0.0.1',
  browser: 'Web pages may not use the proxy',
  method_not_supported: 'Method not supported',
  upgrade: 'WebSocket not supported',
  body_not_supported: 'Body not supported',
  no_app_token: 'App token missing',
  several_app_tokens: 'Several app tokens',
  unknown_app_token: 'App token unknown',
  expired_app_token: 'App token expired',
  other_credential: 'App token of another credential',
  bad_path: 'Path not accepted',
  not_allowed: 'Not allowed by a rule',
  forbidden: 'Never allowed',
  too_many_at_once: 'Too many requests at once',
  too_many_requests: 'Too many requests',
  too_many_bytes: 'Too much data',
  too_many_failures: 'Too many refused requests',
  rotating: 'Rotation in progress',
  unusable: 'Token does not work',
  vault_unavailable: 'Vault not available',
  not_sendable: 'Token does not fit in a header',
  address_refused: 'Address not allowed',
  not_reached: 'Service not reachable',
  not_trusted: 'Certificate not trusted',
  company_proxy: 'No connection through the network proxy',
  client_certificate: 'Client certificate needed',
  no_answer: 'Service did not answer',
  connection_lost: 'Connection to the service lost',
  compressed: 'Answer cannot be searched',
  token_in_answer: 'Answer withheld',
};

/** What a refusal is called, and what to do. */
export function proxyRefusalText(
  code: ProxyRefusalCode,
  {
    method = 'This method',
    credential = 'the credential',
    app = 'This app',
    route,
    service = 'The service',
    because,
  }: RefusalContext = {},
): { readonly title: string; readonly detail: string } {
  return { title: titles[code], detail: detailOf() };

  function detailOf(): string {
    switch (code) {
      case 'host_not_literal':
        return 'Call the proxy as 127.0.0.1 or [::1] with its port, and not by a name.';
      case 'browser':
        return 'The request comes from a web page. Only programs may use the proxy: send it without Origin and Sec-Fetch-Site.';
      case 'method_not_supported':
        return `${method} cannot be sent through the proxy. Use ${proxyMethods.join(', ')}.`;
      case 'upgrade':
        return 'The proxy does not support WebSocket or other upgrades of a connection. Use plain requests or an event stream of the service.';
      case 'body_not_supported':
        return `${method} requests cannot have a body. Send the values in the query, or use another method.`;
      case 'no_app_token':
        return 'The request has no app token. Send one in place of the API key of the service. The owner of the credential can issue one.';
      case 'several_app_tokens':
        return 'The request has two different app tokens. Send one.';
      case 'unknown_app_token':
        return 'The app token does not exist, or it was revoked. Ask the owner of the credential for a new one.';
      case 'expired_app_token':
        return 'The app token has expired. Ask the owner of the credential for a new one.';
      case 'other_credential':
        return `The app token belongs to another credential than “${credential}”. Use the address that was issued with it, or ask the owner for a token of “${credential}”.`;
      case 'bad_path':
        return 'The path has steps (..), empty segments (//), encoded dots, semicolons or characters that servers read in different ways. Send it without them.';
      case 'not_allowed':
        return `No rule allows ${app} to send ${route === undefined ? 'this request' : `${method} ${route}`}. Do not repeat it: ask the owner of “${credential}” to add a rule.`;
      case 'forbidden':
        return 'Requests that create, list or rotate tokens are never sent, whatever the rules allow. Do not repeat it: Rotavox rotates the token.';
      case 'too_many_at_once':
        return `${app} has too many requests open. Wait until some are answered.`;
      case 'too_many_requests':
        return `${app} has sent too many requests within a minute. Wait as long as Retry-After says.`;
      case 'too_many_bytes':
        return `${app} has sent and received too much within a minute. Wait as long as Retry-After says.`;
      case 'too_many_failures':
        return 'Too many requests with an app token that does not work. Wait as long as Retry-After says.';
      case 'rotating':
        return `“${credential}” is being rotated. Try again in a moment.`;
      case 'unusable':
        return because ?? `The token of “${credential}” does not work. Its owner has to replace it.`;
      case 'vault_unavailable':
        return because ?? "The token cannot be read from the vault. The credential's owner has to unlock it.";
      case 'not_sendable':
        return `The token of “${credential}” has characters that a header cannot carry, so no request can be sent with it.`;
      case 'address_refused':
        return `${service} leads to an address that the proxy does not connect to: a private network that no rule allows, or a link-local address. The owner of “${credential}” can allow a private network in a rule.`;
      case 'not_reached':
        return `${service} cannot be reached. Nothing was sent, so you can try again later.`;
      case 'not_trusted':
        return `The certificate of ${service} is not trusted. Nothing was sent. Its certificate authority has to be installed on this machine.`;
      case 'company_proxy':
        return `The proxy of this network gave no connection to ${service}. Nothing was sent. The owner of “${credential}” learns why from a test of the credential.`;
      case 'client_certificate':
        return `${service} asks for a client certificate, or does not accept the one of “${credential}”. Its owner can set another one.`;
      case 'no_answer':
        return `${service} did not answer in time. It may have carried the request out: check that before you repeat it.`;
      case 'compressed':
        return `${service} compressed its answer although it was asked not to, so the answer cannot be searched for tokens. The owner of “${credential}” can replace the rule by one that writes this path out and does not search answers.`;
      case 'token_in_answer':
        return `The answer of ${service} has something that looks like a token, and only a rule with a wildcard allows the request, so the answer is withheld. The request was carried out. The owner of “${credential}” can allow exactly this path.`;
      case 'connection_lost':
        return `The connection to ${service} ended before an answer. It may have carried the request out: check that before you repeat it.`;
    }
  }
}

/** What parts of a path that name credentials or rights let an app do, as a question would say it. */
export function rightsQuestion(parts: readonly string[]): string {
  const named = parts.map((part) => `“${part}”`).join(', ');
  return `${named} ${parts.length === 1 ? 'names' : 'name'} credentials or rights. With this rule an app may use these calls, and so could create or read tokens, keys or permissions that work without Rotavox.`;
}

/** A rule in one line: method and path, and what else it allows. */
export function ruleText({
  method,
  path,
  private_network: isPrivate,
  scrub = false,
}: Pick<ProxyRule, 'method' | 'path' | 'private_network' | 'scrub'>): string {
  const more = [...(isPrivate ? ['private network'] : []), ...(scrub ? ['answers searched'] : [])];
  return `${method} ${path}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

/** What a rule would have done with the requests of the last 24 hours. */
export function trialText({ requests, allowed, newly_allowed: newly, forbidden }: RuleTrial): string {
  if (requests === 0) return 'No request was made in the last 24 hours, so there is nothing to compare with.';
  const all = countWords(requests, 'request');
  const never = forbidden === 0 ? '' : ` ${countWords(forbidden, 'request')} can never be allowed.`;
  const more =
    newly === 0
      ? 'none of which was refused'
      : `${newly.toLocaleString()} of which ${newly === 1 ? 'was' : 'were'} refused`;
  if (allowed === 0) return `This would have allowed none of the ${all} of the last 24 hours.${never}`;
  return `This would have allowed ${allowed.toLocaleString()} of the ${all} of the last 24 hours, ${more}.${never}`;
}

const readyTitles: Readonly<Record<ReadyRulesId, string>> = {
  'read-repositories': 'Read repositories',
  'read-projects': 'Read projects and their files',
  'read-issues': 'Read issues',
  'write-issues': 'Write issues',
  'write-pull-requests': 'Write pull requests',
  'write-merge-requests': 'Write merge requests',
  'read-pipelines': 'Read pipelines and jobs',
  'read-secrets': 'Read KV secrets in a folder',
  'write-secrets': 'Read and write KV secrets in a folder',
  'read-menus': 'Read phone menus',
  'read-calls': 'Read calls',
  'read-packages': 'Read packages',
  'read-servers': 'Read servers',
  'read-devices': 'Read devices',
  'read-mail': 'Read mail',
  'read-calendar': 'Read the calendar',
  'read-dns': 'Read DNS records',
};

/** What a set of ready rules lets an app do. */
export function readyTitle({ id, title }: ProxyView['ready'][number]): string {
  return title ?? (readyTitles as Readonly<Record<string, string>>)[id] ?? id;
}

/** What becomes of a rule from before that is too wide. */
export function tooWideText(becomes: NonNullable<ProxyView['rules'][number]['becomes']>): string {
  const [first] = becomes;
  if (first === undefined)
    return 'too wide: only reading is allowed, and nothing that names credentials; add rules for what apps need, then remove this one';
  const shown = becomes.slice(0, shownNarrow).map((one) => `${one.method} ${one.path}`);
  const more = becomes.length - shown.length;
  return `too wide: only its safe part is allowed; replace it with ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const shownNarrow = 3;

function outcomeText({ status, refusal }: ProxyUse): string {
  if (refusal !== null) return titles[refusal].toLowerCase();
  return status === 0 ? 'ended before an answer' : String(status);
}

/** Which apps use a credential through the proxy, and what they may do. */
export const proxyCardText = {
  title: 'Proxy',
  lead: 'Apps can use this credential without having its token. They send a token of their own to the proxy, which sends what the rules allow to the service.',
  limit:
    'Other programs of your account can read an app’s token where the app keeps it. The rules limit what it can do.',
  aside: (rules: number) => countWords(rules, 'rule'),
  rules: 'Rules',
  noRules: 'No rule: every request is refused.',
  forApp: (app: string | null) => (app === null ? 'every app' : `only ${app}`),
  privateNetwork: 'private network allowed',
  scrub: 'answers searched for the token',
  addRule: 'Add rule…',
  remove: 'Remove',
  noApps: 'No app has a token.',
  revoke: 'Revoke',
  expires: 'has an app token that expires {at}',
  expired: 'its app token expired {at}',
  rulesOf: (rules: number) => (rules === 0 ? 'no rule: every request is refused' : countWords(rules, 'rule')),
  refused: 'Refused {at}: {request}',
  allow: 'Allow this…',
  used: (requests: number, generation: number | null) =>
    `${countWords(requests, 'request')}, last {at}${generation === null ? '' : `, with token ${generation}`}` as const,
  neverUsed: 'not used yet',
  running: (count: number) => `${countWords(count, 'request')} being answered`,
  recent: 'Latest requests',
  request: ({ method, route }: Pick<ProxyUse, 'method' | 'route'>) => `${method} ${route}`,
  use: (use: ProxyUse) => `${use.method} ${use.route}: ${outcomeText(use)}`,
  forbidden: 'Never allowed',
  forbiddenLead: 'Requests that create, list or rotate tokens are refused whatever the rules allow:',
  anyMethod: 'any method',
} as const;

/** The dialog that adds a rule. */
export const ruleDialogText = {
  title: 'Allow requests?',
  ready: { label: 'What apps may do', own: 'A rule of your own' },
  allows: 'Allows',
  folder: {
    label: 'Folder',
    subject: 'The folder',
    hint: 'Where the secrets are mounted and the folder there, such as secret/team.',
    missing: 'must name a mount and a folder in it, such as secret/team',
  },
  method: { label: 'Method' },
  path: {
    label: 'Path',
    subject: 'The path',
    hint: 'Such as /api/v4/projects/*/issues. * is one segment, ** any number of them; both may stand only after the second segment, and cover nothing that names credentials. GET allows HEAD, too.',
  },
  rights: {
    label: 'Allow these calls',
    lead: rightsQuestion,
    missing: 'Agree to these calls first, or take another rule. Nothing was added.',
  },
  app: { label: 'App', every: 'Every app with a token' },
  privateNetwork: {
    label: 'The service is in a private network',
    hint: 'Lets the name of the service lead to a private address.',
  },
  scrub: {
    label: 'Remove the token from answers',
    hint: 'Searches the text of each answer, for services that may send the token back. Headers are always searched.',
  },
  trial: 'What this would have allowed',
  none: 'Enter a path to see what it would have allowed.',
  asking: 'Comparing with the requests of the last 24 hours …',
  times: (count: number) => `${count.toLocaleString()} ×`,
  cancel: 'Cancel',
  add: 'Add rule',
  addSeveral: 'Add rules',
  adding: 'Adding …',
} as const;

/** The dialog that issues an app token and shows how to use it. */
export const appDialogText = {
  title: 'Issue an app token?',
  issuedTitle: 'App token issued',
  app: { label: 'App', subject: 'The name', hint: 'Such as backup-script or coding-agent.' },
  expires: 'Works for',
  spans: { 3600: '1 hour', 28800: '8 hours', 86400: '1 day', 2592000: '30 days', 31536000: '365 days' },
  cancel: 'Cancel',
  issue: 'Issue',
  issuing: 'Issuing …',
  once: 'Copy the token now. It cannot be shown again.',
  token: 'the app token',
  lines: 'the line for a shell',
  shell: 'Or set both variables in a shell:',
  recipe: 'Then use them:',
  kind: 'Lines for',
  copy: (kind: string) => `the lines for ${kind}`,
  done: 'Done',
} as const;

/** The dialog that asks before a rule is removed or an app token revoked. */
export const proxyRemovalText = {
  rule: {
    title: 'Remove this rule?',
    text: 'Requests that no other rule allows are refused at once.',
    act: 'Remove rule',
  },
  token: {
    title: 'Revoke this app token?',
    text: 'Requests with it are refused at once, and those that are being answered end.',
    act: 'Revoke app token',
  },
  cancel: 'Cancel',
} as const;

export const proxyRecipeKinds = ['curl', 'node', 'python', 'docker', 'agent'] as const;
export type ProxyRecipeKind = (typeof proxyRecipeKinds)[number];

export const proxyRecipeLabels: Record<ProxyRecipeKind, string> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  docker: 'Docker',
  agent: 'Coding agent',
};

/** What to know about each recipe; commands in backticks. */
export const proxyRecipeNotes: Record<ProxyRecipeKind, string> = {
  curl: 'The token may be in any header that services use for one.',
  node: 'Libraries have options for a base URL and an API key: pass the two variables.',
  python: 'Libraries have options for a base URL and an API key: pass the two variables.',
  docker: 'With `--network host` a container reaches the proxy at 127.0.0.1. Replace `IMAGE` by your own.',
  agent:
    'Start the agent in the shell that has the variables, and add the sentence to its instructions (`AGENTS.md`).',
};

/** The sentence for the instructions of a coding agent. */
export function agentInstruction(name: string): string {
  return `For ${name}, send requests to $ROTAVOX_PROXY_URL with $ROTAVOX_PROXY_TOKEN as the API key. A 403 with the header Rotavox-Proxy means that the owner has not allowed the request.`;
}
