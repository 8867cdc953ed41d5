/**
 * Fields by which a menu is known, in the body (spec 2.3) and as the platform's `GET /v1/ivrs` shows it.
 *
 * `name`, `description` and `id` are not among them: anything may have those.
 */
export const menuFields = [
  'recording',
  'timeout',
  'option',
  'destination',
  'ivr_menu',
  'incorrect_count',
  'invalid_retries',
  'invalid_recording',
  'recording_invalid',
  'invalid_destination',
  'invalid_destination_type',
  'timeout_retry_recording',
  'timeout_recording',
  'timeout_destination',
  'timeout_destination_type',
  'timeout_tries',
  'timeout_retries',
  'sms_template',
] as const;
