import { join } from 'node:path';
import { startServerProcess } from '../child-process.ts';
import type { Contender } from '../contender.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

/** A transaction for each request. */
export const sqlite: Contender = {
  name: 'SQLite',
  async start() {
    const folder = createScratchFolder('sqlite');
    const server = await startServerProcess({
      args: [join(import.meta.dirname, 'sqlite-server.ts'), '--data-dir', folder],
    });
    const port = Number(server.ready['port']);
    return {
      name: this.name,
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
