import type { FieldError } from '../../contract/problems.ts';

/** Why the portal gave no answer that a window can show. */
export type PortalProblem =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | {
      readonly kind: 'signed-out';
      /** The command that makes a sign-in link on this machine, where the service knows it. */
      readonly command?: string | undefined;
      /** Whether there are owners, whose keys sign in. */
      readonly takesOwnerKey?: boolean;
    }
  | {
      readonly kind: 'refused';
      /** The service's own sentence. */
      readonly reason: string;
      /** The problem's code in the contract, where the portal says one. */
      readonly code?: string | undefined;
      /** What is wrong field by field. */
      readonly errors?: readonly FieldError[] | undefined;
    };

export type PortalReply<T> = { readonly kind: 'ok'; readonly value: T } | PortalProblem;
