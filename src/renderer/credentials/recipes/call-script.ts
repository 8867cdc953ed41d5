import { shellWord } from '../../../core/shell-word.ts';

/**
 * The shell's part of a call with a token: prints what the service says.
 *
 * `printf` is the shell's own, and curl reads the header from its standard input (`-H @-`, since 7.55): the value is no
 * argument of anything.
 * `between` is what stands between the two, for a script of several lines.
 */
export function callWith(variable: string, url: string, between = ' '): string {
  return `printf "Authorization: Bearer %s" "$${variable}" |${between}curl -sS -H @- ${shellWord(url)}`;
}
