/**
 * Who uses the token of a credential: apps through the proxy, and programs to which it is handed out or delivered.
 */
import { z } from 'zod';
import { StoredTarget, TargetId } from './credential.ts';
import { fitForName } from '../shapes.ts';
import { handoutWays, useHeader } from './use-header.ts';

const HandoutWay = z.enum(handoutWays);
export const UseWay = z.enum(['proxy', ...handoutWays]);
export type UseWay = z.infer<typeof UseWay>;

/** The same handouts of one minute. */
export const HandoutSum = z.object({
  way: HandoutWay,
  /** Its name without arguments; null: unknown. */
  program: z.string().nullable(),
  /** Of the token. */
  generation: z.int(),
  count: z.int(),
  last_at: z.string(),
});
export type HandoutSum = z.infer<typeof HandoutSum>;

/** One handout: a sum without its count. */
export type Handout = Omit<HandoutSum, 'count' | 'last_at'> & { readonly at: string };

/** A program or an app, by the way in which it gets the token. */
export const CredentialUser = z.object({
  way: UseWay,
  /** The app of the proxy, or the program; null: unknown. */
  name: z.string().nullable(),
  last_at: z.string(),
  /** The number of the token that it used last. */
  generation: z.int(),
  /** How often, to the hour. */
  last_24h: z.int(),
  last_7d: z.int(),
});
export type CredentialUser = z.infer<typeof CredentialUser>;

/** A command of `rotavox exec` that runs now, with the token that it was started with. */
export const RunningCommand = z.object({
  program: z.string().nullable(),
  generation: z.int(),
  /** When it was started. */
  since: z.string(),
});
export type RunningCommand = z.infer<typeof RunningCommand>;

/** A connected tool that runs with the current token, where a rotation would end that at once. */
export const RunningTool = z.object({
  name: z.string(),
  /** Null: unknown. It counts as running for two minutes. */
  pid: z.int().nullable(),
  /** When it got the token. */
  since: z.string(),
});
export type RunningTool = z.infer<typeof RunningTool>;

export const CredentialUse = z.object({
  credential: z.string(),
  /** The number of the current token. */
  generation: z.int(),
  /** The latest first. */
  users: z.array(CredentialUser),
  /** The latest first. */
  running: z.array(RunningCommand),
  /** The latest first. Without those that go on working when it is rotated. */
  tools: z.array(RunningTool).default([]),
  /** What was delivered to which target. Whether anything reads it there is not known. The latest first. */
  deliveries: z.array(
    z.object({
      target_id: TargetId,
      target: StoredTarget,
      generation: z.int(),
      delivered_at: z.string(),
    }),
  ),
});
export type CredentialUse = z.infer<typeof CredentialUse>;

/** What a program says when it reads a token; without the header it is `get` by an unknown program. */
export const UseHeaders = z.object({ [useHeader]: z.string().max(2_000).optional() });

/** How many commands may report at the same time that they run. */
export const mostRunning = 256;

/** What `rotavox exec` reports while its command runs. */
export const ReportRunning = z.strictObject(
  {
    credential: z.string({ error: 'must be the name of a credential' }),
    program: z
      .string({ error: 'must be the name of a program, or null' })
      .max(200)
      .overwrite(fitForName)
      .nullable(),
    generation: z.int({ error: 'must be the number of a token' }).min(1, 'must be the number of a token'),
    since: z.iso.datetime({ error: 'must be an instant like 2026-12-31T23:59:59Z' }),
  },
  { error: 'must be a JSON object' },
);

/** What holds a token that is no longer the current one: commands that run with it, and targets that have it. */
export function previousHolders({ generation, running, deliveries }: CredentialUse): {
  readonly running: readonly RunningCommand[];
  readonly deliveries: CredentialUse['deliveries'];
} {
  return {
    running: running.filter((one) => one.generation < generation),
    deliveries: deliveries.filter((one) => one.generation < generation),
  };
}
