import { type FieldProblem, fieldProblemsOf, shortName } from '../../../contract/field-problem.ts';
import { IvrBody, ivrAliases, ivrBounds } from '../../../contract/menu/ivr.ts';
import { done, refused, type Result } from '../../result.ts';

export interface ParsedIvrBody {
  readonly body: IvrBody;
  /** The fields that were left out. */
  readonly warnings: readonly FieldProblem[];
}

/** How many unknown fields the warnings name. */
const namedFields = 50;
const optionalFields = ['sms_template', 'direct_dial'];
const requiredFields = new Set(Object.keys(IvrBody.shape).filter((field) => !optionalFields.includes(field)));
const knownFields = new Set([...Object.keys(IvrBody.shape), ...Object.keys(ivrAliases)]);

/**
 * Reads an IVR body in every form that the spec's section 2.3 shows, or returns the errors, field by field.
 *
 * Numbers may be strings. `timeout_retries` and `recording_invalid` are aliases. Null and an empty text are as good as no field, except
 * where the field is required and may be empty. Unknown fields are left out with a
 * warning. With the SMS setting off, `sms_template` is checked, left out, and reported as a warning.
 */
export function parseIvrBody(
  input: unknown,
  { smsTemplatesEnabled }: { smsTemplatesEnabled: boolean },
): Result<ParsedIvrBody, readonly FieldProblem[]> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refused([{ field: '', code: 'not_an_ivr', params: null }]);
  }
  // Many clients cannot leave a field out and send null or an empty text. What the spec requires is refused all the same.
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(input).filter(([field, value]) => requiredFields.has(field) || !isBlank(value)),
  );
  const warnings: FieldProblem[] = [];
  for (const [alias, field] of Object.entries(ivrAliases)) {
    if (Object.hasOwn(fields, alias) && isBlank(fields[field])) fields[field] = fields[alias];
  }
  const { sms_template: templates } = fields;
  // For a key without a template.
  if (Array.isArray(templates)) fields['sms_template'] = templates.map((one: unknown) => one ?? '');
  const unknown = Object.keys(fields).filter((field) => !knownFields.has(field));
  for (const field of unknown.slice(0, namedFields))
    warnings.push({ field: shortName(field), code: 'left_out', params: null });
  if (unknown.length > namedFields) {
    const count = unknown.length - namedFields;
    warnings.push({ field: 'The body', code: 'more_left_out', params: { count } });
  }

  const parsed = IvrBody.safeParse(fields);
  const errors = parsed.success ? [] : fieldProblemsOf(parsed.error, fields);
  errors.push(...errorsBetweenFields(fields));
  if (!parsed.success || errors.length > 0) return refused(errors);

  const { sms_template: smsTemplate, ...body } = parsed.data;
  if (smsTemplate === undefined) return done({ body, warnings });
  if (!smsTemplatesEnabled) {
    warnings.push({ field: 'sms_template', code: 'templates_off', params: null });
    return done({ body, warnings });
  }
  return done({ body: parsed.data, warnings });
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Rules across two fields; only for fields that are lists. */
function errorsBetweenFields({
  option,
  destination,
  sms_template: smsTemplate,
}: Record<string, unknown>): FieldProblem[] {
  const errors: FieldProblem[] = [];
  // A list that is too long has its own error, and its entries are not compared.
  if (!Array.isArray(option) || option.length > ivrBounds.options.max) return errors;
  const keys = option.filter((key) => typeof key === 'string' || typeof key === 'number').map(String);
  const twice = keys.find((key, place) => keys.indexOf(key) !== place);
  if (twice !== undefined)
    errors.push({ field: 'option', code: 'key_twice', params: { key: twice.slice(0, 20) } });
  if (Array.isArray(destination) && destination.length !== option.length) {
    errors.push({
      field: 'destination',
      code: 'destination_count',
      params: { options: option.length, destinations: destination.length },
    });
  }
  if (Array.isArray(smsTemplate) && smsTemplate.length > option.length) {
    errors.push({
      field: 'sms_template',
      code: 'surplus_templates',
      params: { options: option.length, templates: smsTemplate.length },
    });
  }
  return errors;
}
