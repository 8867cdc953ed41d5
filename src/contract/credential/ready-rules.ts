/**
 * Ready rules of the proxy: what apps usually need of a service, as rules that name each of its calls. Each provider has its own
 * among its facts.
 *
 * `text/credential/proxy-text.ts` has their names. Where a wildcard stands, the service has a name or an id and never a call, so a rule of
 * this kind may have one there whatever the name is. None may make, show or extend a credential or a right.
 */
import type { ProxyMethod } from './proxy.ts';

export interface ReadyRule {
  readonly method: ProxyMethod;
  /** `{mount}` and `{folder}` stand for the two parts of a folder that the person names, such as `secret/team`. */
  readonly path: string;
}

export interface ReadyRules {
  /** One of `readyRulesIds`, or of a provider's file. */
  readonly id: string;
  /** Of a provider's file. */
  readonly title?: string;
  readonly rules: readonly ReadyRule[];
  /** Only where an input of the provider has one of these values. */
  readonly onlyFor?: { readonly input: string; readonly values: readonly string[] };
}

export const readyRulesIds = [
  'read-repositories',
  'read-projects',
  'read-issues',
  'write-issues',
  'write-pull-requests',
  'write-merge-requests',
  'read-pipelines',
  'read-secrets',
  'write-secrets',
  'read-menus',
  'read-calls',
  'read-packages',
  'read-servers',
  'read-devices',
  'read-mail',
  'read-calendar',
  'read-dns',
] as const;
export type ReadyRulesId = (typeof readyRulesIds)[number];

/** What is known of the paths of one service, beyond its ready rules. */
export interface PathFacts {
  /** Where each `*` is a name, whatever words are in it. */
  readonly names?: readonly string[];
  /** Where the last `*` is a name that may be written with `%2F` in it. */
  readonly slashNames?: readonly string[];
  /** Words that name credentials or rights here and not everywhere. */
  readonly rights?: readonly string[];
  /** Parts that look like a call that extends rights, and are none. */
  readonly plain?: readonly string[];
}

/** The rules of one method. */
export function rulesOf(method: ProxyMethod, ...paths: readonly string[]): ReadyRule[] {
  return paths.map((path) => ({ method, path }));
}

/** The rules of a service that a person creates tokens for, or signs in to. */
export function onlyForService(service: string, sets: readonly ReadyRules[]): ReadyRules[] {
  return sets.map((set) => ({ ...set, onlyFor: { input: 'service', values: [service] } }));
}

/** What has to be named before the rules of a set are whole. */
export function needsFolder({ rules }: Pick<ReadyRules, 'rules'>): boolean {
  return rules.some(({ path }) => path.includes('{folder}'));
}

/** The rules of a set with a folder such as `secret/team` in them; null: the folder has not both parts. */
export function rulesInFolder(
  { rules }: { readonly rules: readonly ReadyRule[] },
  folder: string,
): ReadyRule[] | null {
  const [mount = '', ...rest] = folder.split('/').filter((part) => part !== '');
  if (rules.some(({ path }) => path.includes('{folder}')) && rest.length === 0) return null;
  const [first, below] = [mount, rest.join('/')].map((part) =>
    encodeURI(part).replace(/[?#*;]/g, encodeURIComponent),
  );
  return rules.map(({ method, path }) => ({
    method,
    path: path.replace('{mount}', () => first ?? '').replace('{folder}', () => below ?? ''),
  }));
}
