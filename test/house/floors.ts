/**
 * The floors of the house, as a table: which room may import what.
 *
 * This is the one place to change when a room appears or a wall moves. `floor-rules.ts` turns the table into
 * dependency-cruiser rules, `floors.test.ts` holds the house to them, `trespassers.test.ts` tries to break each.
 */

export interface Floor {
  /** Rooms this one may import. */
  readonly rooms: readonly string[];
  /** npm packages this one may import; `any` leaves it to the sole keepers. */
  readonly packages: 'any' | readonly string[];
  /** Whether Node's own modules may be imported: no for what has to run in any runtime or in a window. */
  readonly builtins: boolean;
}

export const floors: Readonly<Record<string, Floor>> = {
  contract: { rooms: [], packages: ['zod'], builtins: false },
  core: { rooms: ['contract'], packages: ['zod', 'tinyqueue'], builtins: false },
  // Every sentence, label and duration that a person reads.
  text: { rooms: ['contract'], packages: [], builtins: false },
  // These three never import each other: they meet in host, through core's ports.
  store: { rooms: ['core', 'contract'], packages: 'any', builtins: true },
  service: { rooms: ['core', 'contract', 'text'], packages: 'any', builtins: true },
  agent: { rooms: ['core', 'contract'], packages: 'any', builtins: true },
  host: { rooms: ['store', 'service', 'agent', 'core', 'contract', 'text'], packages: 'any', builtins: true },
  client: { rooms: ['contract'], packages: 'any', builtins: false },
  cli: { rooms: ['client', 'contract', 'text'], packages: 'any', builtins: true },
  main: { rooms: ['host', 'contract', 'text'], packages: 'any', builtins: true },
  preload: { rooms: ['contract'], packages: ['electron'], builtins: false },
  renderer: { rooms: ['client', 'core', 'contract', 'text'], packages: 'any', builtins: false },
  // Runs from a bare checkout, before anything is built.
  launcher: { rooms: [], packages: [], builtins: true },
};

/** Single files with a door of their own. */
export const doors: readonly { readonly file: string; readonly room: string }[] = [
  { file: 'src/cli/commands/serve.ts', room: 'host' },
  // Checks a menu as the service would, without one: the same function, not a copy of it.
  { file: 'src/cli/commands/ivr-validate.ts', room: 'core' },
  // Calls a menu as the designer does: the same engine.
  { file: 'src/cli/commands/ivr-simulate.ts', room: 'core' },
  // Read and write menus as the window does: the same import, the same exporters.
  { file: 'src/cli/ivr-source.ts', room: 'core' },
  { file: 'src/cli/commands/ivr-export.ts', room: 'core' },
  { file: 'src/cli/commands/ivr-import.ts', room: 'core' },
];

/** Packages with a sole keeper: nobody else imports them, not even their types. A trailing slash means a whole scope. */
export const keepers: readonly {
  readonly packages: readonly string[];
  readonly folders: readonly string[];
}[] = [
  { packages: ['lowdb'], folders: ['src/store'] },
  { packages: ['keytar'], folders: ['src/agent/vault'] },
  { packages: ['fastify', '@fastify/'], folders: ['src/service'] },
  { packages: ['electron'], folders: ['src/main', 'src/preload'] },
  { packages: ['electron-updater'], folders: ['src/main/updates'] },
  { packages: ['@xyflow/'], folders: ['src/renderer/ivr'] },
];
