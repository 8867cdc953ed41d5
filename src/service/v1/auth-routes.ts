import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  rotatedMessage,
  type RotateReply,
  ValidityHeader,
  validityHeader,
} from '../../contract/token/token.ts';
import { refreshToken, rotateToken, type Rotation } from '../../core/token/rotate-token.ts';
import { addRoute } from '../http/add-route.ts';
import { healthOf } from '../host-health.ts';
import { answerRefusal } from '../http/refuse.ts';
import { openReply, sealReply } from '../secrets/sealed-reply.ts';
import { digestOf, mintToken } from '../secrets/token-value.ts';
import { baseUrlOf, type ServiceContext } from '../service-context.ts';

/** `/v1/auth/*`: the calls that a token makes for itself (spec sections 4.1 and 4.3). */
export function addAuthRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { gate, replayKeys } = context;

  addRoute(app, context, 'rotateToken', async ({ request, reply }) => {
    const caller = gate.callerOf(request);
    if (caller === null) {
      gate.refuseUnknown(request, reply);
      return null;
    }
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    const keyDigest = idempotencyKey === undefined ? null : digestOf(idempotencyKey);
    const outcome = await gate.decide<Rotation>(caller, (state, nowMs) =>
      rotateToken(
        state,
        {
          presented: caller.presented,
          keyDigest,
          mostDays: ValidityHeader.optional().parse(request.headers[validityHeader]),
          actorFor: caller.actorFor,
          isUseOwed: (tokenId) => gate.isUseOwed(tokenId),
          mint() {
            const minted = mintToken('api');
            if (keyDigest === null) return minted;
            const { epoch, key } = replayKeys.current();
            const sealedReply = sealReply(minted.value, caller.value, key);
            return { ...minted, replay: { keyDigest, sealedReply, keyEpoch: epoch } };
          },
        },
        nowMs,
      ),
    );
    if (!outcome.ok) {
      gate.refuseCaller(caller, reply, outcome.refusal);
      return null;
    }
    const rotation = outcome.value;
    if (rotation.kind === 'rotated') {
      return noStore(reply, rotateReply(rotation.value, rotation.validityDays));
    }
    const epochKey = replayKeys.get(rotation.replay.keyEpoch);
    const value =
      epochKey === undefined ? null : openReply(rotation.replay.sealedReply, caller.value, epochKey);
    if (value === null) {
      gate.refuseCaller(caller, reply, { problem: 'token_invalid' });
      return null;
    }
    void reply.header('idempotency-replayed', 'true');
    return noStore(reply, rotateReply(value, rotation.validityDays));
  });

  addRoute(app, context, 'refreshToken', async ({ request, reply }) => {
    const admitted = await gate.admit(request, reply, undefined, (bearer, actor, _state, nowMs) =>
      refreshToken(bearer, { actor, mint: () => mintToken('access') }, nowMs),
    );
    if (admitted === null) return null;
    return noStore(reply, {
      success: true as const,
      access_token: admitted.value.accessToken,
      token_type: 'bearer' as const,
      expires_in: admitted.value.validSeconds,
    });
  });

  addRoute(app, context, 'readSelf', async ({ request, reply }) => {
    const admitted = await gate.admit(request, reply, undefined, (bearer) => ({ events: [], value: bearer }));
    if (admitted === null) return null;
    const { token, family, access } = admitted.value;
    const { createdAtMs, expiresAtMs } = access ?? token;
    return noStore(reply, {
      ...family.configuration,
      status: 'Active' as const,
      created_at: new Date(createdAtMs).toISOString(),
      expires_at: new Date(Math.min(expiresAtMs, token.expiresAtMs)).toISOString(),
    });
  });

  addRoute(app, context, 'health', ({ query: { challenge } }) => {
    const key = context.sessions.portalKey;
    const asked = challenge === undefined ? null : { challenge, key, baseUrl: baseUrlOf(app) };
    return healthOf(context.about.version, context.readHost(), asked);
  });

  addRoute(app, context, 'ready', ({ reply }) => {
    const isWritable = context.ledger.look().status === 'ok';
    if (isWritable && context.readHost().isReady) return { status: 'ready' as const };
    return answerRefusal(reply, 'not_ready', { retryAfterSeconds: 1 });
  });
}

function rotateReply(value: string, validityDays: number): RotateReply {
  return {
    success: true,
    message: rotatedMessage,
    access_token: value,
    token_type: 'bearer',
    validity_days: validityDays,
  };
}

function noStore<T>(reply: FastifyReply, body: T): T {
  void reply.header('cache-control', 'no-store');
  return body;
}
