import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PronunciationList, VoiceId } from '../../contract/menu/speech.ts';
import type { VoiceAdded, VoicePack, VoicePackProblem } from '../../contract/menu/voice-pack.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { readState } from '../../core/ledger.ts';
import type { Result } from '../../core/result.ts';
import type { AddedPack } from '../../core/speech/voice-packs.ts';
import { mayTakeTime } from '../../network/create-listener.ts';
import { voicePackProblemText } from '../../text/menu/voice-pack-text.ts';
import { appliedPronunciations, changePronunciations } from '../../core/speech/pronunciation.ts';
import { addRoute } from '../http/add-route.ts';
import { answerRefusal } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** How long an archive may make no progress while it arrives, in milliseconds. */
const standstillMs = 5 * 60_000;

/** `/portal/voice*`: what speaks the texts of menus. */
export function addVoiceRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, spoken, voicePacks, addingVoice } = context;

  addRoute(app, context, 'listVoices', async () => {
    const { speech_language: language, speech_voice: voice } = ledger.state.settings;
    return { voices: [...(await spoken.voices())], language, voice };
  });

  addRoute(app, context, 'listVoicePacks', async () => {
    if (voicePacks === null)
      return { packs: [], offered: [], runtime: null, downloading: null, adding: null };
    const { packs, offered, ...list } = await voicePacks.list();
    const shown = packs.map((pack) => ({ ...pack, recordings: spokenWith(pack.voice) }));
    return { ...list, packs: shown, offered: [...offered], adding: addingVoice?.job ?? null };
  });

  addRoute(app, context, 'addVoicePack', async ({ body, reply }) => {
    if (addingVoice === null) return refusePack(reply, { kind: 'not_here' });
    reply.raw.setTimeout(standstillMs);
    const { socket } = reply.raw;
    if (socket !== null) mayTakeTime.add(socket); // it comes from a slow stick, or over a slow network
    try {
      return showAdded(await addingVoice.add(untilArrived(body, reply), whileWaiting(reply)), reply);
    } finally {
      if (socket !== null) mayTakeTime.delete(socket);
    }
  });

  addRoute(app, context, 'downloadVoicePack', async ({ body: { voice, keep }, reply }) => {
    if (addingVoice === null) return refusePack(reply, { kind: 'not_here' });
    reply.raw.setTimeout(0);
    return showAdded(await addingVoice.download(voice, keep ? null : whileWaiting(reply)), reply);
  });

  addRoute(app, context, 'stopAddingVoice', async () => {
    await addingVoice?.stop();
    return { adding: addingVoice?.job ?? null };
  });

  addRoute(app, context, 'removeVoicePack', async ({ query, reply }) => {
    if (addingVoice === null) return refusePack(reply, { kind: 'not_here' });
    const removed = await addingVoice.remove(query.voice);
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

/** After it has arrived it is unpacked and tried, which have limits of their own; nothing is sent meanwhile. */
async function* untilArrived(
  archive: AsyncIterable<Uint8Array>,
  reply: FastifyReply,
): AsyncGenerator<Uint8Array> {
  yield* archive;
  reply.raw.setTimeout(0);
}

/** Ends when the caller does not wait any more. */
function whileWaiting(reply: FastifyReply): AbortSignal {
  const waiting = new AbortController();
  reply.raw.once('close', () => waiting.abort());
  return waiting.signal;
}

function refusePack(reply: FastifyReply, problem: VoicePackProblem): null {
  return answerRefusal(reply, codeOf(problem), { message: voicePackProblemText(problem) });
}

function codeOf({ kind }: VoicePackProblem): ProblemCode {
  switch (kind) {
    case 'not_archive':
    case 'damaged_archive':
    case 'too_large':
    case 'too_slow':
    case 'unsafe_entry':
    case 'not_voice':
    case 'model_fails':
    case 'wrong_file':
      return 'bad_request';
    case 'not_here':
    case 'busy':
    case 'stopped':
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

/** `/portal/pronunciations` and `/portal/speech*`: how texts are spoken, and the work of speaking many. */
export function addSpeechRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, spoken, speakEverything } = context;

  addRoute(app, context, 'listPronunciations', list);
  addRoute(app, context, 'changePronunciations', async ({ body, reply }) => {
    const changed = await ledger.transact((state) => changePronunciations(state, body));
    if (changed.ok) return list();
    return answerRefusal(reply, 'bad_request', { errors: [...changed.refusal] });
  });

  addRoute(app, context, 'checkTexts', async ({ body }) => ({ prompts: await spoken.checkTexts(body) }));

  addRoute(app, context, 'readSpeech', ({ query }) => speakEverything.status(query.failures));
  addRoute(app, context, 'speakAll', async ({ body }) => {
    await speakEverything.begin(body.what);
    return speakEverything.status();
  });
  addRoute(app, context, 'stopSpeakingAll', async () => {
    await speakEverything.stop();
    return speakEverything.status();
  });

  function list(): Promise<PronunciationList> {
    return readState(ledger, ({ pronunciations, recordings }) => {
      const all = [...pronunciations.values()].sort((a, b) => a.word.localeCompare(b.word, 'en'));
      const counts = new Map<string, number>();
      for (const { speech } of recordings.values()) {
        if (speech === null) continue;
        for (const { word, language } of appliedPronunciations(speech.text, speech.language, all)) {
          const key = JSON.stringify([word, language]);
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
      const value = all.map(({ id, word, say, language }) => ({
        word,
        say,
        language,
        recordings: counts.get(id) ?? 0,
      }));
      return { pronunciations: value };
    });
  }
}
