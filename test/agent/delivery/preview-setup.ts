import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { DeliveryOutcome } from '../../../src/agent/delivery/delivery-outcome.ts';
import { type FoundDelivery, previewDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import type { DeliveryProblem } from '../../../src/contract/credential/delivery-problem.ts';
import type { Vault, VaultEntry, VaultKind } from '../../../src/core/vault.ts';
import type { DeliveryContext } from '../../../src/agent/delivery/deliver-to-hook.ts';
import type { OwnPlaces } from '../../../src/agent/delivery/own-places.ts';

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
      const content = contentOf(path, stats);
      return { name, ino, mode, uid, mtimeNs, ctimeNs, size, content };
    });
}

function contentOf(path: string, stats: Stats): string | null {
  if (stats.isFile()) return readFileSync(path, 'latin1');
  return stats.isSymbolicLink() ? readlinkSync(path) : null;
}

/** The context of a delivery, with a vault in memory. */
export function makeContext(differences: Partial<DeliveryContext> = {}): DeliveryContext {
  return {
    credential: 'billing',
    generation: 7,
    vault: makeVault('memory'),
    ownPlaces: nowhere,
    ...differences,
  };
}

/** The own files of a Rotavox without any. */
export const nowhere: OwnPlaces = { dataDir: '/nowhere/at/all', others: [] };

export function makeVault(kind: VaultKind, differences: Partial<Vault> = {}): Vault {
  const values = new Map<string, string>();
  const keyOf = ({ service, account }: VaultEntry): string => JSON.stringify([service, account]);
  return {
    kind,
    read: async (entry) => values.get(keyOf(entry)) ?? null,
    write: async (entry, value) => {
      values.set(keyOf(entry), value);
    },
    remove: async (entry) => {
      values.delete(keyOf(entry));
    },
    contact: async () => undefined,
    ...differences,
  };
}

/** Sets a variable of this process until the test is over. */
export function setEnvironment(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => {
    Reflect.deleteProperty(process.env, name); // assigning undefined would make it 'undefined'
  });
}
