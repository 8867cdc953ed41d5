import type { IvrDocument, NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import type { KnownSpeech } from '../../../contract/menu/ivr-reference.ts';
import type { SpeechProblem } from '../../../contract/menu/speech.ts';
import { playingFields } from '../../recording/change-recording.ts';
import { noVoice } from '../../speech/speech-request.ts';
import { spokenTextOf } from '../../speech/spoken-recording.ts';
import { readSpokenText } from '../../speech/spoken-text.ts';
import { flowPrompt } from '../flow-prompts.ts';
import { menusOf } from '../edit/lines.ts';

/**
 * Spoken texts that callers will not hear, or not all of: warnings, because the menu works without them.
 *
 * Checks the document, not the flow: what a text says does not depend on the rest of its menu, and the prompt of all menus is
 * reported once.
 */
export function checkSpokenPrompts(document: IvrDocument, speech: KnownSpeech): IvrProblem[] {
  const prompts = [
    ...menusOf(document).flatMap((menu) =>
      playingFields.map((field) => ({
        prompt: menu[field],
        menu: menu.name,
        node: menu.id,
        field,
        path: `nodes.${menu.id}.${field}`,
      })),
    ),
    ...Object.values(document.nodes).flatMap((node) =>
      node.kind === 'message'
        ? [
            {
              prompt: node.recording,
              menu: node.name,
              node: node.id,
              field: null,
              path: `nodes.${node.id}.recording`,
            },
          ]
        : [],
    ),
    ...(['wrong_key', 'timeout'] as const).map((which) => ({
      prompt: flowPrompt(document, which),
      menu: null,
      node: null,
      field: null,
      path: `prompts.${which}`,
    })),
  ];
  return prompts.flatMap((one) => checkPrompt(one, speech));
}

function checkPrompt(
  {
    prompt,
    menu,
    ...place
  }: {
    readonly prompt: string | null;
    readonly menu: string | null;
    readonly node: NodeId | null;
    readonly field: string | null;
    readonly path: string;
  },
  speech: KnownSpeech,
): IvrProblem[] {
  const text = prompt === null ? null : spokenTextOf(prompt);
  if (text === null || text === '') return [];
  const where = { ...place, scenario: null, severity: 'warning' } as const;
  const { problem, letters } = unspoken(text, speech);
  if (problem !== null) return [{ ...where, code: 'prompt_unspoken', params: { menu, text, problem } }];
  if (letters.length === 0) return [];
  const { language } = speech;
  return [{ ...where, code: 'letters_unspoken', params: { menu, letters, language } }];
}

/** Why callers will not hear a text; else the letters of it that they will not hear. */
export function unspoken(
  text: string,
  speech: KnownSpeech,
): { readonly problem: SpeechProblem | null; readonly letters: readonly string[] } {
  const read = readSpokenText(text, speech.language, speech.pronunciations);
  const hasRecording = speech.spoken.has(text);
  if (!read.ok && hasRecording) return { problem: null, letters: [] };
  if (!read.ok) {
    // A text that is too long is no valid prompt: another check says so.
    return { problem: read.refusal.kind === 'too_long' ? null : read.refusal, letters: [] };
  }
  const isHeard = speech.hasVoice || hasRecording;
  return isHeard
    ? { problem: null, letters: read.value.unreadable }
    : { problem: noVoice(speech), letters: [] };
}
