import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProxyLoginInput } from '../../contract/service/network.ts';
import type { OwnerId, OwnerProblem } from '../../contract/service/owner.ts';
import type { SignInProof } from '../../contract/service/portal.ts';
import { isMissing } from '../../contract/service/host-state.ts';
import { readState } from '../../core/ledger.ts';
import { listAttention } from '../../core/attention/find-attention.ts';
import { isoInstant, isoInstantOrNull } from '../../core/iso-instant.ts';
import { LifelineReader } from '../../core/lifeline/lifeline-reader.ts';
import { done } from '../../core/result.ts';
import { addOwner, revokeOwner } from '../../core/owner/change-owners.ts';
import { changeSettings } from '../../core/change-settings.ts';
import { moveProblem } from '../../text/cli/cli-vault.ts';
import { noProxyText } from '../../text/service/network-text.ts';
import { ownerProblemText } from '../../text/service/owners.ts';
import { refusalText } from '../../text/service/service-text.ts';
import { writtenHealth } from '../../text/service/store-text.ts';
import { addRoute } from '../http/add-route.ts';
import { passedOnHeader } from '../guard/passed-on.ts';
import { challengeSeconds } from '../guard/known-browsers.ts';
import type { CallOwner } from '../guard/owner-of-call.ts';
import { type PageSignedIn, sessionCookieOf, signInSeconds } from '../guard/portal-sessions.ts';
import { answerRefusal, refuse } from '../http/refuse.ts';
import { mintId, mintToken } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';
import { viewContext } from './credential-handlers.ts';
import { toolObstacle } from './tool-handlers.ts';

/** `/portal/status`, `/portal/settings`, and signing in and out. */
export function addOwnerRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, credentialAgent, sessions, about, publicUrl, network } = context;

  addRoute(app, context, 'portalStatus', async ({ request }) => {
    const counted = await readState(ledger, ({ tokens, ivrs, schedules }) => ({
      tokens: { ...tokens.counts },
      ivrs: ivrs.size,
      ...(schedules.size === 0 ? {} : { schedules: schedules.size }),
    }));
    const team = await context.team?.read();
    const { kind, key } = credentialAgent.vaultStatus();
    const { proxy, certificates } = await network.status();
    return {
      version: about.version,
      base_url: publicUrl(),
      data_dir: about.dataDir,
      command_line: about.commandLine,
      tool_obstacle: toolObstacle(context),
      pid: process.pid,
      started_at: about.startedAt,
      ...counted,
      store: writtenHealth(ledger.look()),
      vault: { kind, ...(key === undefined ? {} : { key }) },
      repairs: [...about.repairs],
      moved_from: context.origin?.movedFrom() ?? null,
      owner: whoAsks(request.owner),
      owners: ledger.state.owners.size,
      proxy,
      certificates,
      ...(team ? { team } : {}),
    };
  });

  addRoute(app, context, 'moveVault', async ({ reply, body }) => {
    const outcome = (await context.moveTokens?.(body.to)) ?? {
      ok: false as const,
      message: moveProblem.ofTeam,
    };
    if (!outcome.ok) return answerRefusal(reply, 'conflict', { message: outcome.message });
    const { kind, key } = credentialAgent.vaultStatus();
    return { moved: outcome.moved, vault: { kind, ...(key === undefined ? {} : { key }) } };
  });

  addRoute(app, context, 'stopService', ({ request, reply }) => {
    const { stop } = context;
    // The owner of another computer. Whoever passed it on would have ended itself for its own.
    const isPassedOn = request.headers[passedOnHeader] !== undefined;
    // A person with a key of their own uses the service of another.
    if (stop !== null && !isPassedOn && whoAsks(request.owner) === null) {
      reply.raw.once('finish', stop);
      return {};
    }
    return answerRefusal(reply, 'conflict', {
      message: stop === null ? refusalText.notStopped : refusalText.notStoppedByOwner,
    });
  });

  addRoute(app, context, 'confirmMove', ({ reply }) => {
    const confirmed = context.origin?.confirm() ?? done(null);
    if (confirmed.ok) return { confirmed: confirmed.value };
    return answerRefusal(reply, 'conflict', { message: confirmed.refusal });
  });

  addRoute(app, context, 'readSettings', async () => readState(ledger, (state) => state.settings));

  addRoute(app, context, 'changeSettings', async ({ reply, body }) => {
    const refusal = network.refusalOf(body);
    if (refusal === null) return ledger.transact((state) => changeSettings(state, body));
    return answerRefusal(reply, 'bad_request', { message: refusal.message });
  });

  addRoute(app, context, 'setProxyLogin', ({ reply, body }) => changeLogin(reply, body));
  addRoute(app, context, 'forgetProxyLogin', ({ reply }) => changeLogin(reply, null));

  addRoute(app, context, 'createSignInLink', ({ request, reply }) => {
    void reply.header('cache-control', 'no-store');
    return {
      url: `${request.arrival.isSecure ? request.arrival.origin : publicUrl()}/?code=${sessions.createCode(request.owner ?? undefined)}`,
      expires_in: signInSeconds,
    };
  });

  addRoute(app, context, 'rememberBrowser', async ({ request, reply, body }) => {
    if (await sessions.remember(request, body.public_key)) return {};
    return answerRefusal(reply, 'bad_request', { message: refusalText.browserNotRemembered });
  });

  addRoute(app, context, 'createSignInChallenge', ({ reply }) => {
    void reply.header('cache-control', 'no-store');
    return { challenge: sessions.createChallenge(), expires_in: challengeSeconds };
  });

  addRoute(app, context, 'signInAgain', ({ request, reply, body }) => {
    const signedIn =
      'key' in body ? signInWithKey(request, reply, body.key) : signInAgain(request, reply, body);
    if (signedIn === null) return null;
    const { name, options } = sessionCookieOf(request);
    void reply.setCookie(name, signedIn.session, options).header('cache-control', 'no-store');
    return { page_code: signedIn.pageCode };
  });

  addRoute(app, context, 'signOut', async ({ request, reply, body }) => {
    const signedOut = await sessions.signOut(request, { allBrowsers: body.all_browsers });
    if (sessions.ownerOf(request) === null) {
      const { name, options } = sessionCookieOf(request);
      void reply.clearCookie(name, options);
    }
    return { signed_out: signedOut };
  });

  addRoute(app, context, 'listSessions', ({ request }) => ({ sessions: sessions.sessionsOf(request) }));

  addRoute(app, context, 'endSession', async ({ request, reply, params }) => {
    if (await sessions.endSession(request, params.id)) return { sessions: sessions.sessionsOf(request) };
    return answerRefusal(reply, 'not_found', { message: refusalText.noSession });
  });

  async function changeLogin(reply: FastifyReply, login: ProxyLoginInput | null) {
    const changed = await network.setLogin(login);
    if (changed.ok) return network.status();
    if (changed.refusal === 'vault') refuse(reply, 'vault_unavailable');
    else refuse(reply, 'conflict', { message: noProxyText });
    return null;
  }

  function signInWithKey(request: FastifyRequest, reply: FastifyReply, key: string): PageSignedIn | null {
    const outcome = sessions.signInWithKey(request, key);
    if ('signedIn' in outcome) return outcome.signedIn;
    const { waitSeconds: retryAfterSeconds } = outcome;
    if (retryAfterSeconds > 0) refuse(reply, 'too_many_sign_ins', { retryAfterSeconds });
    else refuse(reply, 'wrong_owner_key');
    return null;
  }

  function signInAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    proof: SignInProof,
  ): PageSignedIn | null {
    const signedIn = sessions.signInAgain(request, proof);
    if (signedIn === null) sessions.refuseStranger(reply);
    return signedIn;
  }
}

function whoAsks(owner: CallOwner | null): { id: OwnerId; name: string } | null {
  return owner?.owner_id === undefined ? null : { id: owner.owner_id, name: owner.name ?? '' };
}

/** `/portal/owners*`: who else may use everything on this host. */
export function addOwnersRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, sessions } = context;

  addRoute(app, context, 'listOwners', ({ request }) =>
    readState(ledger, ({ owners }) => ({
      owners: Array.from(owners.values(), (owner) => ({
        id: owner.id,
        name: owner.name,
        created_at: isoInstant(owner.createdAtMs),
        last_used_at: isoInstantOrNull(sessions.ownerKeys.lastUsedMs(owner)),
        sessions: sessions.countOf(owner.id),
        is_you: owner.id === request.owner?.owner_id,
      })),
    })),
  );

  addRoute(app, context, 'addOwner', async ({ reply, body }) => {
    const { value: key, digest } = mintToken('owner');
    const id = mintId('own_') as OwnerId;
    const added = await ledger.transact((state, nowMs) =>
      addOwner(state, { id, name: body.name, digest }, nowMs),
    );
    if (!added.ok) return refuseOwner(reply, added.refusal);
    void reply.header('cache-control', 'no-store');
    const { name, createdAtMs } = added.value;
    return { id, name, key, created_at: isoInstant(createdAtMs) };
  });

  addRoute(app, context, 'revokeOwner', async ({ reply, params }) => {
    let ended = 0;
    const revoked = await ledger.transact((state) => {
      const decision = revokeOwner(state, params.name);
      if (decision.value.ok) ended = sessions.countOf(decision.value.value.id);
      return decision;
    });
    if (!revoked.ok) return refuseOwner(reply, revoked.refusal);
    const { id, name } = revoked.value;
    return { id, name, sessions_ended: ended, owners_left: ledger.state.owners.size };
  });
}

function refuseOwner(reply: FastifyReply, problem: OwnerProblem): null {
  return answerRefusal(reply, problem.kind === 'not_found' ? 'not_found' : 'conflict', {
    message: ownerProblemText(problem),
  });
}

/** `/portal/attention`, `/portal/lifeline` and `/portal/hosts`: what the overview shows. */
export function addOverviewRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, credentialAgent, telephony, about } = context;
  const lifeline = new LifelineReader();

  addRoute(app, context, 'readAttention', async () => {
    const team = (await context.team?.read()) ?? null;
    return readState(ledger, (state, nowMs) =>
      listAttention(
        state,
        {
          vault: credentialAgent.vaultStatus(),
          store: writtenHealth(ledger.health()),
          pbxs: telephony.pbxs(),
          repairs: about.repairs,
          movedFrom: context.origin?.movedFrom() ?? null,
          team,
        },
        viewContext(context, nowMs),
      ),
    );
  });

  addRoute(app, context, 'removeHost', async ({ reply, params }) => {
    const host = (await context.team?.read())?.hosts.find(({ id }) => id === params.id);
    if (host === undefined) return answerRefusal(reply, 'not_found', { message: refusalText.noHost });
    if (!isMissing(host))
      return answerRefusal(reply, 'conflict', { message: refusalText.hostRuns(host.address) });
    await context.team?.remove(host.id);
    return {};
  });

  addRoute(app, context, 'readLifeline', async ({ reply }) => {
    const picture = await readState(ledger, (state, nowMs) =>
      lifeline.read(state, credentialAgent.vaultStatus(), viewContext(context, nowMs)),
    );
    // Tens of thousands of small tuples: the serializer made from the schema took ten times as long.
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(picture));
    return null;
  });
}
