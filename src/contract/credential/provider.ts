/**
 * Which kind of service a credential has. What is known of each kind is in `providers/catalogue.ts`, and its shape in
 * `provider-facts.ts`.
 */
import { z } from 'zod';

/** How a token is replaced. */
export const providerShapes = [
  /** The token asks for its own successor. */
  'self_rotate',
  /** A new token is created beside the old one, which is deleted when every target has the new one. */
  'replace',
  /** A long secret obtains short tokens (OAuth). */
  'refresh',
  /** The same token gets a later expiry. */
  'renew',
  /** A person creates the new token, and Rotavox does the rest. */
  'assisted',
] as const;
export type ProviderShape = (typeof providerShapes)[number];

/** The longest validity that is believed or may be entered, in days. */
export const longestValidityDays = 3650;

const idError = 'must be the id of a provider: lower-case letters, digits, dashes and underscores';
/** Built in, or of a file. */
export const ProviderName = z.string({ error: idError }).regex(/^[a-z][a-z0-9_-]{0,62}$/, idError);

/** `a, b or c`. */
export function listed(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** Which provider a credential has, and what it was told. */
export const ProviderChoice = z.object(
  {
    id: ProviderName,
    inputs: z
      .record(z.string(), z.string({ error: 'must be a text' }), { error: 'must be a JSON object' })
      .default({}),
  },
  { error: 'must be a JSON object with the id of a provider' },
);
export type ProviderChoice = z.infer<typeof ProviderChoice>;

/** Every credential had this provider before there were others. */
export const defaultProvider: ProviderChoice = { id: 'rotavox', inputs: {} };

/** Whether nothing has to be said about it, as before there were others. */
export function isDefaultProvider({ id, inputs }: ProviderChoice): boolean {
  return id === defaultProvider.id && Object.keys(inputs).length === 0;
}
