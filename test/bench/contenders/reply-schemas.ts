/**
 * The JSON Schemas every baseline gives to Fastify: the five fields of spec 2.2.
 *
 * Written out, not derived from src/contract: a baseline is what another developer would have written from the
 * specification, and must not become slower or faster because the service's own contract changes.
 */
export const rotateReplySchema = {
  type: 'object',
  required: ['success', 'message', 'access_token', 'token_type', 'validity_days'],
  additionalProperties: false,
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    access_token: { type: 'string' },
    token_type: { type: 'string' },
    validity_days: { type: 'integer' },
  },
} as const;

/** Rotation takes no fields; an empty object goes along with the content type that the spec asks for. */
export const rotateBodySchema = { type: 'object', additionalProperties: false } as const;

export const refusalSchema = {
  type: 'object',
  properties: { success: { type: 'boolean' }, message: { type: 'string' } },
} as const;
