import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { IvrDocument, IvrDraft, PublishReply } from '../../src/contract/menu/ivr-draft.ts';
import type { Ivr } from '../../src/contract/menu/ivr.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { chanceOf, chosenSeed } from './chance.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** How often the service is killed; the test command takes the short form. */
const kills = Number(process.env['ROTAVOX_CHAOS_KILLS'] ?? 1);
const drafts = '/portal/ivrs/drafts';

/** A vault in a file, which opens without a prompt after every start. */
function openVaultByItself(): void {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-passphrase-'));
  const file = join(folder, 'passphrase');
  writeFileSync(file, 'a passphrase for this test\n', { mode: 0o600 });
  vi.stubEnv('ROTAVOX_VAULT', 'file');
  vi.stubEnv('ROTAVOX_VAULT_PASSPHRASE_FILE', file);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
}

async function keepTokenOf(other: ServiceProcess, service: ServiceProcess): Promise<void> {
  const wanted = { name: 'publisher', validity_days: 30, scopes: ['ivr:read', 'ivr:write'] };
  const { access_token: value } = (await other.owner('POST', '/portal/tokens', wanted)) as {
    access_token: string;
  };
  const baseUrl = `http://127.0.0.1:${other.port}`;
  await service.owner('POST', '/portal/credentials', { name: 'elsewhere', value, base_url: baseUrl });
}

/** The two menus under names that no other draft uses, so that the stored copies can be counted. */
function namedDocument(place: number): IvrDocument {
  const nodes = Object.values(twoMenus.nodes).map((node) =>
    node.kind === 'menu' ? { ...node, name: `${node.name} ${place}` } : node,
  );
  return {
    ...twoMenus,
    name: `Draft ${place}`,
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
  };
}

async function publish(service: ServiceProcess, id: string): Promise<PublishReply> {
  const { revision } = (await service.owner('GET', `${drafts}/${id}`)) as IvrDraft;
  const reply = await service.owner('POST', `${drafts}/${id}/publish`, { revision, credential: 'elsewhere' });
  return reply as PublishReply;
}

it(
  `stores each menu once at another service, killed ${kills} times while it publishes there`,
  { tags: ['long'], timeout: 60_000 + kills * 10_000 },
  async () => {
    const seed = chosenSeed();
    console.log(`ROTAVOX_CHAOS_SEED=${seed} ROTAVOX_CHAOS_KILLS=${kills}`);
    const chance = chanceOf(seed);
    openVaultByItself();
    const folder = makeFolder();
    const other = await startService(makeFolder());
    let service = await startService(folder);
    await keepTokenOf(other, service);
    for (let kill = 0; kill < kills; kill += 1) {
      const wanted = { document: namedDocument(kill) };
      const { id } = (await service.owner('POST', drafts, wanted)) as IvrDraft;
      const broken = publish(service, id).catch(() => null);
      // Not a wait for a condition: the instant at which the process is killed.
      await new Promise((resolve) => setTimeout(resolve, chance.between(1, 40)));
      await service.kill();
      await broken;
      service = await startService(folder);
      expect(await publish(service, id)).toMatchObject({ outcome: 'published' });
    }
    const { ivrs } = (await other.owner('GET', '/portal/ivrs')) as { ivrs: readonly Ivr[] };
    const names = Array.from({ length: kills }, (_, place) =>
      Object.values(namedDocument(place).nodes).flatMap((node) => (node.kind === 'menu' ? [node.name] : [])),
    ).flat();
    expect(ivrs.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(await service.stop()).toBe(0);
  },
);
