import { IvrBody, ivrAliases, type IvrWarning } from '../contract/ivr.ts';
import type { FieldError } from '../contract/problems.ts';

export interface IvrCheck {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly IvrWarning[];
}

const knownFields = new Set([...Object.keys(IvrBody.shape), ...Object.keys(ivrAliases)]);

/**
 * Says what the service would say of an IVR body, without a service.
 *
 * `core/ivr/parse-ivr-body.ts` decides; the floors keep it out of reach here, so this says the same by the contract's
 * schema, and test/cli/ivr.test.ts holds the two to each other. Whether SMS templates are on only the service knows.
 */
export function checkIvrBody(input: unknown): IvrCheck {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return {
      errors: [{ field: '', message: 'must be a JSON object with the fields of an IVR' }],
      warnings: [],
    };
  }
  const fields: Record<string, unknown> = { ...input };
  for (const [alias, field] of Object.entries(ivrAliases)) {
    if (Object.hasOwn(fields, alias) && !Object.hasOwn(fields, field)) fields[field] = fields[alias];
  }
  const warnings = Object.keys(fields)
    .filter((field) => !knownFields.has(field))
    .map((field) => ({ field, message: 'is not a field of an IVR and was left out' }));
  if (fields['sms_template'] !== undefined) {
    warnings.push({ field: 'sms_template', message: 'is applied only while sms_templates_enabled is on' });
  }
  return { errors: [...schemaErrors(fields), ...errorsBetweenFields(fields)], warnings };
}

function schemaErrors(fields: Record<string, unknown>): FieldError[] {
  const parsed = IvrBody.safeParse(fields);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => {
    const [field, ...places] = path;
    const isMissing = places.length === 0 && fields[String(field)] === undefined;
    return {
      field: `${String(field)}${places.map((place) => `[${String(place)}]`).join('')}`,
      message: isMissing ? `is required; it ${message}` : message,
    };
  });
}

function errorsBetweenFields({ option, destination, sms_template: smsTemplate }: Record<string, unknown>) {
  const errors: FieldError[] = [];
  if (!Array.isArray(option)) return errors;
  const keys = option.map(String);
  const twice = keys.find((key, place) => keys.indexOf(key) !== place);
  if (twice !== undefined) {
    errors.push({ field: 'option', message: `must not have a key twice: ${twice.slice(0, 20)}` });
  }
  const count = option.length;
  if (Array.isArray(destination) && destination.length !== count) {
    const message = `must have one destination for each option: ${count}, not ${destination.length}`;
    errors.push({ field: 'destination', message });
  }
  if (Array.isArray(smsTemplate) && smsTemplate.length > count) {
    const message = `must have at most as many entries as option: ${count}, not ${smsTemplate.length}`;
    errors.push({ field: 'sms_template', message });
  }
  return errors;
}
