/** What of others is in Rotavox, and under which licence: `licences.json`, made by test/tools/collect-licences.ts. */
export interface Licences {
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    /** An SPDX expression, as the package itself has it. */
    readonly licence: string;
    /** Its place in `texts`; null where the package brings none. */
    readonly text: number | null;
  }[];
  readonly texts: readonly string[];
}

const file = new URL('./licences.json', import.meta.url).href;

/** Read when somebody looks: nobody else needs them. Throws when the service does not answer. */
export async function readLicences(): Promise<Licences> {
  const reply = await fetch(file);
  if (!reply.ok) throw new Error(`The licences could not be read: the service answered ${reply.status}.`);
  return (await reply.json()) as Licences;
}
