import type { StoredTarget } from '../../contract/credential.ts';
import type { z } from 'zod';

type Target = z.infer<typeof StoredTarget>;

export const kindWords: Record<Target['kind'], string> = {
  keychain: 'Keychain entry',
  file: 'File',
  dotenv: 'Dotenv file',
  hook: 'Command',
};

/** The place that a target is, on one line: what a person would look for there. */
export function placeWords(target: Target): string {
  switch (target.kind) {
    case 'keychain':
      return `${target.service} / ${target.account}`;
    case 'file':
      return target.path;
    case 'dotenv':
      return `${target.path} (${target.variable})`;
    case 'hook':
      return target.command.map(shownWord).join(' ');
  }
}

/** What stays at a place when no more values are brought there. */
export function staysWords(target: Target): string {
  switch (target.kind) {
    case 'keychain':
      return 'The entry stays in the keychain with the value that it has, which dies with the next rotation.';
    case 'file':
    case 'dotenv':
      return 'The file stays as it is, with the value that it has, which dies with the next rotation.';
    case 'hook':
      return 'What the command did stays; it is not run again.';
  }
}

/** So that where a word begins and ends can be seen. */
function shownWord(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `“${word}”`;
}
