/**
 * The way of a call to another machine: through a proxy or not, whom it trusts, and what kept it from arriving. `text/service/network-text.ts`
 * makes the sentences.
 */
import { z } from 'zod';
import { readProxyAddress } from './proxy-address.ts';

/** The variables that name a proxy, in the order in which they are asked; of two spellings the lower case wins, as in curl. */
export const proxyVariables = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const;
export const noProxyVariables = ['no_proxy', 'NO_PROXY'] as const;

/** Who named a proxy: the setting, the desktop, or a variable of the environment. */
const proxySources = [
  'setting',
  'desktop',
  'https_proxy',
  'HTTPS_PROXY',
  'http_proxy',
  'HTTP_PROXY',
  'all_proxy',
  'ALL_PROXY',
] as const;
export type ProxySource = (typeof proxySources)[number];

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
export const TakenWay = z.object({
  /** Host and port of the proxy; null: direct. */
  proxy: z.string().nullable(),
  source: z.enum(proxySources).nullable(),
  /** Who issued the certificate of the service, as it calls itself; null: there was none. */
  issuer: z.string().nullable(),
  /** Whether the service asked for a client certificate, and whether one was presented. */
  asks_for_certificate: z.boolean(),
  has_client_certificate: z.boolean(),
});
export type TakenWay = z.infer<typeof TakenWay>;

const proxyError =
  'must be the address of a proxy such as http://proxy.example.com:8080, without user and password (they are given beside it), or system or off';

/** `system`: as the environment and the desktop say; `off`: always direct; or an address, without a login. */
export const ProxySetting = z.string({ error: proxyError }).superRefine((text, context) => {
  if (text === 'system' || text === 'off') return;
  const read = text.length > 500 ? null : readProxyAddress(text);
  if (read === null || !read.ok || read.value.login !== null) context.addIssue(proxyError);
});

const exceptionsError = 'must be names, addresses and ranges, divided by commas, of at most 2000 characters';
/** Where calls go directly, as in `NO_PROXY`. */
export const ProxyExceptions = z
  .string({ error: exceptionsError })
  .max(2000, exceptionsError)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, exceptionsError);

const fileError = 'must be the whole path of a file with certificates';
/** A file of certificates that are trusted as well. */
export const CertificateFile = z
  .string({ error: fileError })
  .max(4000, fileError)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\p{Cc}\p{Cs}]*$/u, fileError);

const userError = 'must be a user name of 1 to 200 characters without a colon';
const passwordError = 'must be a password on one line of at most 500 characters';
/** What a proxy wants to know. Stored in the vault. */
export const ProxyLoginInput = z.strictObject(
  {
    user: z.string({ error: userError }).regex(/^[^:\p{Cc}\p{Cs}]{1,200}$/u, userError),
    password: z.string({ error: passwordError }).regex(/^[^\p{Cc}\p{Cs}]{0,500}$/u, passwordError),
  },
  { error: 'must be a JSON object with user and password' },
);
export type ProxyLoginInput = z.infer<typeof ProxyLoginInput>;

/** What calls to other machines do now. */
export const NetworkStatus = z.object({
  proxy: z.object({
    /** The setting. */
    setting: z.string(),
    /** Host and port of the proxy that https calls use; null: none, or it depends on the address. */
    used: z.string().nullable(),
    /** Who names it: `setting`, or a variable of the environment; null: none. */
    source: z.string().nullable(),
    /** Whether a user name and a password are stored for it. */
    has_login: z.boolean(),
    /** Why it cannot be used. */
    problem: z.string().nullable(),
  }),
  certificates: z.object({
    /** The setting. */
    file: z.string().nullable(),
    /** How many are in the file. */
    count: z.int(),
    /** Whether a file is named by `NODE_EXTRA_CA_CERTS`. */
    extra: z.boolean(),
    /** Why the file is not used. */
    problem: z.string().nullable(),
  }),
});
export type NetworkStatus = z.infer<typeof NetworkStatus>;

const pemError = (what: string) => `must be ${what} in PEM, of at most 32,768 characters`;
const pem = (what: string, form: RegExp) =>
  z
    .string({ error: pemError(what) })
    .max(32_768, pemError(what))
    .regex(form, pemError(what));

/** What a service that asks for a client certificate gets. `passphrase`: of the key, where that is encrypted. */
export const ClientCertificate = z.strictObject(
  {
    certificate: pem('a certificate', /-----BEGIN CERTIFICATE-----/),
    key: pem('a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/),
    passphrase: z
      .string({ error: passwordError })
      .regex(/^[^\p{Cc}\p{Cs}]{1,500}$/u, passwordError)
      .nullable()
      .default(null),
  },
  { error: 'must be a JSON object with certificate and key' },
);
export type ClientCertificate = z.output<typeof ClientCertificate>;

/** The input of every provider that says which client certificate a credential has, by its fingerprint. */
export const clientCertificateInput = 'client_certificate';

/** Why a client certificate and its key cannot be used. */
export type ClientCertificateProblem =
  | 'no_certificate'
  | 'no_key'
  | 'other_key'
  | 'passphrase_needed'
  | 'wrong_passphrase'
  | 'too_weak';
