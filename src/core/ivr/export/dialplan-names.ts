import type { NodeId } from '../../../contract/ivr-draft.ts';
import type { KnownIds } from '../../../contract/ivr-reference.ts';
import { invariant } from '../../unreachable.ts';
import type { FlowTarget } from '../../../contract/ivr-call.ts';
import type { Flow, FlowMenu } from '../flow.ts';
import { soundOfPrompt } from '../../recording/pbx-sound.ts';
import { plainNames, plainWord } from './plain-names.ts';

/** The names of the parts of a flow on a telephone system. Each consists of `a-z`, `0-9` and `_`. */
export interface DialplanNames {
  /** Where calls come in, and the prefix of every other name in the dialplan: unique for each call flow. */
  readonly entry: string;
  /** By the menu's id. */
  readonly menus: ReadonlyMap<string, string>;
  /** By the recording as the body writes it: the name of its audio file, without folder and ending. */
  readonly prompts: ReadonlyMap<string, string>;
  /** By the recording as the body writes it: the sound that the telephone system has itself. */
  readonly sounds: ReadonlyMap<string, string>;
  /** By the destination as the body writes it. */
  readonly destinations: ReadonlyMap<string, string>;
}

/** Together with the text between them, less than the 79 characters of an Asterisk context name. */
const longestFlowName = 24;
const longestMenu = 36;

/** Where the calls of a call flow of this name come in. */
export function entryName(flowName: string): string {
  return `rotavox_${plainWord(flowName, longestFlowName)}`;
}

/**
 * The same for Asterisk and FreeSWITCH, so that one folder of audio files serves both. `flowName` is its name, `recordings` are those
 * that are stored here; null: they are not known.
 */
export function dialplanNames(
  flow: Flow,
  flowName: string,
  recordings: KnownIds | null = null,
): DialplanNames {
  const menus = menusFromStart(flow);
  const prompts = new Set(menus.flatMap(promptsOf));
  const sounds = new Map(
    [...prompts].flatMap((prompt) => {
      const sound = soundOfPrompt(prompt, recordings);
      return sound === null ? [] : [[prompt, sound] as const];
    }),
  );
  return {
    entry: entryName(flowName),
    menus: plainNames(
      menus.map(({ id }) => id),
      longestMenu,
    ),
    prompts: plainNames([...prompts].filter((prompt) => !sounds.has(prompt))),
    sounds,
    destinations: plainNames(
      menus.flatMap(targetsOf).flatMap((to) => (to.kind === 'destination' ? [to.destination] : [])),
    ),
  };
}

/** The menu that a call meets first, then the others in their order. */
export function menusFromStart(flow: Flow): FlowMenu[] {
  const start = flow.menus.get(flow.start);
  const others = [...flow.menus.values()].filter(({ id }) => id !== flow.start);
  return start === undefined ? others : [start, ...others];
}

/** The name of something that certainly exists. */
export function nameIn(names: ReadonlyMap<string, string>, key: NodeId | string): string {
  const name = names.get(key);
  invariant(name !== undefined, 'every part of a flow has a name');
  return name;
}

/** What plays a prompt: an audio file in the folder `rotavox`, or a sound that the telephone system has itself. */
export function soundFile({ prompts, sounds }: DialplanNames, prompt: string): string {
  return sounds.get(prompt) ?? `rotavox/${nameIn(prompts, prompt)}`;
}

/** What a menu may play, written as in the body; the same recording may come twice. */
export function promptsOf({ recording, wrongKey, timeout }: FlowMenu): string[] {
  return [recording, wrongKey.recording, timeout.retryRecording, timeout.lastRecording];
}

function targetsOf({ keys, wrongKey, timeout }: FlowMenu): FlowTarget[] {
  return [...Array.from(keys.values(), ({ to }) => to), wrongKey.to, timeout.to];
}

const longest = 120;

/**
 * A text for a comment in a dialplan or in XML: one short line of letters, digits and harmless characters.
 *
 * It contains neither `;` nor `--`, which end, begin or nest comments, and no line is longer than Asterisk reads as one
 * (a longer line is read as two, the second of which would not be a comment).
 */
export function commentText(text: string): string {
  const plain = text
    .replace(/[^\p{L}\p{M}\p{N}.,:'/+_()|-]+/gu, ' ')
    .replace(/-{2,}/g, '-')
    .trim();
  return Array.from(plain)
    .slice(0, longest)
    .join('')
    .replace(/(?<![ -])[ -]+$/, '');
}
