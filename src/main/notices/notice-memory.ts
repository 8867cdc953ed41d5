import { z } from 'zod';
import { type Concern, ConcernLevel } from '../../contract/window/attention.ts';
import type { ShellSnapshot, ZoneOffset } from '../../host/host-port.ts';

const ConcernMemory = z.object({
  /** The token that it is about; a new token starts again with nothing reported. */
  generation: z.int(),
  /** The level that it has reached, and the one that was reported. */
  noted: ConcernLevel,
  told: ConcernLevel,
});
type ConcernMemory = z.infer<typeof ConcernMemory>;

/** A Superseded token that was used again, and by whom. */
const Reuse = z.object({
  family_id: z.string(),
  address: z.string(),
  user_agent: z.string().nullable(),
});
export type Reuse = z.infer<typeof Reuse>;

const ReuseMemory = Reuse.extend({ told_at: z.string().nullable() });
type ReuseMemory = z.infer<typeof ReuseMemory>;

/** What was reported, so that nothing is reported twice, also after a restart. What is over is not in it. */
export const NoticeMemory = z.object({
  /** By subject; only concerns that have reached a level. */
  concerns: z.record(z.string(), ConcernMemory).catch({}),
  reuses: z.array(ReuseMemory).catch([]),
});
export type NoticeMemory = z.infer<typeof NoticeMemory>;

export const emptyMemory: NoticeMemory = { concerns: {}, reuses: [] };

/** What an earlier run remembered. What cannot be read is forgotten: the worst is a notice that comes again. */
export function readNoticeMemory(json: unknown): NoticeMemory {
  const read = NoticeMemory.safeParse(json);
  return read.success ? read.data : emptyMemory;
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

/** Whether a concern has reached a level that was not reported. */
export function isNews({ concerns }: NoticeMemory, { subject }: Concern): boolean {
  const known = concerns[subject];
  return known !== undefined && known.noted > known.told;
}

/** The memory with the current levels: higher ones are noted, what works again or was removed is forgotten. */
export function rememberConcerns(
  memory: NoticeMemory,
  concerns: readonly Concern[],
  input: Pick<NoticeInput, 'failedIds' | 'reuses' | 'nowMs'>,
): NoticeMemory {
  const remembered = concerns.map(
    (one) => [one.subject, rememberConcern(memory, one, input.failedIds)] as const,
  );
  return {
    concerns: Object.fromEntries(remembered.filter(([, { noted }]) => noted > 0)),
    reuses: rememberReuses(memory.reuses, input),
  };
}

/**
 * The level of a failing credential counts after a failed attempt, or when a person has to act, but not by time alone, and stays noted
 * as long as it fails. Any other concern has the level of this instant.
 */
function rememberConcern(
  { concerns }: NoticeMemory,
  concern: Concern,
  failedIds: ReadonlySet<string>,
): ConcernMemory {
  const { subject, generation, level } = concern;
  const known = Object.hasOwn(concerns, subject) ? concerns[subject] : undefined;
  const { noted, told } = known?.generation === generation ? known : ({ noted: 0, told: 0 } as const);
  if (concern.kind !== 'rotation') return { generation, noted: level, told: lower(told, level) };
  const counts = concern.counts || failedIds.has(concern.credential.id);
  return { generation, noted: counts && level > noted ? level : noted, told };
}

function lower(a: ConcernLevel, b: ConcernLevel): ConcernLevel {
  return a < b ? a : b;
}

/** The memory with everything reported: after the notices were shown, or while they are switched off. */
export function rememberAllReported({ concerns, reuses }: NoticeMemory, nowMs: number): NoticeMemory {
  const toldAt = new Date(nowMs).toISOString();
  return {
    concerns: Object.fromEntries(
      Object.entries(concerns).map(([subject, one]) => [subject, { ...one, told: one.noted }]),
    ),
    reuses: reuses.map((one) => ({ ...one, told_at: one.told_at ?? toldAt })),
  };
}

/** After this time the same caller with the same family is reported again, in milliseconds. */
const quietAfterMs = 60 * 60_000;
/** The most callers of one family in that time, so that one that changes its name with every call does not flood the screen. */
const callersAnHour = 3;
/** The limit of what is kept during quiet hours. */
const mostRemembered = 200;

/** Superseded tokens that were used again: those to report, and those reported within the hour. */
function rememberReuses(
  known: readonly ReuseMemory[],
  { reuses, nowMs }: Pick<NoticeInput, 'reuses' | 'nowMs'>,
): ReuseMemory[] {
  const kept = known.filter(
    // Also after the clock was set back, when that instant is in the future.
    ({ told_at: toldAt }) => toldAt === null || Math.abs(nowMs - Date.parse(toldAt)) < quietAfterMs,
  );
  for (const reuse of reuses) {
    const callers = kept.filter(({ family_id: familyId }) => familyId === reuse.family_id);
    if (callers.length >= callersAnHour || callers.some((one) => isSameCaller(one, reuse))) continue;
    kept.push({ ...reuse, told_at: null });
  }
  return kept.slice(-mostRemembered);
}

function isSameCaller(a: Reuse, b: Reuse): boolean {
  return a.address === b.address && a.user_agent === b.user_agent;
}
