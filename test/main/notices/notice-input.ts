import type {
  CredentialOutline,
  TargetView,
  TroubleKind,
} from '../../../src/contract/credential/credential-view.ts';
import type { CredentialId, TargetId } from '../../../src/contract/credential/credential.ts';
import { defaultSettings, type Settings } from '../../../src/contract/service/settings.ts';
import type { FamilyId } from '../../../src/contract/token/token.ts';
import type { ShellSnapshot } from '../../../src/host/host-port.ts';
import type { NoticeState } from '../../../src/main/notices/decide-notices.ts';
import type { NoticeInput } from '../../../src/main/notices/notice-memory.ts';
import { emptyMemory } from '../../../src/main/notices/notice-memory.ts';
import { quietCredential } from '../../fixtures/quiet-credential.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const noonMs = Date.parse('2026-03-10T12:00:00.000Z');

export const nothing: NoticeState = { memory: emptyMemory, shown: new Map() };

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A healthy credential of a remote service, with ten days of which six are left at noon. */
export function credential(name: string, differences: Partial<CredentialOutline> = {}): CredentialOutline {
  return {
    ...quietCredential,
    id: `cred_${name}` as CredentialId,
    name,
    service: 'remote',
    base_url: 'https://api.example.com',
    generation: 1,
    obtained_at: iso(noonMs - 4 * dayMs),
    expires_at: iso(noonMs + 6 * dayMs),
    validity_days: 10,
    can_rotate: true,
    next_rotation_at: iso(noonMs + 2 * dayMs),
    ...differences,
  };
}

export const upToPerson: readonly TroubleKind[] = [
  'invalid',
  'blacklisted',
  'expired',
  'reply_lost',
  'value_missing',
];
export const triedAgain: readonly TroubleKind[] = [
  'unreachable',
  'service_failed',
  'unsafe',
  'refused',
  'vault',
];

function stateOf(kind: TroubleKind, leftMs: number): CredentialOutline['state'] {
  if (leftMs <= 0) return 'expired';
  if (kind === 'vault') return 'vault_unavailable';
  return upToPerson.includes(kind) ? 'refused' : 'failing';
}

/** One whose rotation fails: `leftMs` before its expiry, with the warning of the host. */
export function failing(
  name: string,
  kind: TroubleKind,
  differences: Partial<CredentialOutline> & { attempts?: number; leftMs?: number } = {},
): CredentialOutline {
  const { attempts = 5, leftMs = 6 * dayMs, ...others } = differences;
  const isOver = upToPerson.includes(kind);
  const lifeMs = 10 * dayMs;
  const percent = (leftMs / lifeMs) * 100;
  return credential(name, {
    state: stateOf(kind, leftMs),
    message: `It says ${kind}.`,
    obtained_at: iso(noonMs + leftMs - lifeMs),
    expires_at: iso(noonMs + leftMs),
    warning: ([2, 10, 20] as const).find((threshold) => percent <= threshold) ?? null,
    trouble: {
      kind,
      message: `It says ${kind}.`,
      since: iso(noonMs - hourMs),
      attempts,
      next_try_at: isOver ? null : iso(noonMs + minuteMs),
    },
    ...others,
  });
}

export function target(name: string, differences: Partial<TargetView> = {}): TargetView {
  return {
    id: `tgt_${name}` as TargetId,
    target: { kind: 'dotenv', path: `/srv/${name}/.env`, variable: 'TOKEN' },
    status: 'failing',
    generation: 0,
    delivered_at: null,
    note: null,
    message: 'The folder does not exist.',
    attempts: 1,
    next_try_at: null,
    ...differences,
  };
}

export const familyId = 'fam_a' as FamilyId;

export function snapshotOf(
  credentials: readonly CredentialOutline[],
  {
    settings = {},
    ...others
  }: Partial<Omit<ShellSnapshot, 'settings'>> & { settings?: Partial<Settings> } = {},
): ShellSnapshot {
  return {
    credentials,
    vault: { kind: 'keychain', description: 'the OS keychain', status: 'ok', message: null },
    store: { status: 'ok', last_seq: 1 },
    pbxs: [],
    hours: [],
    movedFrom: null,
    settings: { ...defaultSettings, ...settings },
    ...others,
  };
}

export const lockedVault: ShellSnapshot['vault'] = {
  kind: 'keychain',
  description: 'the OS keychain',
  status: 'locked',
  message: 'The keychain is locked. Unlock it.',
};

export const fullStore: ShellSnapshot['store'] = {
  status: 'refusing',
  last_seq: 1,
  code: 'ENOSPC',
  reason: 'The disk is full. Make room on it.',
  since: iso(noonMs),
};

/** A decision at noon UTC at which every failing credential has just failed once more. */
export function inputOf(snapshot: ShellSnapshot, differences: Partial<NoticeInput> = {}): NoticeInput {
  return {
    snapshot,
    nowMs: noonMs,
    zone: () => 0,
    failedIds: new Set(snapshot.credentials.filter(({ trouble }) => trouble !== null).map(({ id }) => id)),
    reuses: [],
    familyName: () => null,
    ...differences,
  };
}
