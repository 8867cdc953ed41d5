import type { FastifyInstance } from 'fastify';
import type { PronunciationList } from '../../contract/menu/speech.ts';
import { appliedPronunciations, changePronunciations } from '../../core/speech/pronunciation.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/pronunciations` and `/portal/speech*`: how texts are spoken, and the work of speaking many. */
export function addSpeechRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, spoken, speakEverything } = context;

  addRoute(app, context, 'listPronunciations', list);
  addRoute(app, context, 'changePronunciations', async ({ body, reply }) => {
    const changed = await ledger.transact((state) => changePronunciations(state, body));
    if (changed.ok) return list();
    refuse(reply, 'bad_request', { errors: [...changed.refusal] });
    return null;
  });

  addRoute(app, context, 'checkTexts', async ({ body }) => ({ prompts: await spoken.checkTexts(body) }));

  addRoute(app, context, 'readSpeech', () => speakEverything.status());
  addRoute(app, context, 'speakAll', async ({ body }) => {
    await speakEverything.begin(body.what);
    return speakEverything.status();
  });
  addRoute(app, context, 'stopSpeakingAll', async () => {
    await speakEverything.stop();
    return speakEverything.status();
  });

  function list(): Promise<PronunciationList> {
    return ledger.transact(({ pronunciations, recordings }) => {
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
      return { events: [], value: { pronunciations: value } };
    });
  }
}
