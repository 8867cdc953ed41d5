import type { LifelineGeneration, LifelineRowOf } from '../../../src/contract/window/lifeline.ts';

export const dayMs = 86_400_000;
export const noonMs = Date.parse('2026-01-10T12:00:00.000Z');
export const noon = noonMs / 1000;
export const day = 86_400;

/** A credential whose value lives from two days before noon to five after it, and is replaced three days after it. */
export function credentialRow(
  differences: Partial<LifelineRowOf<'credential'>> = {},
): LifelineRowOf<'credential'> {
  return {
    kind: 'credential',
    id: 'cred_a',
    name: 'billing-sync',
    token_name: 'billing-sync',
    needs_attention: false,
    expires_at: new Date(noonMs + 5 * dayMs).toISOString(),
    first_generation: 3,
    generations: [
      [noon - 6 * day, noon - 2 * day, 'superseded'],
      [noon - 2 * day, noon + 5 * day, 'present'],
    ],
    service: 'embedded',
    origin: 'http://127.0.0.1:7682',
    state: 'fine',
    trouble: null,
    paused: null,
    next_rotation_at: new Date(noonMs + 3 * dayMs).toISOString(),
    planned: [noon + 3 * day, noon + 8 * day, noon + 13 * day],
    ...differences,
  };
}

/** An Active token of seven days that nobody keeps fresh, five days old. */
export function familyRow(differences: Partial<LifelineRowOf<'family'>> = {}): LifelineRowOf<'family'> {
  return {
    kind: 'family',
    id: 'fam_a' as LifelineRowOf<'family'>['id'],
    name: 'Old exporter',
    needs_attention: false,
    expires_at: new Date(noonMs + 2 * dayMs).toISOString(),
    first_generation: 1,
    generations: [[noon - 5 * day, noon + 2 * day, 'present']],
    status: 'Active',
    ...differences,
  };
}

/** So many lives of equal length that end at noon, and the present one. */
export function livesOf(count: number, lifeDays: number): LifelineGeneration[] {
  const past = Array.from({ length: count }, (_, place): LifelineGeneration => {
    const until = noon - (count - 1 - place) * lifeDays * day;
    return [until - lifeDays * day, until, 'superseded'];
  });
  return [...past, [noon, noon + lifeDays * day, 'present']];
}
