import { join } from 'node:path';
import { startServerProcess } from '../child-process.ts';
import type { Contender } from '../contender.ts';

export const helloWorld: Contender = {
  name: 'hello-world',
  async start() {
    const server = await startServerProcess({ args: [join(import.meta.dirname, 'hello-world-server.ts')] });
    const token = String(server.ready['token']);
    return {
      name: this.name,
      pid: server.pid,
      port: Number(server.ready['port']),
      issueTokens: (count) => Promise.resolve(Array.from({ length: count }, () => token)),
      close: () => server.close(),
    };
  },
};
