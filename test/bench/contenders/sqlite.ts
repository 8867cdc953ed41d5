import { join } from 'node:path';
import { startServerProcess } from '../child-process.ts';
import type { Contender } from '../contender.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

export const sqlitePerTick = sqlite('SQLite per tick', 'tick', 'hash');
export const sqlitePerTickById = sqlite('SQLite per tick, id in token', 'tick', 'id');
export const sqlitePerRequest = sqlite('SQLite per request', 'request', 'hash');
export const sqlitePerRequestById = sqlite('SQLite per request, id in token', 'request', 'id');

function sqlite(name: string, transaction: 'tick' | 'request', lookup: 'hash' | 'id'): Contender {
  return {
    name,
    async start() {
      const folder = createScratchFolder('sqlite');
      const server = await startServerProcess({
        args: [
          join(import.meta.dirname, 'sqlite-server.ts'),
          ...['--data-dir', folder, '--transaction', transaction, '--lookup', lookup],
        ],
      });
      const port = Number(server.ready['port']);
      return {
        name,
        pid: server.pid,
        port,
        async issueTokens(count) {
          const response = await fetch(`http://127.0.0.1:${String(port)}/bench/tokens`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ count }),
          });
          return (await response.json()) as string[];
        },
        async close() {
          await server.close();
          removeScratchFolder(folder);
        },
      };
    },
  };
}
