import { CredentialName } from '../../contract/credential.ts';
import type { FieldError } from '../../contract/problems.ts';
import { IssueToken, type Scope } from '../../contract/token.ts';
import { fieldErrorsOf } from '../../text/field-errors.ts';

/** What stands in the issue form, as it is typed. */
export interface TokenDraft {
  readonly name: string;
  readonly category: string;
  /** Days, or `custom` for those in the field beside. */
  readonly validity: string;
  readonly customDays: string;
  readonly scopes: readonly Scope[];
  /** Addresses and CIDR ranges with white space or commas between them. */
  readonly ipRules: string;
  readonly isKeptFresh: boolean;
  /** As typed; null while it follows the token's name. */
  readonly credentialName: string | null;
}

/** What the fields of the form that belong together are given. */
export interface DraftFieldsProps {
  draft: TokenDraft;
  error: string | undefined;
  onChange: (changes: Partial<TokenDraft>) => void;
  onLeave: () => void;
}

export const emptyDraft: TokenDraft = {
  name: '',
  category: '',
  validity: '7',
  customDays: '',
  scopes: [],
  ipRules: '',
  isKeptFresh: false,
  credentialName: null,
};

/** The places of the form that can be wrong, in their order. */
export const draftFields = ['name', 'category', 'validity', 'scopes', 'ipRules', 'credentialName'] as const;
export type DraftField = (typeof draftFields)[number];
export type DraftErrors = Partial<Record<DraftField, string>>;

/** What is asked of the service: a token, and under which name it is kept fresh if it is. */
export interface IssueOrder {
  readonly body: IssueToken;
  readonly credentialName: string | null;
}

/** Reads the form by the service's own schema: what is to be asked for, and every error with its place. */
export function readDraft(draft: TokenDraft): { readonly order: IssueOrder; readonly errors: DraftErrors } {
  const category = draft.category.trim();
  const body: IssueToken = {
    name: draft.name,
    ...(category === '' ? {} : { category }),
    validity_days: readDays(draft.validity === 'custom' ? draft.customDays : draft.validity),
    scopes: [...draft.scopes],
    ip_restrictions: ipRulesOf(draft.ipRules),
  };
  const parsed = IssueToken.safeParse(body);
  const errors = parsed.success ? {} : draftErrorsOf(fieldErrorsOf(parsed.error, body), body);
  if (!draft.isKeptFresh) return { order: { body, credentialName: null }, errors };
  const credentialName = credentialNameOf(draft);
  const error = credentialNameError(credentialName);
  return {
    order: { body, credentialName },
    errors: error === undefined ? errors : { ...errors, credentialName: error },
  };
}

/** The errors of a body by the places of the form, one sentence each: the first that counts. */
export function draftErrorsOf(found: readonly FieldError[], body: IssueToken): DraftErrors {
  const errors: DraftErrors = {};
  for (const { field, message } of found) {
    const place = placeOf(field);
    if (place !== undefined) errors[place] ??= `${subjectOf(field, body)} ${message}.`;
  }
  return errors;
}

/** What is wrong with a credential's name, in a sentence. */
export function credentialNameError(name: string): string | undefined {
  const parsed = CredentialName.safeParse(name);
  return parsed.success ? undefined : `The name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`;
}

/** The name that a token is kept fresh under: the one that was typed, or the token's own in the letters that may be used. */
export function credentialNameOf({ name, credentialName }: TokenDraft): string {
  if (credentialName !== null) return credentialName;
  return name
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 63);
}

/** The rules in what is typed. */
export function ipRulesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((rule) => rule !== '');
}

/** What is typed without the rule that is just being typed: that one is judged when it is finished. */
export function finishedRules(text: string): string {
  return text.replace(/[^\s,]+$/, '');
}

/** A number that the schema takes or refuses; words are no number. */
function readDays(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function placeOf(field: string): DraftField | undefined {
  if (field === 'name' || field === 'category') return field;
  if (field === 'validity_days') return 'validity';
  if (field.startsWith('scopes')) return 'scopes';
  if (field.startsWith('ip_restrictions')) return 'ipRules';
  return undefined;
}

function subjectOf(field: string, body: IssueToken): string {
  const index = /^ip_restrictions\[(\d+)\]$/.exec(field)?.[1];
  if (index !== undefined) return `“${body.ip_restrictions?.[Number(index)] ?? index}”`;
  if (field === 'validity_days') return 'The validity';
  if (field === 'ip_restrictions') return 'The list';
  return `The ${field}`;
}
