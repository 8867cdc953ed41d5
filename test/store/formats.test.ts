import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../src/contract/credential/credential.ts';
import { defaultSettings, type SettingsChange } from '../../src/contract/service/settings.ts';
import type { VoiceId } from '../../src/contract/menu/speech.ts';
import { currentFormat } from '../../src/store/formats.ts';
import { openStore } from '../../src/store/open-store.ts';
import { listSegments } from '../../src/store/segment.ts';
import type { Store } from '../../src/store/store.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { digest, issued, noon, tokenIdNamed } from '../fixtures/make-events.ts';

const formats = join(import.meta.dirname, '../fixtures/formats');
/**
 * One folder that each format from 4 on was written to after the last: the journal has the segments of all of them, and a
 * state file of each. No format ever changes what an earlier one wrote.
 */
const grown = join(formats, 'from-4');
/** How many events each fixture has. */
const eventsOf: Readonly<Record<number, number>> = {
  1: 10,
  2: 20,
  3: 34,
  4: 37,
  5: 43,
  6: 57,
  7: 62,
  8: 67,
  9: 73,
  10: 74,
  11: 76,
  12: 78,
  13: 81,
  14: 86,
  15: 92,
};
const companyNetwork: SettingsChange = {
  proxy: 'http://proxy.example.com:8080',
  no_proxy: '10.0.0.0/8, .example.net',
  certificates: '/etc/company/ca.pem',
};
/** What its settings have beside those of the oldest. */
const settingsOf: Readonly<Record<number, SettingsChange>> = {
  9: companyNetwork,
  10: companyNetwork,
  11: companyNetwork,
  12: { ...companyNetwork, speech_language: 'de-DE', speech_voice: 'pico/de-DE' as VoiceId },
  13: { ...companyNetwork, speech_language: 'de-DE', speech_voice: 'pico/de-DE' as VoiceId },
  14: { ...companyNetwork, speech_language: 'de-DE', speech_voice: 'pico/de-DE' as VoiceId },
  15: { ...companyNetwork, speech_language: 'de-DE', speech_voice: 'pico/de-DE' as VoiceId },
};

/** The fingerprint of a certificate, with one byte in every place. */
function fingerprintOfBytes(byte: string): string {
  return Array.from({ length: 32 }, () => byte).join(':');
}

/** A copy of the data folder as the last version with this format left it. */
function folderOf(format: number): string {
  const folder = makeFolder();
  if (format < 4) {
    cpSync(join(formats, String(format)), folder, { recursive: true });
    return folder;
  }
  copyFileSync(join(grown, `state-${format}.json`), join(folder, 'state.json'));
  mkdirSync(join(folder, 'journal'));
  for (const name of listSegments(join(grown, 'journal'))) {
    const segment = readFileSync(join(grown, 'journal', name), 'utf8');
    if (Number(/^\{"format":(\d+),/.exec(segment)?.[1]) <= format)
      writeFileSync(join(folder, 'journal', name), segment);
  }
  return folder;
}

/** Opens it with its state file, and rebuilt from its journal without one. */
async function openBothWays(
  format: number,
  look: (store: Store, isRebuilt: boolean) => void | Promise<void>,
): Promise<void> {
  const folder = folderOf(format);
  for (const isRebuilt of [false, true]) {
    if (isRebuilt) rmSync(join(folder, 'state.json'));
    const { store } = await openStore({ folder, clock: () => noon });
    await look(store, isRebuilt);
    await store.close();
  }
}

describe('a data folder of every format there ever was', () => {
  it('is among the fixtures', () => {
    const names = [...readdirSync(formats), ...readdirSync(grown)];
    const known = names.flatMap((name) => /^(?:state-)?(\d+)(?:\.json)?$/.exec(name)?.[1] ?? []).map(Number);
    const expected = Array.from({ length: currentFormat }, (_, place) => place + 1);
    expect(known.sort((one, other) => one - other)).toEqual(expected);
    expect(Object.keys(eventsOf).map(Number)).toEqual(expected);
  });

  for (const format of Object.keys(eventsOf).map(Number)) {
    it(`opens: format ${format}`, async () => {
      const folder = folderOf(format);
      const { store, repairs } = await openStore({ folder, clock: () => noon });
      expect(repairs).toEqual([]);
      const { state } = store;
      expect(state.tokens.get(tokenIdNamed('a', 2))?.status).toBe('Superseded');
      expect(state.tokens.get(tokenIdNamed('a', 3))?.status).toBe('Active');
      expect(state.tokens.get(tokenIdNamed('b'))).toMatchObject({ status: 'Suspended', reason: 'because' });
      expect(state.tokens.get(tokenIdNamed('c'))?.status).toBe('Blacklisted');
      expect(state.accessTokens.size).toBe(1);
      // A setting that did not exist yet has its default.
      expect(state.settings).toEqual({
        ...defaultSettings,
        sms_templates_enabled: true,
        ...settingsOf[format],
      });
      expect([...state.ivrs.values()]).toMatchObject([{ id: 'ivr_sample', sms_template: ['31', '32'] }]);
      expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: eventsOf[format] });
      await store.close();

      const again = await openStore({ folder, clock: () => noon });
      expect(again.repairs).toEqual([]);
      expect([...again.store.state.tokens.values()]).toEqual([...state.tokens.values()]);
      for (const table of [
        'credentials',
        'drafts',
        'recordings',
        'extensions',
        'smsTemplates',
        'pronunciations',
        'speaking',
        'schedules',
        'connections',
        'knownUsers',
        'owners',
      ] as const) {
        expect([...again.store.state[table].values()]).toEqual([...state[table].values()]);
      }
      await again.store.close();
    });
  }

  it('has in format 2 what came with it: credentials, the last reuse of a family, a blank end', async () => {
    const folder = folderOf(2);
    const { store } = await openStore({ folder, clock: () => noon });
    const [family] = store.state.tokens.families();
    expect(family?.reuses).toMatchObject([{ address: '127.0.0.1', userAgent: 'old-app/1.0', count: 1 }]);
    expect([...store.state.credentials.values()]).toMatchObject([
      {
        name: 'nightly',
        baseUrl: 'https://api.example.com',
        generation: 2,
        policy: { fraction: 0.5, preferred_hours: { from: '02:00', to: '05:00' } },
        rotation: { idempotencyKey: 'key-2', cause: 'owner', mayHaveActed: true },
        trouble: { kind: 'unreachable', attempts: 1 },
        targets: [{ generation: 1, target: { kind: 'dotenv' }, failure: { attempts: 1 } }],
      },
    ]);
    await store.close();
  });

  it('has in format 4 its new fields: what services say when they are asked, in the state file and in the journal', async () => {
    await openBothWays(4, (store) => {
      expect([...store.state.credentials.values()]).toMatchObject([
        { name: 'nightly' },
        { name: 'reminder', canRotate: false, trouble: null },
        { name: 'stopped', canRotate: true, trouble: { kind: 'suspended', nextTryMs: null } },
      ]);
    });
  });

  it('has in format 5 what came with it: all who use replaced tokens, and another address of a service', async () => {
    await openBothWays(5, (store) => {
      const [family] = store.state.tokens.families();
      expect(family?.reuses).toEqual([
        {
          tokenId: tokenIdNamed('a', 1),
          count: 2,
          firstAtMs: noon,
          atMs: noon + 60_000,
          address: '10.0.0.2',
          userAgent: 'other-app/2.0',
        },
      ]);
      const [, moved] = store.state.credentials.values();
      expect(moved).toMatchObject({ name: 'reminder', baseUrl: 'https://new.example.com' });
    });
  });

  it('has in format 6 what came with it: other kinds of services, tokens beside newer ones, and the proxy', async () => {
    await openBothWays(6, (store) => {
      const named = (wanted: string) =>
        [...store.state.credentials.values()].find(({ name }) => name === wanted);
      expect(named('nightly')?.provider).toEqual({ id: 'rotavox', inputs: {} });
      expect(named('gitlab')).toMatchObject({
        provider: { id: 'gitlab', inputs: { kind: 'personal' } },
        generation: 2,
        standby: { fingerprint: digest('gitlab') },
      });
      expect(named('vault')).toMatchObject({ generation: 1, heldSinceMs: noon, canRotate: true });
      expect(named('grafana')).toMatchObject({
        upstreamId: '12',
        retiring: [{ upstreamId: '11', failure: { attempts: 1, message: 'It answered 503.' } }],
      });
      expect([...store.state.proxyRules.values()]).toMatchObject([{ method: 'GET', path: '/api/**' }]);
      expect([...store.state.appTokens.values()]).toMatchObject([{ app: 'agent', use: { requests: 4 } }]);
    });
  });

  it('has in format 7 what came with it: who uses each credential, a helper that was chosen, and telephone systems', async () => {
    await openBothWays(7, (store) => {
      const [known] = store.state.knownUsers.values();
      const hour = Math.floor(noon / 3_600_000);
      expect(known?.users.filter(({ way }) => way !== 'proxy')).toEqual([
        { way: 'get', name: 'backup.sh', lastAtMs: noon + 5_000, generation: 1, hours: [[hour, 3]] },
        { way: 'exec', name: null, lastAtMs: noon + 30_000, generation: 2, hours: [[hour, 1]] },
      ]);
      expect(store.state.credentials.get('cred_gitlab' as CredentialId)?.provider.inputs).toEqual({
        kind: 'personal',
        recovery: 'gitlab-helper',
      });
      expect([...store.state.proxyRules.values()].map(({ isScrubbed }) => isScrubbed)).toEqual([false, true]);
      expect([...store.state.pbxs.values()]).toMatchObject([{ name: 'office', user: 'rotavox' }]);
    });
  });

  it('has in format 8 what came with it: owners with a key each, and which of them did something', async () => {
    await openBothWays(8, async (store) => {
      expect([...store.state.owners.values()]).toEqual([
        {
          id: 'own_sample00001',
          name: 'Ada',
          digest: digest('ada'),
          createdAtMs: noon + 240_000,
          lastUsedAtMs: noon + 240_000,
        },
      ]);
      const events = await store.history({ kinds: ['owner.'], limit: 10 });
      expect(events.map(({ actor }) => actor)).toEqual([
        { kind: 'owner', owner_id: 'own_sample00001', name: 'Ada' },
        { kind: 'system' },
        { kind: 'owner', owner_id: 'own_sample00001', name: 'Ada' },
        { kind: 'owner' },
        { kind: 'owner' },
      ]);
    });
  });

  it('has in format 9 what came with it: the network, client certificates, how files are written, new refusals', async () => {
    await openBothWays(9, async (store) => {
      const { state } = store;
      expect(state.settings).toMatchObject({ ...settingsOf[9] });
      const credentialOf = (id: string) => state.credentials.get(id as CredentialId);
      // A service like this one had no inputs before.
      expect(credentialOf('cred_reminder')?.provider).toEqual({
        id: 'rotavox',
        inputs: { client_certificate: fingerprintOfBytes('AB') },
      });
      expect(credentialOf('cred_company')?.provider).toEqual({
        id: 'gitlab',
        inputs: { kind: 'personal', client_certificate: fingerprintOfBytes('CD') },
      });
      expect(credentialOf('cred_company')?.targets.map(({ target }) => target)).toEqual([
        {
          kind: 'file',
          path: '/srv/app/token',
          newline: false,
          mode: '0640',
          owner: 'app',
          group: 'www-data',
        },
        { kind: 'dotenv', path: '/srv/app/.env', variable: 'TOKEN', in_place: true },
      ]);
      const [used] = await store.history({ kinds: ['proxy.used'], limit: 1 });
      expect(used?.data['uses']).toMatchObject([
        { refusal: 'company_proxy', status: 502 },
        { refusal: 'client_certificate', status: 502 },
        { refusal: 'not_sendable', status: 503 },
      ]);
    });
  });

  it('has in format 10 what came with it: that the journal of a team was sealed', async () => {
    const folder = folderOf(10);
    const { store } = await openStore({ folder, clock: () => noon });
    const [sealed] = await store.history({ kinds: ['journal.sealed'], limit: 1 });
    expect(sealed).toMatchObject({ seq: 74, data: { events: 73 } });
    await store.close();
  });

  it('has in format 11 what came with it: a confirmed move, and places of destinations', async () => {
    await openBothWays(11, async (store) => {
      const [pbx] = store.state.pbxs.values();
      expect(pbx?.destinations).not.toHaveProperty('voicemail');
      expect(pbx?.destinations.timegroup).toEqual({ context: 'groups', extension: '{id}' });
      const [moved] = await store.history({ kinds: ['folder.move_confirmed'], limit: 1 });
      expect(moved).toMatchObject({ seq: 76, data: { from: { name: 'old-laptop' } } });
    });
  });

  it('has in format 12 what came with it: a recording that was spoken, and how texts are spoken', async () => {
    await openBothWays(12, async (store) => {
      expect([...store.state.recordings.values()]).toMatchObject([
        // It was uploaded before anything was spoken.
        { id: '11', speech: null },
        { id: 'rec_spoken', speech: { text: 'Good morning', language: 'de-DE', automatic: true } },
      ]);
      const [added] = await store.history({ kinds: ['recording.added'], limit: 1 });
      expect(added).toMatchObject({ seq: 78, actor: { kind: 'system' } });
    });
  });

  it('has in format 13 what came with it: pronunciations, an unused recording, and that all texts are being spoken', async () => {
    await openBothWays(13, ({ state }) => {
      expect([...state.pronunciations.values()]).toMatchObject([
        { word: 'Rotavox', say: 'Roh ta vox', language: null },
      ]);
      expect([...state.recordings.values()].map((one) => one.unused_since)).toEqual([
        null,
        '2026-01-10T12:05:00.000Z',
      ]);
      expect([...state.speaking.values()]).toEqual([
        { id: 'all', what: 'changed', total: 2, started_at: '2026-01-10T12:05:00.000Z' },
      ]);
    });
  });

  it('has in format 14 what came with it: opening hours and who switched them', async () => {
    await openBothWays(14, ({ state }) => {
      expect([...state.schedules.values()]).toMatchObject([
        {
          id: 'hrs_office000001',
          name: 'Office',
          version: 2,
          exceptions: [{ date: '12-25', name: 'Christmas', ranges: [] }],
          switch: {
            to: 'closed',
            until: '2026-01-10T17:00:00.000Z',
            set_by: 'Ada',
            set_at: '2026-01-10T12:10:00.000Z',
          },
        },
      ]);
    });
  });

  it('has in format 15 what came with it: connected tools, and that they got a token', async () => {
    await openBothWays(15, ({ state }) => {
      expect([...state.connections.values()]).toMatchObject([
        { id: 'con_sample000001', tool: 'git', origin: 'https://gitlab.example.com', scheme: 'basic' },
        { id: 'con_sample000002', path_prefix: 'group/project', scheme: 'bearer' },
      ]);
      const known = state.knownUsers.get('cred_gitlab' as CredentialId);
      expect(known?.users).toContainEqual(expect.objectContaining({ way: 'helper', name: 'git' }));
    });
  });

  it.each([7, 8, 9, 10])(
    'had a place for time groups in format %s that was another thing',
    async (format) => {
      await openBothWays(format, (store) => {
        const [pbx] = store.state.pbxs.values();
        expect(pbx?.destinations).toHaveProperty('time_condition');
        expect(pbx?.destinations).not.toHaveProperty('timegroup');
      });
    },
  );

  it('has in format 3 what came with it: drafts, recordings and directories, in the state file and in the journal', async () => {
    await openBothWays(3, (store) => {
      const { drafts, recordings, extensions, smsTemplates } = store.state;
      expect([...drafts.values()]).toMatchObject([
        {
          id: 'draft_sample00001',
          revision: 3,
          versions: 1,
          document: { ...twoMenus, name: 'Front desk' },
          publications: [
            {
              credential: 'nightly',
              isHere: false,
              menus: { opening: '77' },
              sent: { reception: { name: 'Reception' } },
              published: null,
            },
            { credential: null, isHere: true, menus: { reception: 'ivr_sample' }, published: { version: 1 } },
          ],
        },
      ]);
      expect([...recordings.values()]).toMatchObject([{ id: '11', name: 'Hello', duration_ms: 500 }]);
      expect([...extensions.values()]).toEqual([{ id: '101', name: 'Sales' }]);
      expect([...smsTemplates.values()]).toMatchObject([{ id: 'welcome', text: 'Hello' }]);
    });
  });

  it('of format 2 from before notes were kept has none on its receipts, in the state file and in the journal', async () => {
    await openBothWays(2, (store) => {
      const receipts = [...store.state.credentials.values()].flatMap(({ targets }) => targets);
      expect(receipts).toMatchObject([{ generation: 1, note: null }]);
    });
  });

  it('of format 2 from before previous tokens were kept has none in the state file, but in the journal', async () => {
    await openBothWays(2, (store, isRebuilt) => {
      const known = isRebuilt ? [{ end: 'superseded' }] : [];
      expect([...store.state.credentials.values()]).toMatchObject([{ generation: 2, pastTokens: known }]);
    });
  });

  it('is never continued in another format: what is written to an older folder goes into a new segment', async () => {
    const folder = folderOf(1);
    const segments = (): Buffer[] =>
      listSegments(join(folder, 'journal')).map((name) => readFileSync(join(folder, 'journal', name)));
    const before = segments();
    const { store } = await openStore({ folder, clock: () => noon });
    await store.transact(() => ({ events: [issued('new')], value: null }));
    await store.close();
    const after = segments();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)?.toString()).toMatch(new RegExp(`^\\{"format":${currentFormat},`));
  });
});
