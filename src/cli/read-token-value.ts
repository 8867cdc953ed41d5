import { TokenValue } from '../contract/credential.ts';
import { askSecret, canAsk } from './ask-secret.ts';
import { wrongUsage } from './command-failure.ts';
import { readStdinValue } from './read-stdin-value.ts';

/**
 * A token's value for a credential: asked for on a terminal without an echo, else all that comes on stdin.
 *
 * Never an argument, which other programs could read. Throws wrong usage for what cannot be a token, without showing it.
 */
export async function readTokenValue(name: string): Promise<string> {
  const text = canAsk()
    ? await askSecret(`Token value for ${name} (not shown while you type or paste it): `)
    : await readStdinValue();
  if (text.trim() === '') {
    throw wrongUsage(
      `There was no value for ${name}. Pipe it in, or paste it when asked; a value is never an argument.`,
    );
  }
  const value = TokenValue.safeParse(text);
  if (value.success) return value.data;
  throw wrongUsage(`The value ${value.error.issues[0]?.message ?? 'cannot be a token'}.`);
}
