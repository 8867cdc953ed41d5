import { expect, it, onTestFinished } from 'vitest';
import { SharedVault } from '../../src/agent/vault/shared-vault.ts';
import { BrowserEntry } from '../../src/store/browser-file.ts';
import { TableEntries } from '../../src/store/team/table-entries.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { teamTables } from './team-database.ts';

const server = teamTables();
const known = { public_key: 'A'.repeat(122), port: 7682, used_at: '2026-11-23T12:00:00Z' };

async function openTeam() {
  const team = await server.open();
  onTestFinished(() => team.close());
  const entries = (epoch: number) => new TableEntries(team.host(epoch));
  const passphrase = 'correct horse';
  const { sealer } = await SharedVault.open({ entries: entries(1), passphrase, cost: cheapScrypt });
  return { ...team, entries, browsers: (epoch: number) => BrowserEntry.open(entries(epoch), sealer) };
}

it('the next leader knows the browsers, and none that was signed out', async () => {
  const { browsers, lead } = await openTeam();
  const first = await browsers(1);
  expect(first.read()).toEqual([]);
  const other = { ...known, public_key: 'B'.repeat(122) };
  await first.write([known, other]);
  await lead(2);
  const second = await browsers(2);
  expect(second.read()).toEqual([known, other]);
  await second.write([other]);
  await expect(first.write([known, other])).rejects.toMatchObject({ refusal: { code: 'NOT_LEADING' } });
  expect((await browsers(2)).read()).toEqual([other]);
});

it('whoever can only write to the database signs in no browser', async () => {
  const { browsers, entries, query } = await openTeam();
  await (await browsers(1)).write([known]);
  const [stored] = await query("select name, value from rotavox.entry where place = 'browser'");
  expect(stored?.['value']).not.toContain(known.public_key);
  const forged = JSON.stringify({ format: 1, browsers: [known] });
  await entries(1).write('browser', String(stored?.['name']), forged);
  expect((await browsers(1)).read()).toEqual([]);
});
