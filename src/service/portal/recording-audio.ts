import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Recording } from '../../contract/recording.ts';
import { recordingAudio } from '../../contract/routes/downloads.ts';
import { findRecording } from '../../core/recording/change-recording.ts';
import { audioTypes } from '../audio-types.ts';
import { refuse } from '../refuse.ts';
import type { ServiceContext } from '../service-context.ts';
import { spanOf } from './byte-range.ts';
import { refuseRecording } from './recording-routes.ts';

/**
 * The audio of a recording, whole or in the part that a player asks for.
 *
 * The digest is the validator: whoever has the audio already is told so, and a part is never put together with the parts of
 * audio that was replaced meanwhile. (`@fastify/static` could send ranges too, but only out of a folder that the service would
 * then have to know, and with a validator made of size and date.)
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
    if (isKnown(headers['if-none-match'], tag)) return reply.code(304).header('etag', tag).send();
    const ifRange = headers['if-range'];
    const span = spanOf(ifRange === undefined || ifRange === tag ? headers.range : undefined, bytes);
    if (span === null) {
      void reply.header('content-range', `bytes */${bytes}`);
      return refuse(reply, 'range_not_satisfiable');
    }
    const { start, end } = span === 'whole' ? { start: 0, end: bytes - 1 } : span;
    const audio = method === 'HEAD' ? null : await recordingFiles.read(recording, { start, end });
    if (audio === null && method !== 'HEAD') return refuse(reply, 'not_found', { message: audioGone(name) });
    void reply
      .code(span === 'whole' ? 200 : 206)
      .type(audioTypes[format])
      .header('content-length', end - start + 1)
      .header('accept-ranges', 'bytes')
      .header('etag', tag)
      // Asked for again each time, and answered with 304 while it is the same.
      .header('cache-control', 'private, no-cache')
      .header('content-disposition', `inline; ${fileName(name, format)}`);
    if (span !== 'whole') void reply.header('content-range', `bytes ${start}-${end}/${bytes}`);
    return reply.send(audio === null ? undefined : Readable.from(audio, { objectMode: false }));
  }
}

function audioGone(name: string): string {
  return (
    `The audio of “${name}” is not in the data folder any more. Bring it back from a backup of the folder ` +
    '“recordings”, or replace the audio of this recording.'
  );
}

function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

/** A name for the file (RFC 6266): ASCII for everybody, and as it is for who reads the longer form. */
function fileName(name: string, format: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}.${format}"; filename*=UTF-8''${exact}.${format}`;
}
