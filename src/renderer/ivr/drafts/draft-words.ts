import type { Publication } from '../../../contract/ivr-draft.ts';

/** Where a draft is published and in which version, the one published last first. */
export function publishedWords(publications: readonly Publication[]): string {
  const whole = publications
    .filter(({ version }) => version !== null)
    .sort((one, other) => (other.published_at ?? '').localeCompare(one.published_at ?? ''));
  const [newest, ...others] = whole;
  if (newest === undefined) return 'Not published';
  const where = newest.credential === null ? 'here' : `with ${newest.credential}`;
  const more =
    others.length === 0
      ? ''
      : `, and at ${others.length === 1 ? 'one more place' : `${others.length} more places`}`;
  return `Version ${newest.version} published ${where}${more}`;
}
