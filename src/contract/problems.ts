/**
 * Every refusal the service can give: its HTTP status and its sentence.
 *
 * The five token texts are the spec's (section 7) to the letter. A problem says what happened and what to do; the shape
 * it is wrapped in depends on the family of the route (see `shapes.ts`).
 */
export const problems = {
  token_invalid: { status: 401, message: 'The provided token is invalid.' },
  token_expired: {
    status: 401,
    message:
      'The provided token has expired and cannot be refreshed. Please generate a new token from the portal.',
  },
  token_suspended: { status: 403, message: 'The provided token is suspended and cannot be refreshed.' },
  token_blacklisted: { status: 403, message: 'The provided token is blacklisted and cannot be refreshed.' },
  address_not_allowed: {
    status: 403,
    message:
      'The provided token may not be used from this address. Its IP restrictions name the allowed ones.',
  },
  scope_missing: { status: 403, message: 'The provided token lacks the scope that this call needs.' },
  too_many_failures: {
    status: 429,
    message: 'Too many calls with a token that is not valid. Wait as many seconds as Retry-After says.',
  },
  not_signed_in: {
    status: 401,
    message:
      'This part is for owners. Sign in with a sign-in link or the key of an owner, or send the portal key.',
  },
  sign_in_link_spent: {
    status: 401,
    message: 'This sign-in link has been used or is too old. Make a new one: rotavox open',
  },
  wrong_owner_key: {
    status: 403,
    message: 'This is not the key of an owner. Check that it is complete; a revoked key does not work.',
  },
  too_many_sign_ins: {
    status: 429,
    message: 'Too many failed sign-ins. Wait as many seconds as Retry-After says.',
  },
  bad_request: { status: 400, message: 'The request is not valid.' },
  malformed_json: { status: 400, message: 'The body is not valid JSON.' },
  too_many_values: {
    status: 400,
    message: 'The body has more than 262144 values. Send them in several calls.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key belongs to another menu. Use a new key for each menu.',
  },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: {
    status: 405,
    message: 'This address does not take that method. See the Allow header.',
  },
  conflict: { status: 409, message: 'The change does not fit the present state.' },
  data_moved: {
    status: 409,
    message:
      'These data may also be in use elsewhere, so nothing is rotated or delivered until somebody confirms that they are not.',
  },
  token_unusable: {
    status: 409,
    message: 'The current token of this credential is known not to work, so it is handed out nowhere.',
  },
  no_connection: {
    status: 404,
    message: 'No credential is connected for this address. Connect one: rotavox connect',
  },
  vault_locked: {
    status: 503,
    message: 'The token cannot be read now, because the keychain is locked. Unlock it, then try again.',
  },
  token_refused: {
    status: 409,
    message: 'The current token is known not to work, so it is handed out nowhere.',
  },
  credential_paused: {
    status: 409,
    message: 'The current token no longer works, and its rotation is paused. Resume the credential.',
  },
  cannot_rotate: {
    status: 409,
    message:
      'The service of this token has no rotate endpoint, so Rotavox cannot rotate the token. Check base_url.',
  },
  body_too_large: { status: 413, message: 'The body is too large. The limit is 256 KiB.' },
  range_not_satisfiable: {
    status: 416,
    message: 'There is nothing in that range. Content-Range has the length in bytes.',
  },
  not_json: { status: 415, message: 'The body must be JSON: send Content-Type: application/json.' },
  body_encoded: {
    status: 415,
    message: 'The body must not be compressed. Send it as it is, without Content-Encoding.',
  },
  body_in_parts: {
    status: 400,
    message: 'The body comes in too many small parts. Send it in parts of a kilobyte or more.',
  },
  expectation_failed: {
    status: 417,
    message: 'The only Expect header that this service takes is 100-continue. Leave the header out.',
  },
  absolute_target: {
    status: 400,
    message:
      'The request line must have a path, such as /v1/health, and no whole address. This service is no proxy.',
  },
  host_not_allowed: {
    status: 421,
    message:
      'This service answers to 127.0.0.1, [::1] and localhost with its own port only. Check the Host header.',
  },
  unknown_name: {
    status: 421,
    message:
      'This service is not called by the name in the Host header. Its names are set with --allow-host.',
  },
  https_required: {
    status: 403,
    message: 'This service takes calls over https only. Through a proxy, X-Forwarded-Proto must say https.',
  },
  origin_not_allowed: {
    status: 403,
    message: 'A page from another origin may not call this service.',
  },
  bad_header: { status: 400, message: 'The request is not valid HTTP.' },
  header_too_large: { status: 431, message: 'The request headers are too large. The limit is 16 KiB.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  internal: {
    status: 500,
    message: 'Something went wrong inside the service. The log has the cause under this request id.',
  },
  vault_unavailable: {
    status: 503,
    message: 'The keychain cannot be used now, so nothing was changed.',
  },
  other_service_failed: {
    status: 502,
    message: 'The service that the credential belongs to did not do its part.',
  },
  history_unreadable: {
    status: 503,
    message: 'The history could not be read from disk.',
  },
  store_unavailable: {
    status: 503,
    message: 'The change could not be written to disk, so nothing was changed.',
  },
  no_leader: {
    status: 503,
    message: 'No host of this team can answer now, so nothing was changed. Try again.',
  },
  clocks_differ: {
    status: 503,
    message: 'The clocks of two hosts of this team differ by more than five minutes. Set them.',
  },
  passed_on_twice: {
    status: 403,
    message: 'This call came before from the host that passed it on. It counts once.',
  },
  passed_on_changed: {
    status: 403,
    message: 'The body of this call is not the one that a host of this team passed on.',
  },
  not_ready: {
    status: 503,
    message: 'This host cannot answer calls now.',
  },
  outcome_unknown: {
    status: 502,
    message:
      'The host that leads was lost while it worked on this call. Whether the call was carried out is not known.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ProblemCode = keyof typeof problems;

/** One thing that is wrong with a body: the field's path and a sentence that says what is allowed. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}
