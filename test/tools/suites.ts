/**
 * The vitest suites, in the order they run. `vitest.config.ts` and the test command both read this table, and the
 * architecture test refuses a test file that no suite would run.
 */
export interface Suite {
  readonly name: string;
  /** Folders of test/; they mirror those of src/. */
  readonly folders: readonly string[];
  /** Set for its tests. */
  readonly environment: Readonly<Record<string, string>>;
  /** Time for one test and one hook. Tests assert no times: this only ends what hangs. */
  readonly testTimeoutMs: number;
  /** Time for the whole suite. */
  readonly suiteTimeoutMs: number;
  /** Whether it runs with the long proofs (`npm run test:long`) and not with the test command. */
  readonly isLong: boolean;
  /** Whether it talks to a real keychain, so that on Linux it needs a session with one. */
  readonly keychain: boolean;
  /** Whether it calls menus on a real Asterisk, which comes from Debian's packages. */
  readonly asterisk: boolean;
  /** Whether it starts a PostgreSQL, which comes from Debian's packages where it is not installed. */
  readonly postgres: boolean;
  /** Whether it starts the program as it is shipped, so that this is built first. */
  readonly built: boolean;
}

const second = 1_000;
const minute = 60 * second;

export const suites: readonly Suite[] = [
  suite('architecture', { folders: ['architecture'], testTimeoutMs: minute }),
  suite('core', { folders: ['core', 'contract', 'text'], testTimeoutMs: minute }),
  suite('store', { testTimeoutMs: 30 * second }),
  suite('service', { testTimeoutMs: minute }),
  // The attacks again, at an address for other machines.
  suite('tls', {
    folders: ['service/attacks'],
    environment: { ROTAVOX_TEST_OVER_TLS: '1' },
    isLong: true,
    testTimeoutMs: minute,
  }),
  suite('agent', { keychain: true, built: true, testTimeoutMs: minute }),
  suite('network', { testTimeoutMs: minute }),
  suite('calls', { asterisk: true, testTimeoutMs: minute }),
  // The shells around the host have too few tests for suites of their own.
  suite('host', {
    folders: ['host', 'main', 'preload', 'launcher'],
    built: true,
    testTimeoutMs: minute,
  }),
  suite('cli', { built: true, testTimeoutMs: minute }),
  suite('client', { folders: ['client', 'renderer'], built: true }),
  suite('team', { built: true, postgres: true, testTimeoutMs: minute, suiteTimeoutMs: 20 * minute }),
  suite('chaos', { built: true, testTimeoutMs: 5 * minute, suiteTimeoutMs: 20 * minute }),
  // Hosts of a team that are killed, paused and cut off, and a database that fails.
  suite('faults', {
    isLong: true,
    built: true,
    postgres: true,
    testTimeoutMs: 15 * minute,
    suiteTimeoutMs: 20 * minute,
  }),
  suite('long', {
    isLong: true,
    built: true,
    keychain: true,
    asterisk: true,
    postgres: true,
    testTimeoutMs: 15 * minute,
    suiteTimeoutMs: 30 * minute,
  }),
];

export function suiteNamed(name: string): Suite {
  const found = suites.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no suite ${name}`);
  return found;
}

function suite(name: string, differences: Partial<Suite>): Suite {
  const usual = {
    folders: [name],
    environment: {},
    testTimeoutMs: 10 * second,
    suiteTimeoutMs: 10 * minute,
    isLong: false,
    keychain: false,
    asterisk: false,
    postgres: false,
    built: false,
  };
  return { name, ...usual, ...differences };
}
