import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Recording, RecordingId, RecordingView } from '../../contract/recording.ts';
import { type RecordingRefusal, renameRecording } from '../../core/recording/change-recording.ts';
import { recordingUses } from '../../core/recording/recording-uses.ts';
import type { Result } from '../../core/result.ts';
import { addRoute } from '../add-route.ts';
import { refuse } from '../refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';
import { RecordingDesk } from './recording-desk.ts';

/** `/portal/recordings*`: what callers hear. The audio itself is in `recording-audio.ts`. */
export function addRecordingRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger } = context;
  const desk = new RecordingDesk(ledger, context.recordingFiles);

  addRoute(app, context, 'listRecordings', () =>
    ledger.transact((state) => {
      const uses = recordingUses(state);
      const recordings = [...state.recordings.values()];
      return {
        events: [],
        value: { recordings: recordings.map((one) => ({ ...one, used_by: [...(uses.get(one.id) ?? [])] })) },
      };
    }),
  );

  addRoute(app, context, 'uploadRecording', async ({ query, body, reply }) => {
    const { name, id = mintId('rec_') as RecordingId } = query;
    return show(await desk.add({ id, name }, body), reply);
  });

  addRoute(app, context, 'renameRecording', async ({ params, body, reply }) =>
    show(
      await ledger.transact((state, nowMs) => renameRecording(state, { id: params.id, ...body }, nowMs)),
      reply,
    ),
  );

  addRoute(app, context, 'replaceRecording', async ({ params, body, reply }) =>
    show(await desk.replace(params.id, body), reply),
  );

  addRoute(app, context, 'removeRecording', async ({ params, reply }) => {
    const removed = await desk.remove(params.id);
    return removed.ok ? { id: removed.value.id } : refuseRecording(reply, removed.refusal);
  });

  function show(outcome: Result<Recording, RecordingRefusal>, reply: FastifyReply): RecordingView | null {
    if (!outcome.ok) return refuseRecording(reply, outcome.refusal);
    const uses = recordingUses(ledger.state).get(outcome.value.id) ?? [];
    return { ...outcome.value, used_by: [...uses] };
  }
}

export function refuseRecording(reply: FastifyReply, { problem, message }: RecordingRefusal): null {
  refuse(reply, problem, { message });
  return null;
}
