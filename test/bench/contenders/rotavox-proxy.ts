import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from '../contender.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { startRotavox } from './rotavox.ts';

/** Our service as an owner without a keychain runs it, with one credential, one rule and one app. */
export function rotavoxBefore(origin: string): Contender {
  return {
    name: 'Rotavox',
    async start() {
      const folder = createScratchFolder('proxy');
      const passphrase = join(folder, 'passphrase');
      writeFileSync(passphrase, 'a passphrase for a benchmark', { mode: 0o600 });
      const running = await startRotavox(this.name, join(folder, 'data'), [
        '--vault',
        'file',
        '--vault-passphrase-file',
        passphrase,
      ]);
      await running.portal('POST', '/portal/credentials', {
        name: 'bench',
        value: 'a-token-that-is-as-long-as-tokens-usually-are-0123456789',
        base_url: origin,
        validity_days: 30,
        remind_only: true,
      });
      const of = '/portal/credentials/bench/proxy';
      for (const method of ['GET', 'POST'])
        await running.portal('POST', `${of}/rules`, { method, path: '/items' });
      const { token } = (await running.portal('POST', `${of}/tokens`, {
        app: 'bench',
        limits: { at_once: 1000, per_minute: 100_000_000, bytes_per_minute: 1_000_000_000_000 },
      })) as { token: string };
      return {
        ...running,
        issueTokens: (count) => Promise.resolve(Array.from({ length: count }, () => token)),
        async close() {
          await running.close();
          removeScratchFolder(folder);
        },
      };
    },
  };
}
