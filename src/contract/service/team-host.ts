/*
 * A host for a team, as a program on another machine names it. Without schemas: commands and the shell load this first.
 */
import { loopbackNames } from '../address.ts';

/** Instead of an address: the service on this machine. */
export const noHost = 'none';

/**
 * The address of a host as it is stored and compared: scheme, host and port, without a slash at its end; null for anything
 * else.
 *
 * Without encryption only on this machine: the key of an owner is sent with every call.
 */
export function readHostUrl(text: string): string | null {
  const found = urlPattern.exec(text.trim().toLowerCase());
  if (found === null) return null;
  const [, scheme = '', name = '', port = usualPorts[scheme] ?? ''] = found;
  if (Number(port) < 1 || Number(port) > 65_535) return null;
  if (scheme === 'http' && !loopbackNames.includes(name.replace(/^\[|\]$/g, ''))) return null;
  const shown = Number(port) === Number(usualPorts[scheme]) ? '' : `:${Number(port)}`;
  return `${scheme}://${name}${shown}`;
}

const urlPattern = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?\/?$/;
const usualPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** How a host is called where there is little room: its name, and its port where it is not the usual one. */
export function hostName(url: string): string {
  return url.slice(url.indexOf('//') + 2);
}

/** What can be an owner's key: one word that fits in a header. */
export function readHostKey(text: string): string | null {
  const typed = text.trim();
  return /^[\x21-\x7e]{8,500}$/.test(typed) ? typed : null;
}

/** Why a host cannot be used. `detail` is the system's own code, such as ECONNREFUSED. */
export type HostProblem =
  | { readonly kind: 'no_key' }
  /** The host does not know the key, or not any more. */
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'unreachable'; readonly detail: string }
  /** Its certificate is not trusted, or is not for this name. */
  | { readonly kind: 'not_trusted'; readonly detail: string }
  /** Something else answers there. */
  | { readonly kind: 'not_a_host'; readonly status: number }
  /** It refuses, and says why. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The keychain cannot be used; a sentence. */
  | { readonly kind: 'keychain'; readonly message: string };

/** The team host of the desktop app, as its settings show it. */
export interface TeamHostState {
  readonly url: string;
  /** Null: connected, or connecting for the first time. */
  readonly problem: string | null;
  /** Whether a key has to be entered. */
  readonly needsKey: boolean;
}
