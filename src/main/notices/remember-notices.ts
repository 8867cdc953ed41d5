import {
  type CredentialMemory,
  memoryOf,
  type Reuse,
  type ReuseMemory,
  type NoticeInput,
  type NoticeMemory,
} from './notice-memory.ts';
import {
  failedDeliveries,
  isStoreRefusing,
  isVaultMissed,
  movedLevel,
  stageOf,
  troubleOf,
} from './troubles.ts';

/**
 * The memory with the current stages: higher stages are noted, what works again or was removed is forgotten.
 *
 * A stage counts after a failed attempt, or when a person has to act, but not by time alone; except for a token that is not
 * rotated, where only time passes.
 */
export function rememberTroubles(memory: NoticeMemory, input: NoticeInput): NoticeMemory {
  const { snapshot } = input;
  const failing = new Set<string>(failedDeliveries(snapshot).map(({ target }) => target.id));
  const credentials: Record<string, CredentialMemory> = {};
  for (const credential of snapshot.credentials) {
    const isWell = troubleOf(credential) === null && credential.state !== 'reminder';
    const known = memoryOf(memory, credential);
    // For example it was resumed: the next problem is reported again.
    const before = isWell ? { ...known, noted: 0 as const, told: 0 as const } : known;
    const stage = stageOf(credential);
    const counts = stage === 4 || credential.state === 'reminder' || input.failedIds.has(credential.id);
    const noted = counts && stage > before.noted ? stage : before.noted;
    const targets = before.targets.filter((id) => failing.has(id));
    if (noted > 0 || targets.length > 0) credentials[credential.id] = { ...before, noted, targets };
  }
  return {
    credentials,
    vault: memory.vault && isVaultMissed(snapshot),
    store: memory.store && isStoreRefusing(snapshot),
    moved: Math.min(memory.moved, movedLevel(snapshot, input.nowMs)),
    reuses: rememberReuses(memory.reuses, input),
  };
}

/** The memory with everything reported: after the notices were shown, or while they are switched off. */
export function rememberAllReported(memory: NoticeMemory, { snapshot, nowMs }: NoticeInput): NoticeMemory {
  const credentials = { ...memory.credentials };
  for (const [id, one] of Object.entries(credentials)) {
    credentials[id] = { ...one, told: one.noted, targets: [] };
  }
  for (const { credential, target } of failedDeliveries(snapshot)) {
    const one = credentials[credential.id] ?? memoryOf(memory, credential);
    credentials[credential.id] = { ...one, targets: [...one.targets, target.id] };
  }
  const toldAt = new Date(nowMs).toISOString();
  return {
    credentials,
    vault: isVaultMissed(snapshot),
    store: isStoreRefusing(snapshot),
    moved: movedLevel(snapshot, nowMs),
    reuses: memory.reuses.map((one) => ({ ...one, told_at: one.told_at ?? toldAt })),
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
