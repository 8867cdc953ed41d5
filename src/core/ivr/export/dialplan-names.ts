import type { IvrDocument, NodeId, Publication } from '../../../contract/menu/ivr-draft.ts';
import type { KnownIds } from '../../../contract/menu/ivr-reference.ts';
import { invariant } from '../../unreachable.ts';
import { type HeardPrompt, spokenTextOf } from '../../speech/spoken-recording.ts';
import type { FlowSpeech } from '../../../contract/menu/speech.ts';
import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import { nodeOf } from '../edit/lines.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Flow, FlowMenu } from '../flow.ts';
import { soundOfPrompt } from '../../recording/pbx-sound.ts';
import { plainNames, readablePart, shortHash } from './plain-names.ts';

/** The names of the parts of a flow on a telephone system. Each consists of `a-z`, `0-9` and `_`. */
export interface DialplanNames {
  /** Where calls come in, and the prefix of every other name in the dialplan: unique for each call flow. */
  readonly entry: string;
  /** By the menu's id. */
  readonly menus: ReadonlyMap<string, string>;
  /** By the id of the node that asks a schedule. */
  readonly hours: ReadonlyMap<string, string>;
  /** By the id of the message. */
  readonly messages: ReadonlyMap<string, string>;
  /** By the prompt as the body writes it (`fileKey`): the name of its audio file, without folder and ending. */
  readonly prompts: ReadonlyMap<string, string>;
  /** How each prompt is spoken where the flow has it first. */
  readonly speech: ReadonlyMap<string, FlowSpeech | undefined>;
  /** By the recording as the body writes it: the sound that the telephone system has itself. */
  readonly sounds: ReadonlyMap<string, string>;
  /** By the destination as the body writes it. */
  readonly destinations: ReadonlyMap<string, string>;
}

/** Together with the text between them, less than the 79 characters of an Asterisk context name. */
const longestFlowName = 20;
const longestMenu = 36;

/** What a call flow is named after on a telephone system. */
export interface FlowIdentity {
  readonly name: string;
  /** Of the stored menu or the draft; for a flow that is not stored, a text that differs from that of any other. */
  readonly id: string;
}

/**
 * Where the calls of a call flow come in.
 *
 * The name is for people, the hash of the id tells flows of one name apart: two menus "Sales" in one telephone system would
 * otherwise share their contexts, and callers of the one would meet the other.
 */
// see decisions/exports.md
export function entryName({ name, id }: FlowIdentity): string {
  return `rotavox_${readablePart(name, longestFlowName)}_${shortHash(id)}`;
}

/**
 * A draft is named after what its calls begin with once that is published here (a menu, opening hours or a message), so that an export of either
 * replaces the other, and the lines that hand calls over find it as their fallback.
 */
export function identityOfDraft(
  document: IvrDocument,
  draft: string,
  publications: readonly Pick<Publication, 'credential' | 'menus'>[],
): FlowIdentity {
  const first = nodeOf(document, document.caller.to);
  const here = publications.find(({ credential }) => credential === null)?.menus ?? {};
  const id = first === null ? undefined : here[first.id];
  if (id === undefined || first === null || first.kind === 'end') return { name: document.name, id: draft };
  return { name: first.kind === 'menu' ? first.name : document.name, id };
}

/** A flow that is only in a file is told from others by what callers meet in it. */
export function identityOfFile(document: IvrDocument): FlowIdentity {
  return { name: document.name, id: fingerprintOf(document) };
}

/**
 * The same for Asterisk and FreeSWITCH, so that one folder of audio files serves both. `entry`: see `entryName`; `recordings` are
 * those that are stored here; null: they are not known.
 */
export function dialplanNames(flow: Flow, entry: string, recordings: KnownIds | null = null): DialplanNames {
  const menus = menusFromStart(flow);
  const heard = heardPrompts(flow);
  const speech = new Map(heard.toReversed().map((one) => [one.prompt, one.speech]));
  const sounds = new Map(
    promptsOfFlow(flow).flatMap((prompt) => {
      const sound = soundOfPrompt(prompt, recordings);
      return sound === null ? [] : [[prompt, sound] as const];
    }),
  );
  return {
    entry,
    menus: plainNames(
      menus.map(({ id }) => id),
      longestMenu,
    ),
    hours: plainNames(flow.hours.keys(), longestMenu),
    messages: plainNames(flow.messages.keys(), longestMenu),
    prompts: plainNames(heard.filter(({ prompt }) => !sounds.has(prompt)).map((one) => fileKey(speech, one))),
    speech,
    sounds,
    destinations: plainNames(
      [
        ...menus.flatMap(targetsOf),
        ...[...flow.hours.values()].flatMap(({ open, closed, holiday }) => [open, closed, holiday ?? closed]),
        ...Array.from(flow.messages.values(), ({ then }) => then),
      ].flatMap((to) => (to.kind === 'destination' ? [to.destination] : [])),
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
export function nameIn<Name = string>(names: ReadonlyMap<string, Name>, key: NodeId | string): Name {
  const name = names.get(key);
  invariant(name !== undefined, 'every part of a flow has a name');
  return name;
}

/** What plays a prompt: an audio file in the folder `rotavox`, or a sound that the telephone system has itself. */
export function soundFile({ prompts, sounds, speech }: DialplanNames, heard: HeardPrompt): string {
  return sounds.get(heard.prompt) ?? `rotavox/${nameIn(prompts, fileKey(speech, heard))}`;
}

/** A text that menus of one flow speak in several ways has a file for each. That of the first is named after the text alone. */
export function fileKey(first: DialplanNames['speech'], { prompt, speech }: HeardPrompt): string {
  const before = first.get(prompt);
  const isAsFirst = before?.language === speech?.language && before?.voice === speech?.voice;
  if (isAsFirst || spokenTextOf(prompt) === null) return prompt;
  return [prompt, speech?.language, speech?.voice].filter(Boolean).join(' ');
}

/** What a menu may play, written as in the body; the same recording may come twice. */
export function promptsOf({ recording, wrongKey, timeout }: FlowMenu): string[] {
  return [recording, wrongKey.recording, timeout.retryRecording, timeout.lastRecording];
}

/** What a flow may play, as it is spoken there; the same may come twice. */
export function heardPrompts(flow: Flow): HeardPrompt[] {
  return [
    ...menusFromStart(flow).flatMap((menu) =>
      promptsOf(menu).map((prompt) => ({ prompt, speech: menu.speech })),
    ),
    ...Array.from(flow.messages.values(), ({ recording, speech }) => ({ prompt: recording, speech })),
  ];
}

/** The same, each prompt once. */
function promptsOfFlow(flow: Flow): string[] {
  return [...new Set(heardPrompts(flow).map(({ prompt }) => prompt))];
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

/**
 * A destination for a comment: its id as it is, with the signs of a telephone, so that nobody fills in another; any other
 * character that a comment cannot hold is `?`.
 */
export function destinationComment(destination: string): string {
  const plain = Array.from(destination.slice(0, longest), (one) =>
    /[\p{L}\p{M}\p{N} .:@*#+_()/|-]/u.test(one) ? one : '?',
  );
  const text = plain.join('').replace(/-{2,}/g, '-').replace(/ +/g, ' ').trim();
  return text.replace(/\|\|$/, '').replace(/(?<![ -])[ -]+$/, '');
}
