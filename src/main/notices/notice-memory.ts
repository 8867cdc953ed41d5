import { z } from 'zod';
import type { CredentialOutline } from '../../contract/credential/credential-view.ts';
import type { ShellSnapshot, ZoneOffset } from '../../host/host-port.ts';

/**
 * How urgent the trouble of a credential is; each stage is reported once.
 *
 * 0: nothing to report. 1, 2, 3: an attempt failed with 20, 10 or 2 percent of the lifetime left. 4: a person has to act.
 */
export const Stage = z.literal([0, 1, 2, 3, 4]);
export type Stage = z.infer<typeof Stage>;

const CredentialMemory = z.object({
  /** The token that this is about; a new token starts again with nothing reported. */
  generation: z.int(),
  noted: Stage,
  told: Stage,
  /** Delivery targets whose failure was reported. */
  targets: z.array(z.string()),
});
export type CredentialMemory = z.infer<typeof CredentialMemory>;

/** A Superseded token that was used again, and by whom. */
const Reuse = z.object({
  family_id: z.string(),
  address: z.string(),
  user_agent: z.string().nullable(),
});
export type Reuse = z.infer<typeof Reuse>;

const ReuseMemory = Reuse.extend({ told_at: z.string().nullable() });
export type ReuseMemory = z.infer<typeof ReuseMemory>;

/** What was reported, so that nothing is reported twice, also after a restart. Removed credentials are not in it. */
export const NoticeMemory = z.object({
  /** By the credential's id; only those with something to remember. */
  credentials: z.record(z.string(), CredentialMemory).catch({}),
  /** Whether it was reported that the vault does not work, and it has not worked since. */
  vault: z.boolean().catch(false),
  /** The same of the store. */
  store: z.boolean().catch(false),
  /** The most urgent level at which it was reported that the data may be in use elsewhere (`movedLevel`). */
  moved: z.int().catch(0),
  reuses: z.array(ReuseMemory).catch([]),
});
export type NoticeMemory = z.infer<typeof NoticeMemory>;

export const emptyMemory: NoticeMemory = {
  credentials: {},
  vault: false,
  store: false,
  moved: 0,
  reuses: [],
};

/** What an earlier run remembered. What cannot be read is forgotten: the worst is a notice that comes again. */
export function readNoticeMemory(json: unknown): NoticeMemory {
  const read = NoticeMemory.safeParse(json);
  return read.success ? read.data : emptyMemory;
}

/** What is remembered of a credential's current token. */
export function memoryOf(
  { credentials }: NoticeMemory,
  { id, generation }: CredentialOutline,
): CredentialMemory {
  const known = Object.hasOwn(credentials, id) ? credentials[id] : undefined;
  return known?.generation === generation ? known : { generation, noted: 0, told: 0, targets: [] };
}

/** Whether its trouble has reached a stage that was not reported. */
export function isNews(memory: NoticeMemory, credential: CredentialOutline): boolean {
  const { noted, told } = memoryOf(memory, credential);
  return noted > told;
}

/** What a decision is based on: the current state, and the events since the last decision. */
export interface NoticeInput {
  readonly snapshot: ShellSnapshot;
  readonly nowMs: number;
  readonly zone: ZoneOffset;
  /** Credentials of which an attempt to rotate has failed since. */
  readonly failedIds: ReadonlySet<string>;
  readonly reuses: readonly Reuse[];
  /** What the owner calls a family of the embedded service; null for one that is not known. */
  readonly familyName: (id: string) => string | null;
}
