import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { CredentialId, ReplaceValue, TargetId } from '../../contract/credential/credential.ts';
import type { FamilyId, TokenId } from '../../contract/token/token.ts';
import { readUse, useHeader } from '../../contract/credential/use-header.ts';
import {
  addTarget,
  changeHelper,
  changePolicy,
  pauseCredential,
  removeTarget,
  resumeCredential,
} from '../../core/credential/change-credential.ts';
import { remindOnly } from '../../core/credential/check-credential.ts';
import {
  type CredentialRefusal,
  findCredential,
  listCredentials,
} from '../../core/credential/find-credential.ts';
import { familyOf, type ViewContext, viewCredential } from '../../core/credential/view-credential.ts';
import { selectionOf } from '../../core/history/choose-events.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { type Decision, type Ledger, readState } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { State } from '../../core/state.ts';
import { issueToken } from '../../core/token/issue-token.ts';
import { moveToken } from '../../core/token/move-token.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { invariant } from '../../core/unreachable.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import { credentialProblemText } from '../../text/credential/credentials.ts';
import { providerViews } from '../../text/credential/providers.ts';
import { notKeptReason, uncertainTokenNote } from '../../text/service/service-text.ts';
import { addRoutes } from '../http/add-route.ts';
import { answerCredential, refuseCredential } from '../http/refuse.ts';
import { mintId, mintToken } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './history-routes.ts';
import { inTime } from './in-time.ts';

/** How long the answer about a vault waits for its first sign, in milliseconds. */
const vaultLimitMs = 2_000;

/** `/portal/credentials*`: credentials, their tokens and their targets. */
export function addCredentialRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, credentialAgent, uses } = context;

  addRoutes(app, context, {
    listCredentials: async ({ query }) => {
      // Asked about the vault alone: somebody is about to store a token. A later change comes by the event stream.
      if (query.ids === '') await inTime(credentialAgent.contactVault(), vaultLimitMs);
      return {
        credentials: await readState(ledger, (state, nowMs) =>
          listCredentials(state, viewContext(context, nowMs), {
            ids: query.ids?.split(','),
            isPlanned: query.planned !== 'false',
          }),
        ),
        vault: credentialAgent.vaultStatus(),
      };
    },
    listProviders: () => ({ providers: providerViews() }),
    reloadProviders: () => context.providerFiles.reload(),
    addCredential: async ({ body, reply }) =>
      show(await credentialAgent.add(mintId('cred_') as CredentialId, body), reply),
    readCredential: async ({ params, reply }) => show(await findId(ledger, params.name), reply),
    credentialHistory: async ({ params, query, reply }) => {
      const found = await findId(ledger, params.name);
      if (!found.ok) return refuseCredential(reply, found.refusal);
      return pageOf(query, (filter) =>
        ledger.history({ ...filter, ...selectionOf(query), subject: found.value }),
      );
    },
    readCredentialValue: async ({ params, request, reply }) => {
      const value = await credentialAgent.valueOf(params.name);
      if (!value.ok) return refuseCredential(reply, value.refusal);
      const view = await show(await findId(ledger, params.name), reply);
      if (view === null) return null;
      void reply.header('cache-control', 'no-store');
      const { id, name, generation, expires_at } = view;
      const { has, ...use } = readUse(usesSaid(request));
      if (has !== generation && request.method === 'GET')
        uses.addHandout(id, { ...use, generation, at: isoInstant(context.clock()) });
      const note = noteOf(view);
      return { name, value: value.value, generation, expires_at, ...(note === null ? {} : { note }) };
    },
    replaceCredentialValue: async ({ params, body, reply }) =>
      show(await credentialAgent.replaceValue(params.name, body, 'pasted'), reply),
    setStandbyToken: async ({ params, body, reply }) =>
      show(await credentialAgent.setStandby(params.name, body), reply),
    removeStandbyToken: async ({ params, reply }) =>
      show(await credentialAgent.setStandby(params.name, null), reply),
    rotateCredential: async ({ params, reply }) => show(await credentialAgent.rotateNow(params.name), reply),
    reissueCredential: async ({ params, reply }) => {
      const issued = await reissue(params.name);
      if (!issued.ok) return refuseCredential(reply, issued.refusal);
      const { tokenId, ...replacement } = issued.value;
      const kept = await credentialAgent.replaceValue(params.name, replacement, 'reissued');
      if (!kept.ok) await forsake(tokenId);
      return show(kept, reply);
    },
    pauseCredential: async ({ params, body, reply }) => {
      const untilMs = body?.until === undefined ? null : Date.parse(body.until);
      return change(reply, (state, nowMs) => pauseCredential(state, params.name, untilMs, nowMs));
    },
    resumeCredential: async ({ params, reply }) =>
      change(reply, (state) => resumeCredential(state, params.name)),
    remindOnly: async ({ params, reply }) => change(reply, (state) => remindOnly(state, params.name)),
    changeCredentialPolicy: async ({ params, body, reply }) =>
      change(reply, (state) => changePolicy(state, params.name, body)),
    changeCredentialHelper: async ({ params, body, reply }) =>
      change(reply, (state) => changeHelper(state, params.name, body, context.publicUrl())),
    setClientCertificate: async ({ params, body, reply }) =>
      show(await credentialAgent.setClientCertificate(params.name, body), reply),
    removeClientCertificate: async ({ params, reply }) =>
      show(await credentialAgent.setClientCertificate(params.name, null), reply),
    endCredential: async ({ params, reply }) =>
      answerCredential(reply, await credentialAgent.end(params.name)),
    removeCredential: async ({ params, reply }) => {
      const removed = await credentialAgent.remove(params.name);
      if (!removed.ok) return refuseCredential(reply, removed.refusal);
      const { message } = removed.value;
      return { success: true as const, ...(message === null ? {} : { message }) };
    },
    addTarget: async ({ params, body, reply }) => {
      const checked = await credentialAgent.checkTarget(params.name, body);
      if (!checked.ok) return refuseCredential(reply, checked.refusal);
      const id = mintId('tgt_') as TargetId;
      const added = await ledger.transact((state) => addTarget(state, params.name, id, body));
      if (!added.ok) return refuseCredential(reply, added.refusal);
      const delivered = await credentialAgent.deliverNow(params.name, id);
      // The target was added; if the token does not work, delivery waits for the next token, and if the data may also be in use
      // elsewhere, for the confirmation that they are not.
      const isOwed =
        !delivered.ok &&
        (delivered.refusal.problem === 'token_unusable' || delivered.refusal.problem === 'data_moved');
      return show(isOwed ? added : delivered, reply);
    },
    deliverTarget: async ({ params, reply }) =>
      show(await credentialAgent.deliverNow(params.name, params.target_id as TargetId), reply),
    removeTarget: async ({ params, reply }) =>
      change(reply, (state) => removeTarget(state, params.name, params.target_id)),
  });

  addCredentialCheckRoutes(app, context);

  /** The outcome of a request: the credential as it is now, or why not. */
  function show(
    outcome: Result<CredentialId, CredentialRefusal>,
    reply: FastifyReply,
  ): Promise<CredentialView | null> {
    return showCredential(reply, ledger, outcome, (state, credential, nowMs) =>
      viewCredential(state, credential, viewContext(context, nowMs)),
    );
  }

  async function change(
    reply: FastifyReply,
    decide: (state: State, nowMs: number) => Decision<Result<CredentialId, CredentialRefusal>>,
  ): Promise<CredentialView | null> {
    return show(await ledger.transact(decide), reply);
  }

  /** A new token with the settings of the one that a credential has lost: in a new family, with full validity. */
  async function reissue(name: string): Promise<Result<ReissuedValue, CredentialRefusal>> {
    const { value, digest } = mintToken('api');
    const familyId = mintId('fam_') as FamilyId;
    return ledger.transact<Result<ReissuedValue, CredentialRefusal>>((state, nowMs) => {
      const found = findCredential(state, name);
      if (!found.ok) return { events: [], value: found };
      const family = familyOf(state, found.value);
      if (family === undefined) return { events: [], value: refused(notIssuedHere(name)) };
      const { configuration } = family;
      const issued = issueToken({ familyId, digest, configuration, expiresAtMs: null }, nowMs);
      invariant(issued.value.ok, 'the settings of a family make a token');
      const { validity_days } = configuration;
      const expires_at = isoInstant(nowMs + validity_days * dayMs);
      const tokenId = issued.value.value;
      return { events: issued.events, value: done({ tokenId, value, validity_days, expires_at }) };
    });
  }

  /** Blacklists a token that was issued for a credential but could not be stored, because its value is lost. */
  async function forsake(tokenId: TokenId): Promise<void> {
    const command = {
      tokenId,
      move: 'blacklist',
      reason: notKeptReason,
    } as const;
    await ledger.transact((state, nowMs) => moveToken(state, command, nowMs));
  }
}

/** What the caller says of the use of a token that it reads. */
function usesSaid({ headers }: FastifyRequest): string | undefined {
  const said = headers[useHeader];
  return typeof said === 'string' ? said : undefined;
}

/** The id of a credential: its name may be changed before the answer is made. */
export function findId(ledger: Ledger, name: string): Promise<Result<CredentialId, CredentialRefusal>> {
  return readState(ledger, (state) => {
    const found = findCredential(state, name);
    return found.ok ? done(found.value.id) : found;
  });
}

/** The answer to a request about a credential: what `view` makes of it now, or why it was refused. */
export async function showCredential<T>(
  reply: FastifyReply,
  ledger: Ledger,
  outcome: Result<CredentialId, CredentialRefusal>,
  view: (state: State, credential: Credential, nowMs: number) => T,
): Promise<T | null> {
  if (!outcome.ok) return refuseCredential(reply, outcome.refusal);
  const shown = await readState(ledger, (state, nowMs) => {
    const credential = state.credentials.get(outcome.value);
    return credential === undefined ? null : view(state, credential, nowMs);
  });
  return shown ?? refuseCredential(reply, removedMeanwhile);
}

export const removedMeanwhile = { problem: 'not_found', reason: { code: 'removed_meanwhile' } } as const;

/** A note for a token that may not work but is returned anyway. */
function noteOf({ trouble, rotation, provider }: CredentialView): string | null {
  // A renewal that fails leaves the same token.
  const mayBeReplaced = rotation !== null && providerFacts(provider.id).traits.shape !== 'renew';
  if (trouble === null || (!mayBeReplaced && trouble.kind !== 'refused')) return null;
  return uncertainTokenNote(trouble.message);
}

/** Includes the expiry, because the agent may be unable to ask this service for it. */
interface ReissuedValue extends ReplaceValue {
  readonly tokenId: TokenId;
}

function notIssuedHere(name: string): CredentialRefusal {
  return { problem: 'conflict', reason: { code: 'not_issued_here', name } };
}

const noSuchSignIn: CredentialRefusal = { problem: 'not_found', reason: { code: 'no_such_sign_in' } };

/** Sign-ins, and checks before a change: whether a token works, what a delivery would change. */
function addCredentialCheckRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { credentialAgent } = context;

  addRoutes(app, context, {
    startSignIn: async ({ body, reply }) =>
      answerCredential(reply, await credentialAgent.startSignIn(mintId('cred_') as CredentialId, body)),
    readSignIn: async ({ params, reply }) =>
      credentialAgent.signIn(params.id) ?? refuseCredential(reply, noSuchSignIn),
    cancelSignIn: async ({ params, reply }) =>
      credentialAgent.cancelSignIn(params.id) ?? refuseCredential(reply, noSuchSignIn),
    testCredential: async ({ params, reply }) =>
      answerCredential(reply, await credentialAgent.testCredential(params.name)),
    changeCredentialAddress: async ({ params, body, reply }) =>
      answerCredential(reply, await credentialAgent.changeAddress(params.name, body)),
    testConnection: ({ body }) => credentialAgent.testConnection(body),
    previewTarget: async ({ params, body, reply }) =>
      answerCredential(reply, await credentialAgent.previewTarget(params.name, body)),
  });
}

/** Credentials as the owner sees them at an instant. */
export function viewContext(
  { credentialAgent, zone, publicUrl }: ServiceContext,
  nowMs: number,
): ViewContext {
  return { nowMs, zone, embeddedUrl: publicUrl(), describe: credentialProblemText, agent: credentialAgent };
}
