/**
 * The way of a call to another machine: through a proxy or not, and what kept it from arriving. `text/network.ts` makes the
 * sentences.
 */

/** The variables that name a proxy, in the order in which they are asked; of two spellings the lower case wins, as in curl. */
export const proxyVariables = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const;
export const noProxyVariables = ['no_proxy', 'NO_PROXY'] as const;
export type ProxyVariable = (typeof proxyVariables)['https:' | 'http:'][number];

/** Who named a proxy: the setting, a variable of the environment, or the desktop. */
export type ProxySource = 'setting' | 'desktop' | ProxyVariable;

/** Why a text is not the address of a proxy that can be used. */
export type ProxyAddressProblem =
  | 'not_an_address'
  /** `socks5://` and its relatives. */
  | 'socks'
  /** Another scheme than http and https. */
  | 'scheme'
  /** It has a path: most often it is the address of a PAC file. */
  | 'path';

/** Why a proxy did not lead to a service. */
export type ProxyProblem =
  /** No connection to the proxy. `systemCode`: such as ECONNREFUSED. */
  | { readonly code: 'unreachable'; readonly systemCode: string }
  /** It is asked through TLS, and its certificate does not verify. */
  | { readonly code: 'not_trusted'; readonly systemCode: string; readonly issuer: string | null }
  /** 407. `schemes`: what it accepts, in lower case; empty where it does not say. */
  | { readonly code: 'login_needed' | 'login_refused'; readonly schemes: readonly string[] }
  /** Any other answer but success. */
  | { readonly code: 'refused'; readonly status: number }
  /** What listens there speaks no HTTP. */
  | { readonly code: 'no_proxy' }
  /** It ended the connection without an answer. */
  | { readonly code: 'closed' }
  | { readonly code: 'too_slow'; readonly limitMs: number }
  /** The vault that has the login cannot be used. */
  | { readonly code: 'login_unreadable' };

/** A file of certificates that could not be read, where that may be why a certificate does not verify. */
export interface CertificateFileProblem {
  readonly file: string;
  readonly code: 'missing' | 'unreadable' | 'no_certificate';
}

/** The way that a call took, for people. */
export interface TakenWay {
  /** Host and port of the proxy; null: direct. */
  readonly proxy: string | null;
  readonly source: ProxySource | null;
  /** Who issued the certificate of the service, as it calls itself; null: there was none. */
  readonly issuer: string | null;
  /** Whether the service asked for a client certificate, and whether one was presented. */
  readonly asksForCertificate: boolean;
  readonly hasClientCertificate: boolean;
}
