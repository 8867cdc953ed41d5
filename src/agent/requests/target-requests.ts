import type { CredentialId, DeliveryTarget, TargetId } from '../../contract/credential/credential.ts';
import type { DeliveryPreview } from '../../contract/credential/credential-checks.ts';
import type { DeliveryFinding } from '../../contract/credential/delivery-finding.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import type { CredentialProblem } from '../../contract/credential/rotation-trouble.ts';
import {
  deliversTo,
  holderOfPlace,
  noSuchTarget,
  targetTaken,
} from '../../core/credential/change-credential.ts';
import type { Credential, Target } from '../../core/credential/credential-state.ts';
import { findCredential } from '../../core/credential/find-credential.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { done, refused } from '../../core/result.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import type { OwnPlaces } from '../delivery/own-places.ts';
import type { CredentialPorts, Refresh, Reports } from '../ports.ts';
import { type Answer, waitsForMove, withFresh, withUsable } from './answer-for.ts';
import { deliveredPart } from '../delivery/deliver-token.ts';
import {
  asFileTrouble,
  FileTrouble,
  type VariableRefusal,
  VariableRefused,
} from '../delivery/delivery-outcome.ts';
import { dotenvContentOf, settingProblem, variableProblem } from '../delivery/deliver.ts';
import { findPlace, findRealPath, planReplacement, statPlace } from '../delivery/plan-replacement.ts';
import { previewDelivery } from '../delivery/preview-delivery.ts';
import { settingEditor } from '../delivery/setting/edit-setting.ts';
import { SettingRefused } from '../delivery/setting/setting-source.ts';
import { partsOf } from '../../providers/provider-port.ts';
import { lockKeyOf, readExclusive } from '../run-exclusive.ts';
import { readCurrentToken, type TokenStorage } from '../vault/token-fingerprints.ts';

/** A text in the form of a token, used when the real one cannot be read. */
const standIn = `rvx_${'0'.repeat(43)}`;

interface TargetPorts extends CredentialPorts, Pick<Reports, 'text'> {
  readonly ownPlaces: OwnPlaces;
  readonly refresh: Refresh;
  /** Delivers the current token to a target, unless that is under way already. */
  readonly deliver: (id: CredentialId, target: Target) => Promise<void>;
}

/** Delivers the current token to one target now. Resolves when that is over, whatever the result. */
export function deliverNow(ports: TargetPorts, name: string, targetId: TargetId): Answer<CredentialId> {
  return withFresh(ports, name, async (found) => {
    const target = found.targets.find(({ id }) => id === targetId);
    if (target === undefined) return refused(noSuchTarget(name));
    const waiting = waitsForMove(ports);
    if (waiting !== null) return refused(waiting);
    const usable = await readExclusive(lockKeyOf(found.id), () =>
      withUsable(ports, name, async ({ id }) => done(id)),
    );
    if (usable.ok) await ports.deliver(found.id, target);
    return usable;
  });
}

/**
 * What delivering the current token of a credential to a place would change there.
 *
 * If the token cannot be read, a text of the same form is used, because whether a place can be written to does not depend
 * on the token.
 */
export async function previewTarget(
  ports: TargetPorts,
  name: string,
  target: DeliveryTarget,
): Answer<DeliveryPreview> {
  const { ledger, vault, ownPlaces, clock, text, services } = ports;
  const found = findCredential(ledger.state, name);
  if (!found.ok) return found;
  const { secret, problem: unread } = await readForPreview(ports, found.value);
  const inSecret = secret === null ? null : partsOf(services.providerOf(found.value), secret);
  const token = (inSecret === null ? null : deliveredPart(inSecret, target)) ?? standIn;
  const { unusable } = deriveCredential(ledger.state, found.value, clock());
  const { findings, place, ...preview } = await previewDelivery(target, token, { vault, ownPlaces });
  const obstacles = obstaclesOf(unusable, unread);
  const clash = await clashOf(ledger, found.value, target);
  const all: DeliveryFinding[] = [...clash, ...findings, ...obstacles];
  return done({
    ...preview,
    possible: preview.possible && !clash.some(({ code }) => code === 'target_taken'),
    place: typeof place === 'string' ? place : text.place(place),
    message: text.deliveryFindings(all),
  });
}

/**
 * Refuses a new target whose path can never contain a token, or is a file of another kind than the target says.
 *
 * Problems that may go away (a folder that is missing or not accessible, a full disk) are reported by the delivery.
 */
export async function checkTarget(
  { ownPlaces, ledger }: Pick<TargetPorts, 'ownPlaces' | 'ledger'>,
  name: string,
  target: DeliveryTarget,
): Answer<null> {
  const found = findCredential(ledger.state, name);
  if (!found.ok) return found;
  const [clash] = await clashOf(ledger, found.value, target);
  if (clash?.code === 'target_taken') return refused(targetTaken(clash));
  if (target.kind === 'keychain' || target.kind === 'hook') return done(null);
  const { path } = target;
  try {
    const place = await findPlace(path, ownPlaces);
    await statPlace(place, path, ownPlaces);
    if (target.kind === 'dotenv') {
      await planReplacement(place, path, dotenvContentOf(path, target.variable, standIn), ownPlaces);
    }
    if (target.kind === 'setting') {
      const edit = await settingEditor(target, standIn);
      await planReplacement(place, path, (content) => edit(content).content, ownPlaces);
    }
  } catch (error) {
    if (target.kind === 'setting' && error instanceof SettingRefused) {
      const problem = settingProblem(error, target);
      return refused({ problem: 'bad_request', reason: { code: 'target_impossible', problem } });
    }
    if (target.kind === 'dotenv' && error instanceof VariableRefused) {
      if (!otherFormats.has(error.code)) return done(null);
      const problem = variableProblem(error, path, target.variable);
      return refused({ problem: 'bad_request', reason: { code: 'target_impossible', problem } });
    }
    const trouble = asFileTrouble(error, path);
    if (!(trouble instanceof FileTrouble)) throw trouble;
    if (trouble.isPermanent) {
      const reason = { code: 'target_impossible', problem: trouble.problem } as const;
      return refused({ problem: 'bad_request', reason });
    }
  }
  return done(null);
}

/** Whether a place has a token already, of this credential or of another; also where links lead there. */
async function clashOf(
  { state }: Pick<TargetPorts['ledger'], 'state'>,
  credential: Credential,
  target: DeliveryTarget,
): Promise<readonly { readonly code: 'target_exists' | 'target_taken'; readonly name: string }[]> {
  if (deliversTo(credential, target)) return [{ code: 'target_exists', name: credential.name }];
  // A command may run for any number of credentials: no file has to be read.
  if (target.kind === 'hook') return [];
  const others = [...state.credentials.values()].flatMap(({ targets }) => targets.map((one) => one.target));
  const paths = new Set([target, ...others].flatMap((one) => ('path' in one ? [one.path] : [])));
  const places = new Map(
    await Promise.all([...paths].map(async (path) => [path, await placeOrPath(path)] as const)),
  );
  const holder = holderOfPlace(state, target, (path) => places.get(path) ?? path);
  return holder === null ? [] : [{ code: 'target_taken', name: holder.name }];
}

/** The file behind all links; the path itself where that cannot be found out, which its delivery says. */
async function placeOrPath(path: string): Promise<string> {
  try {
    return await findRealPath(path);
  } catch {
    return path;
  }
}

/** What says that a file is no dotenv file, or that a line of it would lose something. */
const otherFormats: ReadonlySet<VariableRefusal> = new Set([
  'NOT_DOTENV',
  'MORE_ON_LINE',
  'GOES_ON',
  'ENCRYPTED',
]);

/** Why there is no token that could be delivered now; `unread`: why the current one cannot be read. */
function obstaclesOf(unusable: CredentialProblem | null, unread: DeliveryProblem | null): DeliveryFinding[] {
  if (unusable !== null) return [{ code: 'token_unusable', problem: unusable }];
  return unread === null ? [] : [{ code: 'nothing_to_deliver', problem: unread }];
}

async function readForPreview(
  storage: TokenStorage,
  credential: Credential,
): Promise<{ secret: string | null; problem: DeliveryProblem | null }> {
  try {
    const secret = await readExclusive(lockKeyOf(credential.id), () => readCurrentToken(storage, credential));
    return secret === null
      ? { secret, problem: { code: 'no_current_token', name: credential.name } }
      : { secret, problem: null };
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    return { secret: null, problem: { code: 'vault', problem: error.problem } };
  }
}
