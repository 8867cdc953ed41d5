/** @module-tag long */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventKind, eventKindNames, type HistoryEvent } from '../../src/contract/history/audit-event.ts';
import { PortalStatus } from '../../src/contract/service/portal.ts';
import type { FamilyId } from '../../src/contract/token/token.ts';
import { RunningService } from '../cli/rotavox.ts';
import { longName } from '../fixtures/month/apps-story.ts';
import {
  copySeededMonth,
  environmentOf,
  readSeededMonth,
  type SeededMonth,
} from '../fixtures/month/seeded-month.ts';
import { seedMonth } from '../fixtures/seed-month.ts';
import { Owner } from '../journeys/owner.ts';

/** Happens only with a damaged file, by a decision of a person, or after a program got its new token. */
const notOfThisMonth: readonly EventKind[] = [
  'draft.menu_refused',
  'draft.saved',
  'recording.replaced',
  'recording.kept',
  'recording.use_changed',
  'pronunciations.changed',
  'schedule.created',
  'schedule.changed',
  'schedule.switched',
  'schedule.deleted',
  'speech.begun',
  'speech.ended',
  'journal.repaired',
  // Of a team that was there before lines had marks.
  'journal.sealed',
  'proxy.rule_added',
  'proxy.rule_removed',
  'proxy.token_issued',
  'proxy.token_revoked',
  'proxy.used',
  'proxy.token_reflected',
  'connection.added',
  'connection.removed',
  'connection.token_refused',
  'credential.value_replaced',
  'credential.standby_changed',
  'credential.renewed',
  'credential.retired',
  'credential.retire_failed',
  'credential.checked',
  'credential.resumed',
  'credential.target_removed',
  'credential.address_changed',
  'credential.inputs_changed',
  'credential.used',
  'pbx.added',
  'pbx.changed',
  'pbx.removed',
  'calls.forgotten',
  'folder.move_confirmed',
  'owner.added',
  'owner.revoked',
  'owner.signed_in',
  'owner.sign_in_failed',
  'token.reuse_dismissed',
  'token.reuse_ended',
];

const dayMs = 86_400_000;
/** It takes a tenth of this on a quiet machine: only a hang is ended. */
const makingLimitMs = 180_000;

describe('the seeded month, copied and served', () => {
  let folder: string;
  let month: SeededMonth;
  let service: RunningService;
  let owner: Owner;
  let events: readonly HistoryEvent[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rotavox-month-'));
    month = copySeededMonth(await seedMonth({ folder: join(folder, 'made') }), join(folder, 'copied'));
    service = await RunningService.start(month.dataDir, [], environmentOf(month));
    owner = new Owner(month.dataDir);
    events = (await owner.ask('readHistory', { query: { limit: '1000' } })).events.toReversed();
  }, makingLimitMs);

  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has an intact journal, in which time goes forward from a month ago to now', async () => {
    expect(await owner.ask('verifyHistory')).toMatchObject({ status: 'intact' });
    const instants = events.map(({ at }) => Date.parse(at));
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    expect(instants[0]).toBeGreaterThanOrEqual(Date.parse(month.began_at));
    expect(instants.filter((ms) => ms < Date.parse(month.ended_at)).length).toBeGreaterThan(400);
    expect(Date.parse(month.ended_at) - Date.parse(month.began_at)).toBeGreaterThan(29 * dayMs);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(month.ended_at));
  });

  it('has everything that can happen without damage or loss', () => {
    const kinds = new Set(events.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(eventKindNames.filter((kind) => !notOfThisMonth.includes(kind)).sort());
  });

  it('shows its status on the command line', async () => {
    const status = PortalStatus.parse(await service.json('status'));
    expect(status).toMatchObject({ ivrs: month.menus.length, store: { status: 'ok' }, repairs: [] });
    expect(status.tokens).toMatchObject({ Suspended: 1, Blacklisted: 1 });
    expect(status.tokens.Superseded).toBeGreaterThan(60);
  });

  it('has the state that each family is for', async () => {
    const newest = async (id: FamilyId) => {
      const { tokens } = await owner.ask('listTokens', { query: { family_id: id, limit: '1' } });
      return tokens[0];
    };
    const { families } = month;
    for (const [id, status] of [
      [families.dashboard, 'Active'],
      [families.beacon, 'Active'],
      [families.resumed, 'Active'],
      [families.suspended, 'Suspended'],
      [families.blacklisted, 'Blacklisted'],
      [families.expired, 'Expired'],
      [families.endedSooner, 'Expired'],
    ] as const)
      expect(await newest(id)).toMatchObject({ status });
    expect(await newest(families.longName)).toMatchObject({ name: longName });
    expect(await newest(families.menus)).toMatchObject({ name: '客服中心語音選單', generation: 2 });
    expect((await newest(families.suspended))?.reason).toMatch(/train to Basel/);
  });

  it('has the state that each credential is for', async () => {
    const { credentials } = await owner.ask('listCredentials');
    expect(Object.fromEntries(credentials.map(({ name, state }) => [name, state]))).toEqual({
      [month.credentials.fine]: 'fine',
      [month.credentials.preferredHours]: 'fine',
      [month.credentials.daily]: 'fine',
      [month.credentials.elsewhere]: 'fine',
      [month.credentials.paused]: 'paused',
      [month.credentials.deliveryFailing]: 'delivery_failing',
      [month.credentials.failing]: 'failing',
    });
    const byName = new Map(credentials.map((credential) => [credential.name, credential]));
    expect(byName.get(month.credentials.fine)?.still_used?.user_agent).toMatch(/^billing-worker/);
    expect(byName.get(month.credentials.daily)?.generation).toBeGreaterThan(30);
    expect(byName.get(month.credentials.elsewhere)).toMatchObject({ service: 'remote', trouble: null });
  });

  it('was generated in real order: what expires is recorded at that instant', () => {
    const expired = events.filter(({ kind }) => kind === 'token.expired');
    expect(expired.length).toBeGreaterThanOrEqual(6);
    for (const { at, data } of expired) expect(at).toBe(data['expired_at']);
  });

  it('has the tokens of its credentials: the vault opens with its passphrase', async () => {
    const { code, stdout } = await service.cli('get', month.credentials.fine);
    expect({ code, value: stdout.slice(0, 4) }).toEqual({ code: 0, value: 'rvx_' });
  });

  it('can be found again by its folder', () => {
    expect(readSeededMonth(month.folder)).toEqual(month);
  });
});
