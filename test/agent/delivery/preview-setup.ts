import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DeliveryOutcome } from '../../../src/agent/delivery/delivery-outcome.ts';
import { type FoundDelivery, previewDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import type { DeliveryProblem } from '../../../src/contract/credential/delivery-problem.ts';
import type { Vault } from '../../../src/core/vault.ts';
import { makeContext, makeVault } from './make-context.ts';

/** The token to deliver. No preview contains it. */
export const value = 'rvx_TheValueThatComes';
/** The current content of places. */
export const old = 'rvx_TheValueThatWasThere';

export function preview(
  target: DeliveryTarget,
  vault: Vault = makeVault('keychain'),
): Promise<FoundDelivery> {
  return previewDelivery(target, value, makeContext({ vault }));
}

/** The preview of a target in a folder; asserts that it contains no value and leaves the folder unchanged. */
export async function previewIn(folder: string, target: DeliveryTarget): Promise<FoundDelivery> {
  const before = everythingIn(folder);
  const found = await preview(target);
  expect(JSON.stringify(found)).not.toMatch(/rvx_/);
  expect(everythingIn(folder)).toEqual(before);
  return found;
}

/** Why a delivery failed; null if it succeeded. */
export function problemOf(outcome: DeliveryOutcome): DeliveryProblem | null {
  return outcome.ok ? null : outcome.problem;
}

/** Names, kinds, owners, times and contents of everything in a folder. */
function everythingIn(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const { ino, mode, uid, mtimeNs, ctimeNs, size } = lstatSync(path, { bigint: true });
      const stats = lstatSync(path);
      const content = stats.isFile()
        ? readFileSync(path, 'latin1')
        : stats.isSymbolicLink()
          ? readlinkSync(path)
          : null;
      return { name, ino, mode, uid, mtimeNs, ctimeNs, size, content };
    });
}
