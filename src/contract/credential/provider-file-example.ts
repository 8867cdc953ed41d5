import { z } from 'zod';

export const Title = z.string().min(1).max(200);
export const Status = z.int().min(100).max(599);

/** What a provider file can say of a reply that is no success. */
export const fileOutcomes = ['not_done', 'dead', 'misconfigured', 'wait', 'unclear', 'gone'] as const;
const exampleOutcomes = ['success', ...fileOutcomes, 'refused'] as const;

/** A recorded request and its reply. */
const Exchange = z.strictObject({
  request: z.strictObject({
    method: z.string(),
    /** With the query, below the base address. */
    path: z.string(),
    /** These headers have to be sent, among others. */
    headers: z.record(z.string(), z.string()).optional(),
    json: z.json().optional(),
    form: z.record(z.string(), z.string()).optional(),
  }),
  /** `lost`: sent, and no reply arrived. `not_sent`: no connection. */
  reply: z.union([
    z.enum(['lost', 'not_sent']),
    z.strictObject({
      status: Status,
      headers: z.record(z.string(), z.string()).optional(),
      json: z.json().optional(),
      text: z.string().optional(),
    }),
  ]),
});

/** An exchange with a service that a provider file is checked against. */
export const Example = z.strictObject({
  title: Title,
  /** `reconcile`: what follows a lost reply. */
  step: z.enum(['inspect', 'mint', 'renew', 'reconcile', 'retire']),
  given: z.strictObject({
    base_url: z.string().optional(),
    inputs: z.record(z.string(), z.string()).optional(),
    value: z.string(),
    /** The token of the guardian. */
    guardian: z.string().optional(),
    /** When the token was obtained or renewed before. */
    since: z.iso.datetime().optional(),
    id: z.string().optional(),
    label: z.string().default('rotavox-example-1a2b3c4d'),
    now: z.iso.datetime().default('2026-01-10T12:00:00Z'),
    wanted_days: z.int().positive().default(30),
  }),
  exchanges: z.array(Exchange).min(1),
  outcome: z.enum(exampleOutcomes),
  expect: z.strictObject({ value: z.string(), id: z.string(), ends: z.string() }).partial().optional(),
});
export type FileExample = z.infer<typeof Example>;

/** Why a recorded example of a file is not met. */
export type ExampleProblem =
  /** A request that is not the recorded one, or one more than were recorded. */
  | {
      readonly code: 'other_request';
      readonly place: number;
      readonly expected: string;
      readonly sent: string;
    }
  | { readonly code: 'too_few'; readonly expected: number; readonly sent: number }
  | { readonly code: 'other_outcome'; readonly expected: string; readonly found: string }
  | {
      readonly code: 'other_value';
      readonly field: string;
      readonly expected: string;
      readonly found: string;
    };
