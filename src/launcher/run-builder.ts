import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { builderStage } from './builder-stage.ts';
import { checkoutDir } from './checkout.ts';

/**
 * Runs electron-builder in the checkout and tells one line a stage; all it printed is shown only when it fails.
 *
 * Throws an Error that says what to do.
 */
export async function runBuilder(
  args: readonly string[],
  { tell }: { tell: (line: string) => void },
): Promise<void> {
  const builder = findBuilder();
  const child = spawn(process.execPath, [builder, ...args], {
    cwd: checkoutDir,
    env: { ...process.env, FORCE_COLOR: '0' }, // we read its lines
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let unended = '';
  let told: string | undefined;
  const listen = (chunk: string): void => {
    printed += chunk;
    const lines = (unended + chunk).split('\n');
    unended = lines.pop() ?? '';
    for (const line of lines) {
      const stage = builderStage(line);
      if (stage === undefined || stage === told) continue; // a download logs its progress
      tell(stage);
      told = stage;
    }
  };
  child.stdout.setEncoding('utf8').on('data', listen);
  child.stderr.setEncoding('utf8').on('data', listen);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    tell(printed.trimEnd());
    throw new Error(
      `Rotavox was not packed: electron-builder ended with ${String(code)}, for the reason above. Mend it and try again.`,
    );
  }
}

function findBuilder(): string {
  try {
    return fileURLToPath(import.meta.resolve('electron-builder/cli.js'));
  } catch (cause) {
    throw new Error(
      `Rotavox cannot be packed: its dependencies are not installed in ${checkoutDir}. Run: npm ci`,
      { cause },
    );
  }
}
