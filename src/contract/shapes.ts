import { z } from 'zod';

/**
 * How each family of routes words an answer that is a refusal.
 *
 * The spec shows `success`/`message` for rotation and `Success`/`Message` for IVRs; the portal adds the problem's code
 * so that a window can offer the right button.
 */
const FieldErrorShape = z.object({ field: z.string(), message: z.string() });

export const AuthRefusal = z.object({
  success: z.literal(false),
  message: z.string(),
  request_id: z.string().optional(),
});
export type AuthRefusal = z.infer<typeof AuthRefusal>;

export const IvrRefusal = z.object({
  Success: z.literal(false),
  Message: z.string(),
  errors: z.array(FieldErrorShape).optional(),
  request_id: z.string().optional(),
});
export type IvrRefusal = z.infer<typeof IvrRefusal>;

export const PortalRefusal = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  errors: z.array(FieldErrorShape).optional(),
  request_id: z.string().optional(),
});
export type PortalRefusal = z.infer<typeof PortalRefusal>;

export const refusalShapes = { auth: AuthRefusal, ivr: IvrRefusal, portal: PortalRefusal } as const;
export type RouteFamily = keyof typeof refusalShapes;
