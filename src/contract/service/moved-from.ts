import { z } from 'zod';

/**
 * Where the data of this program may also be in use, while nobody has confirmed that they are not.
 *
 * Until then nothing is rotated and nothing is delivered (decisions/moved-data.md).
 */
export const MovedFrom = z.object({
  /** `other_machine`: they come from another computer. `copy`: they are a copy. `unreadable`: it cannot be told. */
  reason: z.enum(['other_machine', 'copy', 'unreadable']),
  /** The name of that computer; null where it is this one, or not known. */
  name: z.string().nullable(),
  /** The data folder there. */
  folder: z.string().nullable(),
});
export type MovedFrom = z.infer<typeof MovedFrom>;

/** That they are not in use there any more: somebody has said so. */
export const MoveConfirmation = z.object({ from: MovedFrom, confirmed_at: z.string() });
export type MoveConfirmation = z.infer<typeof MoveConfirmation>;
