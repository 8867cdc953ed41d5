/**
 * Owners: the people who may use everything on a host, each with a key of their own. A person who can read `runtime.json` is the owner
 * of the machine, who has no name and needs no such key.
 */
import { z } from 'zod';

export const OwnerId = z.string().brand<'OwnerId'>();
export type OwnerId = z.infer<typeof OwnerId>;

const nameError =
  'must be a name of 1 to 60 characters: letters, digits, spaces and . _ - @ + and apostrophes';
/** What an owner is called. Two owners do not share a name, whatever its case. */
export const OwnerName = z
  .string({ error: nameError })
  .transform((name) => name.normalize('NFC'))
  .pipe(
    z
      .string()
      .regex(/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@+'’-]{0,58}[\p{L}\p{M}\p{N}._@+'’-])?$/u, nameError),
  );

/** How many owners there may be. */
export const mostOwners = 100;

export const AddOwner = z.strictObject({ name: OwnerName }, { error: 'must be a JSON object' });
export type AddOwner = z.infer<typeof AddOwner>;

/** The only answer with the key. */
export const NewOwner = z.object({
  id: OwnerId,
  name: z.string(),
  key: z.string(),
  created_at: z.string(),
});
export type NewOwner = z.infer<typeof NewOwner>;

export const OwnerView = z.object({
  id: OwnerId,
  name: z.string(),
  created_at: z.string(),
  /** The last call with the key or in a session of the owner; null: none yet. Exact to an hour after a restart. */
  last_used_at: z.string().nullable(),
  /** How many browsers are signed in. */
  sessions: z.int(),
  /** Whether it is the owner who asks. */
  is_you: z.boolean(),
});
export type OwnerView = z.infer<typeof OwnerView>;

/** In the order in which they were added. */
export const OwnerList = z.object({ owners: z.array(OwnerView) });
export type OwnerList = z.infer<typeof OwnerList>;

/** `owners_left`: how many there still are. Without any, only the owner of the machine can sign in. */
export const RevokedOwner = z.object({
  id: OwnerId,
  name: z.string(),
  sessions_ended: z.int(),
  owners_left: z.int(),
});
export type RevokedOwner = z.infer<typeof RevokedOwner>;

/** Why owners were not changed. */
export type OwnerProblem =
  | { readonly kind: 'name_taken'; readonly name: string }
  | { readonly kind: 'not_found'; readonly name: string }
  | { readonly kind: 'too_many'; readonly limit: number };

/** A browser that is signed in. */
export const SessionView = z.object({
  /** Names it for `endSession`; opens nothing. */
  id: z.string(),
  is_current: z.boolean(),
  signed_in_at: z.string(),
  last_used_at: z.string(),
  address: z.string(),
  user_agent: z.string().nullable(),
});
export type SessionView = z.infer<typeof SessionView>;

/** Those of the owner who asks, the one that was used last first. */
export const SessionList = z.object({ sessions: z.array(SessionView) });
export type SessionList = z.infer<typeof SessionList>;
