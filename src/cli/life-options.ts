import type { Command } from 'commander';
import { ReplaceValue } from '../contract/credential.ts';
import { numberIn, valueOf } from './option-values.ts';

/** How long a value that a person brings lives, as options of a command. */
export interface LifeOptions {
  readonly validity?: number;
  readonly expiresAt?: string;
}

const { validity_days: validityDays, expires_at: expiresAt } = ReplaceValue.shape;

/** Adds the options for where the service does not tell how long a value lives. */
export function addLifeOptions(command: Command): Command {
  return command
    .option(
      '--validity <days>',
      'validity in days, where the service does not tell it',
      valueOf(validityDays, numberIn),
    )
    .option(
      '--expires-at <instant>',
      'when this value expires, where the service does not tell it',
      valueOf(expiresAt),
    );
}

/** The same in the words of the contract. */
export function lifeFields({
  validity,
  expiresAt: end,
}: LifeOptions): Pick<ReplaceValue, 'validity_days' | 'expires_at'> {
  return {
    ...(validity === undefined ? {} : { validity_days: validity }),
    ...(end === undefined ? {} : { expires_at: end }),
  };
}
