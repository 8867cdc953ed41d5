import type { z } from 'zod';

import { AddCredential } from '../../../contract/credential.ts';
import type { FieldError } from '../../../contract/problems.ts';
import { fieldErrorsOf } from '../../../text/field-errors.ts';
import { type LifeDraft, noLife, readLife } from '../life-fields.tsx';
import { type PolicyDraft, readPolicy } from '../policy-fields.tsx';

/** What stands in the form that adds a credential, but for the token itself: that stays in its field. */
export interface AddDraft {
  readonly name: string;
  readonly where: 'here' | 'elsewhere';
  readonly baseUrl: string;
  /** Null: its service tells when it ends. */
  readonly life: LifeDraft | null;
  /** Null: as the settings have it. */
  readonly policy: PolicyDraft | null;
  /** Whether a token whose service cannot rotate it is added all the same, to be reminded of its end. */
  readonly remindOnly: boolean;
}

export const emptyDraft: AddDraft = {
  name: '',
  where: 'here',
  baseUrl: '',
  life: null,
  policy: null,
  remindOnly: false,
};

/** The places of the form that can be wrong, in their order. */
export const addFields = ['name', 'value', 'base_url', 'validity_days', 'expires_at', 'policy'] as const;
export type AddField = (typeof addFields)[number];
export type AddErrors = Partial<Record<AddField, string | undefined>>;

/** What is asked of the service: the input of the contract's own schema. */
export type AddOrder = z.input<typeof AddCredential>;

/** Reads the form by the service's own schema: what is to be asked for, and every error with its place. */
export function readDraft(
  draft: AddDraft,
  value: string,
): { readonly body: AddOrder; readonly errors: AddErrors } {
  const { life } = readLife(draft.life ?? noLife);
  const policy = draft.policy === null ? undefined : readPolicy(draft.policy);
  const body: AddOrder = {
    name: draft.name.trim(),
    value,
    base_url: baseUrlOf(draft),
    ...life,
    ...(policy?.policy ? { policy: policy.policy } : {}),
    ...(draft.remindOnly ? { remind_only: true } : {}),
  };
  const parsed = AddCredential.safeParse(body);
  const errors = parsed.success ? {} : addErrorsOf(fieldErrorsOf(parsed.error, body));
  return { body, errors: policy?.error === undefined ? errors : { ...errors, policy: policy.error } };
}

/** Where the token is from: null is this service. */
export function baseUrlOf({ where, baseUrl }: Pick<AddDraft, 'where' | 'baseUrl'>): string | null {
  return where === 'here' ? null : baseUrl.trim();
}

/** Errors by the places of the form, one sentence each: the first that counts. */
export function addErrorsOf(found: readonly FieldError[]): AddErrors {
  const errors: AddErrors = {};
  for (const { field, message } of found) {
    const place = addFields.find((name) => field === name || field.startsWith(`${name}.`));
    if (place !== undefined)
      errors[place] ??= `${subjects[place]} ${inWindow(message)}.`.replace(/\.\.$/, '.');
  }
  return errors;
}

const subjects: Record<AddField, string> = {
  name: 'The name',
  value: 'This',
  base_url: 'The address',
  validity_days: 'The validity',
  expires_at: 'The end',
  policy: 'The rotation',
};

/** Options of the command line are no help here: the fields they stand for are in sight. */
function inWindow(message: string): string {
  return message
    .replace(/ ?Say when the token expires, with --expires-at or --validity\./, '')
    .replace(/\.$/, '');
}
