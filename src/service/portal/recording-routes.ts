import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import type { Recording, RecordingId, RecordingView } from '../../contract/menu/recording.ts';
import { recordingAudio } from '../../contract/downloads.ts';
import { type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import {
  addRecording,
  type Audio,
  findRecording,
  type RecordingOutcome,
  type RecordingRefusal,
  recordingUses,
  removeRecording,
  renameRecording,
  replaceRecording,
} from '../../core/recording/change-recording.ts';
import type { AudioFile, RecordingFiles } from '../../core/recording/recording-files.ts';
import { storedAudio } from '../../core/recording/stored-audio.ts';
import { refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import { recordingProblemText } from '../../text/menu/recordings-text.ts';
import { refusalText } from '../../text/service/service-text.ts';
import { addRoute, audioTypes } from '../http/add-route.ts';
import { isKnownTag, spanOf } from '../http/byte-span.ts';
import { refuse } from '../http/refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/recordings*`: what callers hear. */
export function addRecordingRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger } = context;
  const port = new RecordingService(ledger, context.recordingFiles);

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
    return show(await port.add({ id, name }, body), reply);
  });

  addRoute(app, context, 'renameRecording', async ({ params, body, reply }) =>
    show(
      await ledger.transact((state, nowMs) => renameRecording(state, { id: params.id, ...body }, nowMs)),
      reply,
    ),
  );

  addRoute(app, context, 'replaceRecording', async ({ params, body, reply }) =>
    show(await port.replace(params.id, body), reply),
  );

  addRoute(app, context, 'removeRecording', async ({ params, reply }) => {
    const removed = await port.remove(params.id);
    return removed.ok ? { id: removed.value.id } : refuseRecording(reply, removed.refusal);
  });

  function show(outcome: Result<Recording, RecordingRefusal>, reply: FastifyReply): RecordingView | null {
    if (!outcome.ok) return refuseRecording(reply, outcome.refusal);
    const uses = recordingUses(ledger.state).get(outcome.value.id) ?? [];
    return { ...outcome.value, used_by: [...uses] };
  }
}

function refuseRecording(reply: FastifyReply, { problem, found }: RecordingRefusal): null {
  refuse(reply, problem, { message: recordingProblemText(found) });
  return null;
}

type Outcome = Promise<Result<Recording, RecordingRefusal>>;

/**
 * Recordings and their audio, which change together.
 *
 * The file is written before the record and deleted after it, so a crash leaves an orphan file and never a recording without
 * audio. One change at a time: recordings with the same audio share a file, which one may add while another removes it.
 */
class RecordingService {
  readonly #ledger: Ledger;
  readonly #files: RecordingFiles;
  readonly #runExclusive = pLimit(1);

  constructor(ledger: Ledger, files: RecordingFiles) {
    this.#ledger = ledger;
    this.#files = files;
  }

  add(wanted: { readonly id: RecordingId; readonly name: string }, bytes: Uint8Array): Outcome {
    return this.#keep(bytes, (state, audio, nowMs) => addRecording(state, { ...wanted, audio }, nowMs));
  }

  replace(id: string, bytes: Uint8Array): Outcome {
    return this.#runExclusive(async () => {
      const before = findRecording(this.#ledger.state, id);
      if (!before.ok) return before;
      const kept = await this.#keepNow(bytes, (state, audio, nowMs) =>
        replaceRecording(state, { id, audio }, nowMs),
      );
      await this.#forgetUnused(before.value);
      return kept;
    });
  }

  remove(id: string): Outcome {
    return this.#runExclusive(async () => {
      const removed = await this.#ledger.transact((state) => removeRecording(state, id));
      if (removed.ok) await this.#forgetUnused(removed.value);
      return removed;
    });
  }

  #keep(bytes: Uint8Array, decide: Decide): Outcome {
    return this.#runExclusive(() => this.#keepNow(bytes, decide));
  }

  async #keepNow(upload: Uint8Array, decide: Decide): Outcome {
    const stored = storedAudio(upload);
    if (!stored.ok)
      return refused({ problem: 'bad_request', found: { kind: 'not_audio', refusal: stored.refusal } });
    const { format, durationMs, bytes } = stored.value;
    const digest = hash('sha256', bytes, 'hex');
    const audio: Audio = { format, bytes: bytes.length, duration_ms: durationMs, digest };
    const trouble = await this.#keepFile(audio, bytes);
    if (trouble !== null) return refused(trouble);
    try {
      return await this.#ledger.transact((state, nowMs) => decide(state, audio, nowMs));
    } finally {
      // Refused or not saved: then no recording uses the file.
      await this.#forgetUnused(audio);
    }
  }

  /** The refusal when the disk refuses the file. It is reported here, because the store only reports on its journal. */
  async #keepFile(audio: AudioFile, bytes: Uint8Array): Promise<RecordingRefusal | null> {
    try {
      await this.#files.keep(audio, bytes);
      return null;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { problem: 'store_unavailable', found: { kind: 'not_stored', refusal: error.refusal } };
    }
  }

  async #forgetUnused(file: AudioFile): Promise<void> {
    const { recordings } = this.#ledger.state;
    if ([...recordings.values()].some(({ digest }) => digest === file.digest)) return;
    try {
      await this.#files.forget(file);
    } catch (error) {
      // The record stays changed; the next start deletes the file.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

type Decide = (state: State, audio: Audio, nowMs: number) => RecordingOutcome;

/**
 * The audio of a recording, whole or in the part that a player asks for.
 *
 * The digest is the validator: a caller that already has the audio gets 304, and a part is never combined with parts of
 * audio that was replaced meanwhile.
 */
export function addRecordingAudio(
  app: FastifyInstance,
  { ledger, recordingFiles, sessions }: ServiceContext,
): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: recordingAudio.path,
    config: { family: recordingAudio.family },
    onRequest: sessions.guard,
    handler: async (request, reply) => {
      const found = await ledger.transact((state) => ({
        events: [],
        value: findRecording(state, request.params.id),
      }));
      if (!found.ok) {
        refuseRecording(reply, found.refusal);
        return reply;
      }
      return sendAudio(found.value, request, reply);
    },
  });

  async function sendAudio(
    recording: Recording,
    { headers, method }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { bytes, format, name } = recording;
    const tag = `"${recording.digest}"`;
    if (isKnownTag(headers['if-none-match'], tag)) return reply.code(304).header('etag', tag).send();
    const ifRange = headers['if-range'];
    const span = spanOf(ifRange === undefined || ifRange === tag ? headers.range : undefined, bytes);
    if (span === null) {
      void reply.header('content-range', `bytes */${bytes}`);
      return refuse(reply, 'range_not_satisfiable');
    }
    const { start, end } = span === 'whole' ? { start: 0, end: bytes - 1 } : span;
    const audio = method === 'HEAD' ? null : await recordingFiles.read(recording, { start, end });
    if (audio === null && method !== 'HEAD')
      return refuse(reply, 'not_found', { message: refusalText.audioGone(name) });
    void reply
      .code(span === 'whole' ? 200 : 206)
      .type(audioTypes[format])
      .header('content-length', end - start + 1)
      .header('accept-ranges', 'bytes')
      .header('etag', tag)
      // Validated at each request, and answered with 304 while it is unchanged.
      .header('cache-control', 'private, no-cache')
      .header('content-disposition', `inline; ${fileName(name, format)}`);
    if (span !== 'whole') void reply.header('content-range', `bytes ${start}-${end}/${bytes}`);
    return reply.send(audio === null ? undefined : Readable.from(audio, { objectMode: false }));
  }
}

/** The file name (RFC 6266): in ASCII for every client, and unchanged for clients that read the longer form. */
function fileName(name: string, format: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}.${format}"; filename*=UTF-8''${exact}.${format}`;
}
