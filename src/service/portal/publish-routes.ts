import type { FastifyInstance } from 'fastify';
import type { PublishReply } from '../../contract/menu/ivr-draft.ts';
import type { IvrBody, IvrId } from '../../contract/menu/ivr.ts';
import type { FlowSpeech } from '../../contract/menu/speech.ts';
import type { FlowPart, FlowPartId } from '../../contract/menu/schedule.ts';
import { readState } from '../../core/ledger.ts';
import { findCredential } from '../../core/credential/find-credential.ts';
import { checkForOtherService } from '../../core/ivr/prove/check-other-service.ts';
import { checkDraft } from '../../core/ivr/check-draft.ts';
import { type DraftRefusal, findDraft, otherRevision } from '../../core/ivr/draft/change-draft.ts';
import type { PublishTarget } from '../../core/ivr/draft/draft.ts';
import { stateDirectory } from '../../core/ivr/change-ivr.ts';
import { heardPrompts } from '../../core/ivr/export/dialplan-names.ts';
import { publishedSince } from '../../core/ivr/draft/record-publication.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import { blockedText } from '../../text/menu/flow-findings.ts';
import { draftRefusalText } from '../../text/menu/saving.ts';
import { addRoute } from '../http/add-route.ts';
import { publishHere, type PublishingDraft } from '../publish/publish-here.ts';
import { RemotePublication } from '../publish/publish-there.ts';
import { refuseWritten, type WrittenRefusal, writtenRefusal } from '../http/refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/ivrs/drafts/:id/publish`: publishes a draft as menus that answer calls, in this service or another one. */
export function addPublishRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, credentialAgent, spoken } = context;
  /** Drafts that are being published: two publications at once would create every menu twice. */
  const underWay = new Set<string>();

  addRoute(app, context, 'publishDraft', async ({ params: { id }, body, reply }) => {
    const { revision, credential } = body;
    if (underWay.has(id)) return refuseWritten(reply, alreadyUnderWay);
    underWay.add(id);
    try {
      const wanted = { id, revision, credential };
      const outcome = await (credential === null
        ? toThisService(wanted)
        : toService({ ...wanted, credential }));
      return outcome.ok ? outcome.value : refuseWritten(reply, outcome.refusal);
    } finally {
      underWay.delete(id);
    }
  });

  async function toThisService(wanted: Wanted): Promise<Outcome> {
    const mintIvrId = () => mintId('ivr_') as IvrId;
    const mintPartId = (kind: FlowPart['kind']) => mintId(`${kind}_`) as FlowPartId;
    const target = { credential: null, baseUrl: context.publicUrl(), isHere: true };
    const first = await readState(ledger, (state, nowMs) => readyDraft(state, wanted, target, nowMs));
    if (!first.ok || 'outcome' in first.value) return first as Outcome;
    const unspoken = await spoken.speakMissing(heardPrompts(first.value.flow));
    await spoken.knowVoices();
    const warningsFor = (body: IvrBody, speech: FlowSpeech | undefined) =>
      spoken.warningsFor(body, speech, unspoken);
    return ledger.transact<Outcome>((state, nowMs) => {
      const ready = readyDraft(state, wanted, target, nowMs);
      if (!ready.ok || 'outcome' in ready.value) return { events: [], value: ready as Outcome };
      const { events, value } = publishHere(state, ready.value, {
        mintIvrId,
        mintPartId,
        nowMs,
        warningsFor,
      });
      return { events, value: done(value) };
    });
  }

  async function toService(wanted: Wanted & { readonly credential: string }): Promise<Outcome> {
    const ready = await readState(ledger, (state, nowMs) => {
      const found = findCredential(state, wanted.credential);
      if (!found.ok) return refused(writtenRefusal(found.refusal));
      const { baseUrl } = found.value;
      const target = {
        credential: wanted.credential,
        baseUrl: baseUrl ?? context.publicUrl(),
        isHere: baseUrl === null,
      };
      return readyDraft(state, wanted, target, nowMs);
    });
    if (!ready.ok || 'outcome' in ready.value) return ready as Outcome;
    const { credential } = wanted;
    return new RemotePublication({ ledger, credentialAgent }, { ...ready.value, credential }).run();
  }
}

interface Wanted {
  readonly id: string;
  readonly revision: number;
  readonly credential: string | null;
}

type Outcome = Result<PublishReply, WrittenRefusal>;

const alreadyUnderWay = written({ problem: 'conflict', reason: { code: 'publishing_already' } });

function written({ problem, reason }: DraftRefusal): WrittenRefusal {
  return { problem, message: draftRefusalText(reason) };
}

/** The draft if it may be published; an answer if errors block it; a refusal if the revision is another one or outdated. */
function readyDraft(
  state: State,
  { id, revision }: Wanted,
  target: PublishTarget,
  nowMs: number,
): Result<PublishingDraft | PublishReply, WrittenRefusal> {
  const found = findDraft(state, id);
  if (!found.ok) return refused(written(found.refusal));
  const other = otherRevision(found.value, revision);
  if (other !== null) return refused(written(other));
  const since = publishedSince(state, found.value, target);
  if (since !== null) return refused(written(since));
  const { document } = found.value;
  const { flow, problems } = checkDraft(document, stateDirectory(state), nowMs);
  const elsewhere = flow === null || target.isHere ? [] : checkForOtherService(document, flow);
  const errors = [...problems, ...elsewhere].filter(({ severity }) => severity === 'error');
  if (flow === null || errors.length > 0) {
    const message = blockedText(errors);
    return done({ outcome: 'blocked', message, version: null, exchanges: [] });
  }
  return done({ draft: found.value, flow, target });
}
