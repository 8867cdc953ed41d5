/**
 * The JSON Schemas every baseline gives to Fastify: the five fields of spec 2.2 and the fourteen of spec 2.3.
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

const text = { type: 'string', minLength: 1, maxLength: 200 } as const;
const textOrNumber = { type: ['string', 'number'] } as const;
const recording = { type: 'string', pattern: '^recording\\|\\|[A-Za-z0-9_.-]{1,64}$' } as const;
const extension = { type: 'string', pattern: '^extension\\|\\|[A-Za-z0-9_.-]{1,64}$' } as const;

export const ivrBodySchema = {
  type: 'object',
  required: [
    'name',
    'description',
    'recording',
    'timeout',
    'option',
    'destination',
    'incorrect_count',
    'invalid_recording',
    'invalid_destination',
    'timeout_retry_recording',
    'timeout_recording',
    'timeout_destination',
    'timeout_tries',
  ],
  properties: {
    name: text,
    description: text,
    recording,
    timeout: textOrNumber,
    option: { type: 'array', minItems: 1, maxItems: 12, items: textOrNumber },
    destination: { type: 'array', minItems: 1, maxItems: 12, items: extension },
    incorrect_count: textOrNumber,
    invalid_recording: recording,
    invalid_destination: extension,
    timeout_retry_recording: recording,
    timeout_recording: recording,
    timeout_destination: extension,
    timeout_tries: textOrNumber,
    sms_template: { type: 'array', maxItems: 12, items: textOrNumber },
  },
} as const;

export const ivrReplySchema = {
  type: 'object',
  required: ['Success', 'Message', 'id', 'warnings'],
  properties: {
    Success: { type: 'boolean' },
    Message: { type: 'string' },
    id: { type: 'string' },
    warnings: {
      type: 'array',
      items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
    },
  },
} as const;
