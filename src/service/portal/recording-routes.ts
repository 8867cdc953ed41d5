import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import {
  type Recording,
  type RecordingId,
  type RecordingUse,
  type RecordingView,
  SpeakText,
} from '../../contract/menu/recording.ts';
import { fieldProblemsOf } from '../../contract/field-problem.ts';
import { recordingAudio, speechPreview } from '../../contract/downloads.ts';
import { readState } from '../../core/ledger.ts';
import {
  findRecording,
  type RecordingRefusal,
  recordingUses,
  removedAt,
  renameRecording,
} from '../../core/recording/change-recording.ts';
import type { Result } from '../../core/result.ts';
import { recordingProblemText } from '../../text/menu/recordings-text.ts';
import { refusalText } from '../../text/service/service-text.ts';
import type { ByteSpan } from '../../core/recording/recording-files.ts';
import { promptPathStart } from '../../contract/address.ts';
import { addRoute, audioTypes } from '../http/add-route.ts';
import { answerRefusal, refuse } from '../http/refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/recordings*`: what callers hear. */
export function addRecordingRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, recordings: port, spoken } = context;

  addRoute(app, context, 'listRecordings', () =>
    readState(ledger, (state) => {
      const uses = recordingUses(state);
      const recordings = [...state.recordings.values()];
      return { recordings: recordings.map((one) => viewOf(one, uses.get(one.id))) };
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

  addRoute(app, context, 'speakRecording', async ({ body, reply }) => show(await spoken.speak(body), reply));

  addRoute(app, context, 'speakRecordingAgain', async ({ params, body, reply }) =>
    show(await spoken.speakAgain(params.id, body), reply),
  );

  addRoute(app, context, 'removeRecording', async ({ params, reply }) => {
    const removed = await port.remove(params.id);
    return removed.ok ? { id: removed.value.id } : refuseRecording(reply, removed.refusal);
  });

  function show(outcome: Result<Recording, RecordingRefusal>, reply: FastifyReply): RecordingView | null {
    if (!outcome.ok) return refuseRecording(reply, outcome.refusal);
    return viewOf(outcome.value, recordingUses(ledger.state).get(outcome.value.id));
  }

  function viewOf(recording: Recording, uses: readonly RecordingUse[] = []): RecordingView {
    return {
      ...recording,
      used_by: [...uses],
      changed: [...spoken.changesOf(recording)],
      removed_at: removedAt(recording),
    };
  }
}

function refuseRecording(reply: FastifyReply, { problem, found }: RecordingRefusal): null {
  return answerRefusal(reply, problem, { message: recordingProblemText(found) });
}

/** What a text sounds like. It ends when the caller does not wait any more. */
export function addSpeechPreview(
  app: FastifyInstance,
  { spoken, sessions }: Pick<ServiceContext, 'spoken' | 'sessions'>,
): void {
  app.route({
    method: speechPreview.method,
    url: speechPreview.path,
    config: { family: speechPreview.family },
    onRequest: sessions.guard,
    handler: async (request, reply) => {
      const body = SpeakText.safeParse(request.body);
      if (!body.success)
        return refuse(reply, 'bad_request', { errors: fieldProblemsOf(body.error, request.body) });
      const waiting = new AbortController();
      reply.raw.once('close', () => waiting.abort());
      const heard = await spoken.hear(body.data, waiting.signal).catch((error: unknown) => {
        if (waiting.signal.aborted) return null;
        throw error;
      });
      // Whoever asked has closed the connection, after an edit of the text for example.
      if (heard === null) return reply.hijack();
      if (!heard.ok) {
        refuseRecording(reply, heard.refusal);
        return reply;
      }
      return reply
        .type(audioTypes.wav)
        .header('cache-control', 'no-store')
        .send(Buffer.from(heard.value.wav));
    },
  });
}

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
      const found = await readState(ledger, (state) => findRecording(state, request.params.id));
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

/** Whether a caller says with `If-None-Match` that it has what this tag names. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

/**
 * The part of a file that a `Range` header asks for (RFC 9110 section 14.2); null when the file has no such bytes.
 *
 * Any other header than one range of bytes gets the whole file, as the RFC allows: players do not ask for several ranges.
 */
export function spanOf(range: string | undefined, length: number): ByteSpan | 'whole' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return 'whole';
  const last = length - 1;
  if (from === '') {
    const count = Number(to);
    return count === 0 || length === 0 ? null : { start: Math.max(0, length - count), end: last };
  }
  const start = Number(from);
  const end = to === '' ? last : Math.min(Number(to), last);
  if (to !== '' && Number(to) < start) return 'whole';
  return start > last ? null : { start, end };
}

/** Longer than an address of a prompt works. */
const daySeconds = 86_400;

/**
 * The prompts of calls, which telephone systems fetch.
 *
 * The signature in the path is what admits, so the route is not in the table of those that people call. Like every route
 * it answers to the names of this service only. Where that is loopback, an Asterisk on another machine reaches it through an SSH
 * tunnel to its own 127.0.0.1 with the same port. An address always has the same content, so that it is fetched once.
 */
export function addPromptRoute(
  app: FastifyInstance,
  { telephony, connections }: Pick<ServiceContext, 'telephony' | 'connections'>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${promptPathStart}*`,
    handler: async (request, reply) => {
      const { headers, method, raw } = request;
      const found = await telephony.readPrompt(request.url);
      if (found === null) return refuse(reply, 'not_found');
      connections.trust(raw.socket, 'token');
      const { bytes, digest } = found;
      const tag = `"${digest}"`;
      void reply.header('etag', tag).header('cache-control', `private, max-age=${daySeconds}, immutable`);
      if (isKnownTag(headers['if-none-match'], tag)) return reply.code(304).send();
      const ifRange = headers['if-range'];
      const span = spanOf(ifRange === undefined || ifRange === tag ? headers.range : undefined, bytes.length);
      if (span === null) {
        void reply.header('content-range', `bytes */${bytes.length}`);
        return refuse(reply, 'range_not_satisfiable');
      }
      const { start, end } = span === 'whole' ? { start: 0, end: bytes.length - 1 } : span;
      void reply
        .code(span === 'whole' ? 200 : 206)
        .type(audioTypes.wav)
        .header('content-length', end - start + 1)
        .header('accept-ranges', 'bytes');
      if (span !== 'whole') void reply.header('content-range', `bytes ${start}-${end}/${bytes.length}`);
      return reply.send(method === 'HEAD' ? undefined : Buffer.from(bytes.subarray(start, end + 1)));
    },
  });
}
