/** The parent's end of the load client: one child, one job at a time, each with a time limit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endChild, startMessageProcess } from './child-process.ts';
import type { LoadAnswer, LoadJob, LoadResult } from './load-client.ts';
import { createScratchFolder, removeScratchFolder } from './scratch-folder.ts';

export interface Load {
  /** Gives the load client the tokens for this name. */
  giveTokens(tokensOf: string, tokens: readonly string[]): void;
  /** Fails if a reply was not 200: a refused request is cheaper than a served one and would favour the server. */
  run(job: Omit<LoadJob, 'id' | 'tokensFile'>): Promise<LoadResult>;
  close(): Promise<void>;
}

export function startLoad(): Load {
  const child = startMessageProcess(join(import.meta.dirname, 'load-client.ts'));
  const scratch = createScratchFolder('load');
  const newTokens = new Map<string, string>();
  const waiting = new Map<number, (answer: LoadAnswer) => void>();
  let jobs = 0;
  child.on('message', (message) => {
    const answer = message as LoadAnswer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once('exit', () => {
    for (const [id, settle] of waiting) settle({ id, failure: 'the load client ended' });
    waiting.clear();
  });
  return {
    giveTokens(tokensOf, tokens) {
      const file = join(scratch, `${String(newTokens.size)}-${String(Date.now())}`);
      writeFileSync(file, tokens.join('\n'));
      newTokens.set(tokensOf, file);
    },
    async run(job) {
      const id = ++jobs;
      const tokensFile = newTokens.get(job.tokensOf);
      newTokens.delete(job.tokensOf);
      const answer = await new Promise<LoadAnswer>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`a round of ${job.tokensOf} did not end within 30 s after its time`));
        }, job.durationMs + 30_000);
        waiting.set(id, (settled) => {
          clearTimeout(timer);
          resolve(settled);
        });
        const full: LoadJob = { ...job, id, ...(tokensFile === undefined ? {} : { tokensFile }) };
        child.send(full);
      });
      if ('failure' in answer) throw new Error(`${job.tokensOf}: ${answer.failure}`);
      if (answer.refused > 0) {
        throw new Error(
          `${job.tokensOf} refused ${String(answer.refused)} requests; the first: ${answer.firstRefusal ?? ''}`,
        );
      }
      return answer;
    },
    async close() {
      await endChild(child, 0);
      removeScratchFolder(scratch);
    },
  };
}
