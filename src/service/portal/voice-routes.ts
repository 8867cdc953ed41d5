import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VoiceId } from '../../contract/menu/speech.ts';
import type { VoiceAdded, VoicePack, VoicePackProblem } from '../../contract/menu/voice-pack.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import type { Result } from '../../core/result.ts';
import type { AddedPack } from '../../core/speech/voice-packs.ts';
import { mayTakeTime } from '../../network/create-listener.ts';
import { voicePackProblemText } from '../../text/menu/voice-pack-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** How long an archive may make no progress, in milliseconds; it is unpacked and tried in that time, too. */
const standstillMs = 5 * 60_000;

/** `/portal/voice*`: what speaks the texts of menus. */
export function addVoiceRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, spoken, voicePacks } = context;

  addRoute(app, context, 'listVoices', async () => {
    const { speech_language: language, speech_voice: voice } = ledger.state.settings;
    return { voices: [...(await spoken.voices())], language, voice };
  });

  addRoute(app, context, 'listVoicePacks', async () => {
    if (voicePacks === null) return { packs: [], offered: [], runtime: null, downloading: null };
    const { packs, offered, ...list } = await voicePacks.list();
    const shown = packs.map((pack) => ({ ...pack, recordings: spokenWith(pack.voice) }));
    return { ...list, packs: shown, offered: [...offered] };
  });

  addRoute(app, context, 'addVoicePack', async ({ body, reply }) => {
    if (voicePacks === null) return refusePack(reply, { kind: 'not_here' });
    // It is unpacked and checked after it has arrived, and nothing is sent meanwhile.
    reply.raw.setTimeout(standstillMs);
    const { socket } = reply.raw;
    if (socket !== null) mayTakeTime.add(socket); // it comes from a slow stick, or over a slow network
    try {
      return showAdded(await voicePacks.add(body, whileWaiting(reply)), reply);
    } finally {
      if (socket !== null) mayTakeTime.delete(socket);
    }
  });

  addRoute(app, context, 'downloadVoicePack', async ({ body, reply }) => {
    if (voicePacks === null) return refusePack(reply, { kind: 'not_here' });
    reply.raw.setTimeout(0);
    return showAdded(await voicePacks.download(body.voice, whileWaiting(reply)), reply);
  });

  addRoute(app, context, 'removeVoicePack', async ({ query, reply }) => {
    if (voicePacks === null) return refusePack(reply, { kind: 'not_here' });
    const removed = await voicePacks.remove(query.voice);
    if (!removed.ok) return refusePack(reply, removed.refusal);
    return { voice: removed.value, recordings: spokenWith(removed.value) };
  });

  function showAdded(outcome: Result<AddedPack, VoicePackProblem>, reply: FastifyReply): VoiceAdded | null {
    if (!outcome.ok) return refusePack(reply, outcome.refusal);
    const { pack, runtimeAdded } = outcome.value;
    spoken.noteNewVoice();
    const shown = pack === null ? null : { ...pack, recordings: spokenWith(pack.voice) };
    return { pack: shown, runtime_added: runtimeAdded };
  }

  function spokenWith(voice: VoiceId): VoicePack['recordings'] {
    return Array.from(ledger.state.recordings.values())
      .filter(({ speech }) => speech?.voice === voice)
      .map(({ id, name }) => ({ id, name }));
  }
}

/** Ends when the caller does not wait any more. */
function whileWaiting(reply: FastifyReply): AbortSignal {
  const waiting = new AbortController();
  reply.raw.once('close', () => waiting.abort());
  return waiting.signal;
}

function refusePack(reply: FastifyReply, problem: VoicePackProblem): null {
  refuse(reply, codeOf(problem), { message: voicePackProblemText(problem) });
  return null;
}

function codeOf({ kind }: VoicePackProblem): ProblemCode {
  switch (kind) {
    case 'not_archive':
    case 'damaged_archive':
    case 'too_large':
    case 'unsafe_entry':
    case 'not_voice':
    case 'model_fails':
    case 'wrong_file':
      return 'bad_request';
    case 'not_here':
    case 'busy':
    case 'id_taken':
      return 'conflict';
    case 'not_installed':
    case 'not_offered':
      return 'not_found';
    case 'not_downloaded':
      return 'other_service_failed';
    case 'not_stored':
      return 'store_unavailable';
  }
}
