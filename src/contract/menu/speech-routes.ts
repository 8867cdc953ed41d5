import { bodyProblems, ofPortal, portalProblems, type Route } from '../route.ts';
import { CheckTexts, SpeakAll, SpeechStatus, SpokenPrompts } from './recording.ts';
import { ChangePronunciations, PronunciationList } from './speech.ts';

/** How texts are spoken, and the work of speaking many. Routes about one recording or one menu are in `ivr-routes.ts`. */
export const speechRoutes = {
  listPronunciations: {
    method: 'GET',
    path: '/portal/pronunciations',
    title: 'List pronunciations',
    summary:
      'List the words that are said otherwise than they are written, and how many recordings have each.',
    ...ofPortal,
    reply: PronunciationList,
    problems: portalProblems,
  },
  changePronunciations: {
    method: 'PATCH',
    path: '/portal/pronunciations',
    title: 'Change pronunciations',
    summary:
      'Add, change and remove pronunciations: all of it, or nothing. Recordings that have a word of these stay as they are until they are spoken again.',
    ...ofPortal,
    body: ChangePronunciations,
    reply: PronunciationList,
    problems: [...portalProblems, ...bodyProblems],
  },
  checkTexts: {
    method: 'POST',
    path: '/portal/speech/check',
    title: 'Check texts',
    summary:
      'What callers would hear of these texts: their recording, voice, and what no voice can read. Nothing is made.',
    ...ofPortal,
    body: CheckTexts,
    reply: SpokenPrompts,
    problems: [...portalProblems, ...bodyProblems],
  },
  readSpeech: {
    method: 'GET',
    path: '/portal/speech',
    title: 'Read the state of speech',
    summary:
      'How many texts have no recording, how many recordings have changed, and how far speaking all of them is.',
    ...ofPortal,
    reply: SpeechStatus,
    problems: portalProblems,
  },
  speakAll: {
    method: 'POST',
    path: '/portal/speech/all',
    title: 'Speak all texts',
    summary:
      'Begin to speak all texts that have no recording, one after the other. While that runs already, this changes nothing. Progress is told by the event stream (`speech`).',
    ...ofPortal,
    body: SpeakAll,
    reply: SpeechStatus,
    problems: [...portalProblems, ...bodyProblems],
  },
  stopSpeakingAll: {
    method: 'DELETE',
    path: '/portal/speech/all',
    title: 'Stop speaking all texts',
    summary: 'Stop speaking all texts. What was made stays; what is being spoken is not stored.',
    ...ofPortal,
    reply: SpeechStatus,
    problems: [...portalProblems, ...bodyProblems],
  },
} as const satisfies Record<string, Route>;
