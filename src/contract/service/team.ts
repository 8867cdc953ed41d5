import { z } from 'zod';

/** `single`: the journal is in files, and there are no other hosts. */
export const HostRole = z.enum(['single', 'leader', 'follower']);
export type HostRole = z.infer<typeof HostRole>;

/** What `GET /v1/health` says. */
/** A question to a service whether it is the one of a `runtime.json`, which only its own account can read. */
export const HealthQuery = z.object({
  challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,128}$/, 'must be 16 to 128 letters, digits, - or _')
    .optional(),
});

export const HostHealth = z.object({
  status: z.literal('ok'),
  version: z.string(),
  /** Older services do not say it; they are alone. */
  role: HostRole.optional(),
  /** Of a team: raised by each takeover. */
  epoch: z.int().optional(),
  /** Of a host that follows: how many events it has not replayed yet. */
  lag: z.int().optional(),
  /** For a challenge: HMAC-SHA256 of `rotavox BASE_URL CHALLENGE` with the `portal_key` of its `runtime.json`, in hexadecimal. */
  proof: z.string().optional(),
});
export type HostHealth = z.infer<typeof HostHealth>;

/** A host of a team, as it reported itself to the database. */
const TeamHost = z.object({
  /** Of its process: another one each time that the program starts. */
  id: z.string(),
  name: z.string(),
  /** Where other hosts reach it. */
  address: z.string(),
  version: z.string(),
  role: HostRole,
  /** The last event in its memory. */
  last_seq: z.int(),
  /** How long ago it reported, in seconds. */
  seen_seconds_ago: z.number(),
});
export type TeamHost = z.infer<typeof TeamHost>;

/** What `GET /portal/status` says of a team; a single host has none. */
export const TeamStatus = z.object({
  epoch: z.int(),
  /** The leader first. A host that stopped as it was asked to is not among them, nor one that was lost a week ago. */
  hosts: z.array(TeamHost),
});
export type TeamStatus = z.infer<typeof TeamStatus>;
