/**
 * The credential proxy: an app sends an app token of its own to `/proxy/<credential>/<path>`, and the service sends the
 * request on with the credential's token. Schemas of rules, app tokens and uses, and every refusal with its status.
 */
import { z } from 'zod';

export const ProxyRuleId = z.string().brand<'ProxyRuleId'>();
export type ProxyRuleId = z.infer<typeof ProxyRuleId>;

export const AppTokenId = z.string().brand<'AppTokenId'>();
export type AppTokenId = z.infer<typeof AppTokenId>;

/** Where requests for a credential go; the path of its service follows. */
export function proxyPath(credential: string): string {
  return `/proxy/${credential}`;
}

/** On every answer of the proxy itself, with the value `refused`, so that nobody takes it for an answer of the service. */
export const refusalMark = 'rotavox-proxy';

/** What can be sent through the proxy. */
export const proxyMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type ProxyMethod = (typeof proxyMethods)[number];
/** `*`, any of them: only rules from before have it. */
export const RuleMethod = z.enum(['*', ...proxyMethods]);
export type RuleMethod = z.infer<typeof RuleMethod>;

const pathError =
  'must be a path such as /api/v4/** of 500 characters at most: * is one segment, ** any number of them, and each stands alone between slashes';
const patternShape = /^\/(?:(?:\*\*?|(?:[^\s/*?#;\\%\p{Cc}\p{Cf}\p{Cs}]|%[0-9A-Fa-f]{2})+)(?:\/(?!\/)|$))*$/u;
const dotSegment = /\/\.{1,2}(?:\/|$)|%2e|%3b/i;

/** The path of a rule. A GET rule allows HEAD too. */
export const RulePath = z
  .string({ error: pathError })
  .max(500, pathError)
  .regex(patternShape, pathError)
  .refine((path) => !dotSegment.test(path) && isDecodable(path), pathError);

function isDecodable(path: string): boolean {
  try {
    return !/[\0\\]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

const appError = 'must be a name of 1 to 60 characters: letters, digits, spaces and . _ - @ : + /';
/** What an app is called. Several tokens may have the same name, such as one that replaces another. */
export const AppName = z
  .string({ error: appError })
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._@:+/-]{0,58}[\p{L}\p{N}._@:+/-])?$/u, appError);

export const AddProxyRule = z.strictObject(
  {
    method: z.enum(proxyMethods, { error: `must be one of ${proxyMethods.join(', ')}` }),
    path: RulePath,
    /** Only for the app of this name; null: for every app that has a token of the credential. */
    app: AppName.nullable().default(null),
    /** Whether the name of the service may lead to an address of a private network. Never to a link-local one. */
    private_network: z.boolean().default(false),
    /** Whether the token is removed from the text of answers, in addition to their headers. Default: no. */
    scrub: z.boolean().optional(),
    /** The person agrees that an app may use calls that name credentials or rights (`names_rights`). */
    confirmed: z.boolean().optional(),
  },
  { error: 'must be a JSON object' },
);
export type AddProxyRule = z.infer<typeof AddProxyRule>;

export const ProxyRule = z.object({
  id: ProxyRuleId,
  method: RuleMethod,
  path: z.string(),
  app: z.string().nullable(),
  private_network: z.boolean(),
  scrub: z.boolean().optional(),
  created_at: z.string(),
});
export type ProxyRule = z.infer<typeof ProxyRule>;

/** What to allow in place of a rule that is too wide. */
export const NarrowRule = z.object({ method: z.enum(proxyMethods), path: z.string() });

const limitNumber = (most: number) =>
  z
    .int({ error: `must be a whole number from 1 to ${most}` })
    .min(1, `must be a whole number from 1 to ${most}`)
    .max(most, `must be a whole number from 1 to ${most}`);

/** What one app may use. */
export const AppLimits = z.object({
  /** Requests at the same time. */
  at_once: limitNumber(1_000),
  per_minute: limitNumber(100_000_000),
  /** Sent and received; a request that exceeds it is finished, and later ones wait. */
  bytes_per_minute: limitNumber(1_000_000_000_000),
});
export type AppLimits = z.infer<typeof AppLimits>;

export const defaultAppLimits: AppLimits = {
  at_once: 64,
  per_minute: 6_000,
  bytes_per_minute: 8_000_000_000,
};

/** How long an app token works if nobody says, and at most, in seconds. */
export const defaultAppTokenSeconds = 8 * 3600;
const longestAppTokenSeconds = 365 * 86_400;
const secondsError = `must be a whole number of seconds from 60 to ${longestAppTokenSeconds}`;

export const IssueAppToken = z.strictObject(
  {
    app: AppName,
    expires_in: z
      .int({ error: secondsError })
      .min(60, secondsError)
      .max(longestAppTokenSeconds, secondsError)
      .default(defaultAppTokenSeconds),
    limits: AppLimits.partial().default({}),
  },
  { error: 'must be a JSON object' },
);
export type IssueAppToken = z.infer<typeof IssueAppToken>;

/** An app token, without the token itself. */
export const AppToken = z.object({
  id: AppTokenId,
  app: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  is_expired: z.boolean(),
  limits: AppLimits,
  /** Null: never. */
  last_used_at: z.string().nullable(),
  /** The generation of the credential's token that its last request was sent with; null: none was sent. */
  last_generation: z.int().nullable(),
  /** Answered and refused ones. */
  requests: z.int(),
  /** Being answered now. */
  running: z.int(),
});
export type AppToken = z.infer<typeof AppToken>;

export const NewAppToken = z.object({
  id: AppTokenId,
  app: z.string(),
  url: z.string(),
  /** Shown once. */
  token: z.string(),
  expires_at: z.string(),
});
export type NewAppToken = z.infer<typeof NewAppToken>;

/**
 * Why the proxy refuses a request or cannot answer it. `text/credential/proxy-text.ts` makes the sentences.
 */
export const proxyRefusals = {
  host_not_literal: 421,
  browser: 403,
  method_not_supported: 405,
  upgrade: 501,
  body_not_supported: 400,
  no_app_token: 401,
  several_app_tokens: 400,
  unknown_app_token: 401,
  expired_app_token: 401,
  other_credential: 403,
  bad_path: 400,
  not_allowed: 403,
  forbidden: 403,
  too_many_at_once: 429,
  too_many_requests: 429,
  too_many_bytes: 429,
  too_many_failures: 429,
  rotating: 503,
  unusable: 503,
  vault_unavailable: 503,
  not_sendable: 503,
  address_refused: 502,
  not_reached: 502,
  not_trusted: 502,
  company_proxy: 502,
  client_certificate: 502,
  no_answer: 504,
  compressed: 502,
  token_in_answer: 502,
  connection_lost: 502,
} as const satisfies Record<string, number>;
export type ProxyRefusalCode = keyof typeof proxyRefusals;
export const ProxyRefusalCode = z.enum(
  Object.keys(proxyRefusals) as [ProxyRefusalCode, ...ProxyRefusalCode[]],
);

/**
 * One request, as it is remembered: never its query, headers or body. In `route` segments that look like ids or secrets are `*`.
 */
const use = {
  token_id: AppTokenId,
  app: z.string(),
  /** Of the credential's token; 0 where none was used. */
  generation: z.int(),
  method: z.string(),
  route: z.string(),
  /** Of the answer; 0 where the connection ended before one. */
  status: z.int(),
  /** Why the proxy itself refused it; null for an answer of the service. */
  refusal: ProxyRefusalCode.nullable(),
};

export const ProxyUse = z.object({
  ...use,
  at: z.string(),
  bytes_in: z.int(),
  bytes_out: z.int(),
  duration_ms: z.int(),
});
export type ProxyUse = z.infer<typeof ProxyUse>;

/** The same requests of one minute. */
export const ProxyUseSum = z.object({
  ...use,
  count: z.int(),
  bytes_in: z.int(),
  bytes_out: z.int(),
  duration_ms: z.int(),
  last_at: z.string(),
});
export type ProxyUseSum = z.infer<typeof ProxyUseSum>;

export const ProxyView = z.object({
  credential: z.string(),
  url: z.string(),
  rules: z.array(
    ProxyRule.extend({
      /** Of a rule from before that is too wide now and allows only what is safe: what to allow in its place. Absent: it is not too wide. */
      becomes: z.array(NarrowRule).optional(),
    }),
  ),
  /** Rules that apps usually need of this service. */
  ready: z
    .array(
      z.object({
        id: z.string(),
        /** Of a provider's file; null: `text` has it. */
        title: z.string().nullable(),
        rules: z.array(NarrowRule),
      }),
    )
    .default([]),
  tokens: z.array(AppToken),
  /** What no rule can allow. `method` null: any. */
  forbidden: z.array(z.object({ method: z.string().nullable(), path: z.string() })),
  /** The newest requests since the program started, newest first. */
  recent: z.array(ProxyUse),
});
export type ProxyView = z.infer<typeof ProxyView>;

export const ProxyList = z.object({ credentials: z.array(ProxyView) });

/** What a rule would have done with the requests of the last 24 hours. */
export const RuleTrial = z.object({
  /** All of them that the rule could concern: of its app, or of all apps. */
  requests: z.int(),
  /** How many of them the rule allows. */
  allowed: z.int(),
  /** How many of these were refused because no rule allowed them. */
  newly_allowed: z.int(),
  /** How many it would match, but no rule can allow. */
  forbidden: z.int(),
  /** The routes that it allows, the most frequent first; 20 at most. */
  routes: z.array(z.object({ method: z.string(), route: z.string(), count: z.int() })),
  /** The parts of its path that name credentials or rights: it is added only if the person agrees. */
  names_rights: z.array(z.string()).default([]),
});
export type RuleTrial = z.infer<typeof RuleTrial>;
