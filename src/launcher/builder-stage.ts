type Field = (name: string) => string;

/** What electron-builder logs and what we say instead; `field` reads a `name=value` that stands behind. */
const stages: Readonly<Record<string, (field: Field) => string>> = {
  packaging: () => 'Copying Electron …',
  'searching for node modules': () => 'Collecting what Rotavox needs …',
  'executing @electron/fuses': () => 'Setting the fuses …',
  signing: () => 'Signing …',
  downloading: (field) => `Downloading ${field('label')} …`,
  building: (field) => `Making ${field('file')} …`,
};

/** What a line of electron-builder's log tells a person who waits, or nothing when it is for nobody but its authors. */
export function builderStage(line: string): string | undefined {
  // Message and fields are at least two spaces apart.
  const [, message, fields = ''] = /^\s*• (.+?)(?:\s{2,}(.*))?$/.exec(line) ?? [];
  if (message === undefined || !Object.hasOwn(stages, message)) return undefined;
  return stages[message]?.((name) => new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(fields)?.[1] ?? 'a file');
}
