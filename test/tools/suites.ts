/**
 * A desktop with a keychain, which Linux gets for the run; an Asterisk, from Debian's packages; a PostgreSQL, from Debian's
 * package where none is installed.
 */
export type Need = 'desktop' | 'asterisk' | 'postgres';

/**
 * The vitest suites, in the order they run. `vitest.config.ts` and the test command both read this table, and the
 * architecture test refuses a test file that no suite would run.
 */
export interface Suite {
  readonly name: string;
  /** Folders of test/; they mirror those of src/. */
  readonly folders: readonly string[];
  /** Files of those folders that it leaves to the other suites with them. */
  readonly without: readonly string[];
  /** Set for its tests. */
  readonly environment: Readonly<Record<string, string>>;
  /** Time for one test and one hook. Tests assert no times: this only ends what hangs. */
  readonly testTimeoutMs: number;
  /** Time for the whole suite. */
  readonly suiteTimeoutMs: number;
  /** Whether it runs with the long proofs (`npm run test:long`) and not with the test command. */
  readonly isLong: boolean;
  /** Whether it runs only where it is named: `npm test -- whole`. */
  readonly isOnRequest: boolean;
  /** Whether no other step may run beside it: it measures, or keeps every core busy. */
  readonly alone: boolean;
  /** How many of its files run at a time; null: as many as this machine has cores for. */
  readonly filesAtATime: number | null;
  /** What has to be on the machine for it. */
  readonly needs: readonly Need[];
  /** Whether it starts the program as it is shipped, so that this is built first. */
  readonly built: boolean;
}

const minute = 60_000;

/** Within a test, the longest wait for something to be so. It only ends what hangs. */
export const waitLimitMs = 20_000;

/**
 * The tag of a test that takes longer than a person should wait for: the long proofs run it. Each has a test of its kind
 * without the tag.
 */
export const longTag = 'long';

export const suites: readonly Suite[] = [
  suite('architecture', { folders: ['architecture'] }),
  suite('core', { folders: ['core', 'contract', 'text'] }),
  suite('store'),
  suite('service'),
  // The attacks again, at an address for other machines; but for those that choose their address themselves, or need none.
  suite('tls', {
    folders: ['service/attacks'],
    without: ['listeners', 'fuzz-routes', 'credential-races'].map((name) => `service/attacks/${name}`),
    environment: { ROTAVOX_TEST_OVER_TLS: '1' },
    isLong: true,
  }),
  // What the agent asks of services is tested with the agent.
  suite('agent', { folders: ['agent', 'providers'], needs: ['desktop'], built: true }),
  suite('calls', { needs: ['asterisk'] }),
  suite('speech'),
  // The shells around the host have too few tests for suites of their own.
  suite('host', {
    folders: ['host', 'main', 'preload', 'launcher', 'network', 'system'],
    built: true,
  }),
  suite('cli', { built: true }),
  suite('client', { folders: ['client', 'renderer'], built: true }),
  suite('team', { built: true, needs: ['postgres'], suiteTimeoutMs: 20 * minute }),
  suite('chaos', { built: true, testTimeoutMs: 5 * minute, suiteTimeoutMs: 20 * minute }),
  // Hosts of a team that are killed, paused and cut off, and a database that fails.
  suite('faults', {
    isLong: true,
    built: true,
    needs: ['postgres'],
    testTimeoutMs: 15 * minute,
    suiteTimeoutMs: 20 * minute,
  }),
  suite('long', {
    isLong: true,
    alone: true,
    // Nothing runs beside it, and each waits for networks, disks, leases and callers in half of its time.
    filesAtATime: 3,
    built: true,
    needs: ['desktop', 'asterisk', 'postgres'],
    testTimeoutMs: 15 * minute,
    suiteTimeoutMs: 40 * minute,
  }),
  // The whole test command, on a bare machine.
  suite('whole', {
    isLong: true,
    isOnRequest: true,
    // On a slow machine it installs packages and runs all of that for more than an hour.
    testTimeoutMs: 115 * minute,
    suiteTimeoutMs: 120 * minute,
  }),
];

export function suiteNamed(name: string): Suite {
  const found = suites.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no suite ${name}`);
  return found;
}

function suite(name: string, differences: Partial<Suite> = {}): Suite {
  const usual = {
    folders: [name],
    without: [],
    environment: {},
    testTimeoutMs: minute,
    suiteTimeoutMs: 10 * minute,
    isLong: false,
    isOnRequest: false,
    alone: false,
    filesAtATime: null,
    needs: [],
    built: false,
  };
  return { name, ...usual, ...differences };
}
