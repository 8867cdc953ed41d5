import { parseArgs } from 'node:util';

import { sentenceOf } from './sentence-of.ts';

export type PackOptions =
  | { readonly kind: 'pack'; readonly installers: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'misused'; readonly reason: string };

/** What the arguments of `npm run pack` ask for. */
export function readPackOptions(args: readonly string[]): PackOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        installers: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values.help ? { kind: 'help' } : { kind: 'pack', installers: values.installers };
  } catch (error) {
    return { kind: 'misused', reason: sentenceOf(error) };
  }
}
