import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkoutDir } from './checkout.ts';

/**
 * Runs electron-builder in the checkout and prints one line a stage; its full output is shown only if it fails.
 *
 * Throws an Error that says what to do.
 */
export async function runBuilder(
  args: readonly string[],
  { tell, env = {} }: { tell: (line: string) => void; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const builder = findBuilder();
  const child = spawn(process.execPath, [builder, ...args], {
    cwd: checkoutDir,
    env: { ...process.env, ...env, FORCE_COLOR: '0' }, // its lines are parsed
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let unended = '';
  let lastStage: string | undefined;
  const listen = (chunk: string): void => {
    printed += chunk;
    const lines = (unended + chunk).split('\n');
    unended = lines.pop() ?? '';
    for (const line of lines) {
      const stage = builderStage(line);
      if (stage === undefined || stage === lastStage) continue; // a download logs its progress
      tell(stage);
      lastStage = stage;
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
      `Rotavox was not packed: electron-builder ended with ${String(code)}, for the reason above. Fix it and try again.`,
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

export interface Packing {
  /** The folder with the unpacked Electron. */
  readonly distDir: string;
  readonly version: string;
  readonly installers: boolean;
  /** The module that electron-builder calls once Electron is in place. */
  readonly afterExtract: string;
  /** The module that it calls once the app is together. */
  readonly afterPack: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
}

const platformFlags: Partial<Record<NodeJS.Platform, string>> = {
  linux: '--linux',
  darwin: '--mac',
  win32: '--win',
};

/**
 * The arguments for electron-builder's command line; the rest is in electron-builder.yml.
 *
 * For the current platform and processor unless others are given. Never publishes, even if there are tokens in the environment.
 * Throws an Error on a platform that electron-builder does not support.
 */
export function builderArguments({
  distDir,
  version,
  installers,
  afterExtract,
  afterPack,
  platform = process.platform,
  arch = process.arch,
}: Packing): string[] {
  const platformFlag = platformFlags[platform];
  if (platformFlag === undefined)
    throw new Error(`Rotavox can be packed on Linux, macOS and Windows, not on ${platform}.`);
  return [
    platformFlag,
    `--${arch}`,
    ...(installers ? [] : ['--dir']),
    '--publish',
    'never',
    `--config.electronDist=${distDir}`,
    `--config.electronVersion=${version}`,
    `--config.afterExtract=${afterExtract}`,
    `--config.afterPack=${afterPack}`,
    // On another system it would look for programs of Wine, even without a certificate. Name and icon are set all the same.
    ...(platform === 'win32' && process.platform !== 'win32' ? ['--config.win.signExecutable=false'] : []),
  ];
}

type Field = (name: string) => string;

/** The lines of electron-builder's log that are shown, and their text; `field` reads a `name=value` after the message. */
const stages: Readonly<Record<string, (field: Field) => string>> = {
  packaging: () => 'Copying Electron …',
  'searching for node modules': () => 'Collecting what Rotavox needs …',
  'executing @electron/fuses': () => 'Setting the fuses …',
  signing: () => 'Signing …',
  downloading: (field) => `Downloading ${field('label')} …`,
  building: (field) => `Making ${field('file')} …`,
};

/** The text for a line of electron-builder's log; undefined if it is not shown. */
export function builderStage(line: string): string | undefined {
  const [, told = ''] = /^\s*• (\S.*)/.exec(line) ?? [];
  // Message and fields are at least two spaces apart.
  const [message = ''] = told.trimEnd().split(/\s\s/, 1);
  if (!Object.hasOwn(stages, message)) return undefined;
  const fields = told.slice(message.length);
  return stages[message]?.((name) => new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(fields)?.[1] ?? 'a file');
}
