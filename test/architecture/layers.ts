/**
 * The layers of src, as a table: which module may import what.
 *
 * This is the one place to change when a module appears or a wall moves. `find-violations.ts` turns the table into
 * dependency-cruiser rules, `layers.test.ts` holds the source to them, and tries to break each.
 */

export interface Layer {
  /** Rooms this one may import. */
  readonly modules: readonly string[];
  /** npm packages this one may import; `any` leaves it to the sole users. */
  readonly packages: 'any' | readonly string[];
  /** Whether Node's own modules may be imported: no for what has to run in any runtime or in a window. */
  readonly builtins: boolean;
}

export const layers: Readonly<Record<string, Layer>> = {
  contract: { modules: [], packages: ['zod'], builtins: false },
  // Time zones and calendar files (temporal-polyfill, ical.js): see decisions/opening-hours.md.
  core: {
    modules: ['contract'],
    packages: ['zod', 'tinyqueue', 'fflate', 'temporal-polyfill', 'ical.js'],
    builtins: false,
  },
  // Every sentence, label and duration that a person reads.
  text: { modules: ['contract'], packages: [], builtins: false },
  // What every system does in its own way: replacing files, starting and ending programs, who may read a folder.
  system: { modules: [], packages: 'any', builtins: true },
  // How each kind of service is asked; agent and host call them.
  providers: { modules: ['network', 'core', 'contract'], packages: 'any', builtins: true },
  // These four never import each other: they meet in host, through core's ports.
  store: { modules: ['system', 'core', 'contract'], packages: 'any', builtins: true },
  service: { modules: ['network', 'core', 'contract', 'text'], packages: 'any', builtins: true },
  agent: { modules: ['system', 'providers', 'network', 'core', 'contract'], packages: 'any', builtins: true },
  calls: { modules: ['system', 'network', 'core', 'contract'], packages: 'any', builtins: true },
  // What makes audio of texts: host gives it to service as core's port.
  speech: { modules: ['system', 'core', 'contract'], packages: 'any', builtins: true },
  // How connections to other machines are made, for whoever calls one, and how callers are served, for whoever listens.
  network: { modules: ['core', 'contract'], packages: 'any', builtins: true },
  host: {
    modules: [
      'store',
      'service',
      'agent',
      'calls',
      'speech',
      'providers',
      'network',
      'system',
      'core',
      'contract',
      'text',
    ],
    packages: 'any',
    builtins: true,
  },
  client: { modules: ['contract'], packages: 'any', builtins: false },
  cli: { modules: ['system', 'client', 'contract', 'text'], packages: 'any', builtins: true },
  main: { modules: ['system', 'host', 'client', 'contract', 'text'], packages: 'any', builtins: true },
  preload: { modules: ['contract'], packages: ['electron'], builtins: false },
  renderer: { modules: ['client', 'core', 'contract', 'text'], packages: 'any', builtins: false },
  // Runs from a bare checkout, before anything is built.
  launcher: { modules: [], packages: ['fflate', 'resedit'], builtins: true },
};

/**
 * What is known of each kind of service, as data. Every module may import the catalogue, apart from the launcher; so the catalogue and
 * the files that it is made of import nothing but each other and the contract.
 */
export const catalogue = {
  file: 'src/providers/catalogue.ts',
  closedTo: ['launcher'],
  /** As a pattern: the catalogue, and in each folder the facts, the words and the services that are known by name. */
  parts: '^src/providers/(catalogue|[a-z0-9-]+/(facts|words|[a-z0-9]+-services))\\.ts$',
  imports: 'contract',
} as const;

/** Single files with a exception of their own. */
export const exceptions: readonly { readonly file: string; readonly module: string }[] = [
  { file: 'src/cli/commands/serve.ts', module: 'host' },
  // Compares what is wrong with what was reported before: the rules of what is wrong exist once.
  { file: 'src/main/notices/decide-notices.ts', module: 'core' },
  // Looks at what the host looks at.
  { file: 'src/cli/examine-machine.ts', module: 'host' },
  // Where the desktop app writes what it prints.
  { file: 'src/cli/start-app.ts', module: 'host' },
  // Knows a refusal of the host, for all commands that do its work.
  { file: 'src/cli/command-failure.ts', module: 'host' },
  { file: 'src/cli/chosen-network.ts', module: 'host' },
  // Reads, copies and replaces whole data folders, as a host does, where none runs.
  { file: 'src/cli/commands/data-commands.ts', module: 'host' },
  // It holds the data folder, or leads the team, while a passphrase is changed, as a host does.
  { file: 'src/cli/commands/vault-commands.ts', module: 'host' },
  // Reads the keys for team hosts from the keychain, as the desktop app does.
  { file: 'src/cli/connect-team-host.ts', module: 'host' },
  // Reaches hosts on other machines as the service reaches services.
  { file: 'src/cli/fetch-of-command.ts', module: 'network' },
  // Tests a provider file as the program does when it starts, without one that runs.
  { file: 'src/cli/commands/provider-commands.ts', module: 'host' },
  // Shows commands as the service does: the same decision.
  { file: 'src/cli/own-command.ts', module: 'host' },
  // Checks a menu as the service would, without one, and calls it as the designer does: the same functions, not a copy of them.
  { file: 'src/cli/commands/ivr-check.ts', module: 'core' },
  // Reads an address as the service does, before it is asked: the setting is shown first.
  { file: 'src/cli/connect/connect-tool.ts', module: 'core' },
  // Refuses the addresses that the window refuses.
  { file: 'src/cli/connect/usable-place.ts', module: 'core' },
  // Reads the values of a file as a target writes them.
  { file: 'src/cli/import/file-values.ts', module: 'agent' },
  // Reads when a token expires as the service does.
  { file: 'src/cli/import/end-in-token.ts', module: 'providers' },
  // Find and plan tokens by the rules of their own: which values are tokens, and what becomes of each.
  { file: 'src/cli/import/read-token-file.ts', module: 'core' },
  { file: 'src/cli/import/known-tokens.ts', module: 'core' },
  { file: 'src/cli/import/take-in.ts', module: 'core' },
  { file: 'src/cli/commands/credential-import.ts', module: 'core' },
  { file: 'src/cli/commands/credential-find.ts', module: 'core' },
  // Read and write menus as the window does: the same import, the same exporters.
  { file: 'src/cli/ivr-source.ts', module: 'core' },
  { file: 'src/cli/commands/ivr-exchange.ts', module: 'core' },
  // Converts audio for telephones as calls do.
  { file: 'src/cli/audio-for-telephones.ts', module: 'calls' },
];

/** Packages that one folder alone imports, their types too. A trailing slash means a whole scope. */
export const soleUsers: readonly {
  readonly packages: readonly string[];
  readonly folders: readonly string[];
}[] = [
  { packages: ['lowdb'], folders: ['src/store'] },
  { packages: ['pg'], folders: ['src/store'] },
  { packages: ['cross-spawn'], folders: ['src/system'] },
  { packages: ['keytar'], folders: ['src/agent/vault'] },
  { packages: ['age-encryption', '@noble/'], folders: ['src/host/backup'] },
  { packages: ['modern-tar'], folders: ['src/host/backup', 'src/speech'] },
  { packages: ['fastify', '@fastify/'], folders: ['src/service'] },
  { packages: ['prom-client'], folders: ['src/service'] },
  { packages: ['@bjorn3/'], folders: ['src/speech'] },
  { packages: ['electron'], folders: ['src/main', 'src/preload'] },
  { packages: ['@xyflow/'], folders: ['src/renderer/ivr'] },
];
