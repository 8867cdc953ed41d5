import { TokenConfiguration } from '../../../contract/token.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { daysWords } from '../status-words.ts';

export type Setting = keyof TokenConfiguration;

/** Every setting that the contract knows: one that is added there is compared without another line here. */
export const settings = Object.keys(TokenConfiguration.shape) as readonly Setting[];

const names: Record<Setting, string> = {
  name: 'Name',
  category: 'Category',
  validity_days: 'Valid for',
  scopes: 'Scopes',
  ip_restrictions: 'Allowed addresses',
};

export function settingName(setting: Setting): string {
  return names[setting];
}

/** A setting as a person reads it. */
export function settingWords(setting: Setting, configuration: TokenConfiguration): string {
  switch (setting) {
    case 'validity_days':
      return daysWords(configuration.validity_days);
    case 'scopes':
      return configuration.scopes.join(', ') || 'unrestricted';
    case 'ip_restrictions':
      return configuration.ip_restrictions.join(', ') || 'any';
    case 'name':
    case 'category':
      return configuration[setting];
    default:
      return unreachable(setting);
  }
}

/** The settings in which a generation is not what was issued. */
export function differencesBetween(
  issued: TokenConfiguration,
  generation: TokenConfiguration,
): readonly Setting[] {
  return settings.filter(
    (setting) => JSON.stringify(issued[setting]) !== JSON.stringify(generation[setting]),
  );
}

/** What the comparison of generations with the issue has shown, in a sentence for each that differs, or one for all. */
export function verdictOf(
  issued: TokenConfiguration,
  generations: readonly (TokenConfiguration & { readonly generation: number })[],
): { readonly isSame: boolean; readonly sentences: readonly string[] } {
  const different = generations.flatMap((one) => {
    const where = differencesBetween(issued, one).map(settingName);
    return where.length === 0 ? [] : [`Generation ${one.generation} differs in ${listed(where)}.`];
  });
  if (different.length > 0) return { isSame: false, sentences: different };
  const [first, last] = [generations[0]?.generation, generations.at(-1)?.generation];
  const which = first === last ? `generation ${last} has` : `generations ${first} to ${last} have`;
  return { isSame: true, sentences: [`No difference: ${which} exactly what was issued.`] };
}

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
