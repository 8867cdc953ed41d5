import type { CredentialOutline } from '../../contract/credential-view.ts';
import { subjectOf, type Telling, type Told, troubleNotice, withNotices } from './decide-notices.ts';
import type { Sight } from './tell-memory.ts';
import type { SubjectNotice } from './troubles.ts';
import { strangersWords, textOf, titleAbout } from './phrases.ts';
import { memoryOf, type TellMemory } from './tell-memory.ts';
import { stageOf, troubleOf } from './troubles.ts';

/** What a person can ask for without a window. */
export type ActionKind = 'rotate' | 'pause' | 'resume' | 'copy';

export interface FailedAction {
  readonly kind: ActionKind;
  /** The credential's. */
  readonly name: string;
  /** Why not, for the person. */
  readonly sentence: string;
}

const titles: Record<ActionKind, string> = {
  rotate: 'could not be rotated',
  pause: 'could not be paused',
  resume: 'could not be resumed',
  copy: 'could not be copied',
};

/**
 * Tells that what a person asked for failed: at once, and in quiet hours too, for they are there and wait for an answer.
 *
 * Only off is off. The failed attempt behind it is told by this, and not once more by the next look.
 */
export function failedActionNotice({ memory, shown }: Telling, wanted: FailedAction, sight: Sight): Told {
  const { snapshot, nowMs } = sight;
  if (!snapshot.settings.notifications_enabled) return { memory, shown, show: [], withdraw: [] };
  const credential = snapshot.credentials.find(({ name }) => name === wanted.name);
  // Another refusal, such as a full disk, says nothing of the credential.
  const attempted =
    wanted.kind === 'rotate' && credential?.trouble?.message === wanted.sentence ? credential : undefined;
  const told = noticeOf(wanted, attempted, nowMs);
  // What was said of this credential alone is said anew by this.
  const overtaken = [...shown]
    .filter(([id, about]) => id !== told.notice.id && about.length === 1 && about[0] === told.about[0])
    .map(([id]) => id);
  return {
    memory: attempted === undefined ? memory : withTold(memory, attempted),
    shown: withNotices(new Map([...shown].filter(([id]) => !overtaken.includes(id))), [told]),
    show: [told.notice],
    withdraw: overtaken,
  };
}

/** In the words for its trouble where an attempt has failed, otherwise in those of the refusal. */
function noticeOf(
  wanted: FailedAction,
  attempted: CredentialOutline | undefined,
  nowMs: number,
): SubjectNotice {
  const { kind, name, sentence } = wanted;
  const id = `wanted ${name}`;
  const trouble = attempted === undefined ? null : troubleOf(attempted);
  if (attempted !== undefined && trouble !== null && trouble !== 'vault') {
    return troubleNotice(id, trouble, [attempted], nowMs);
  }
  return {
    notice: {
      id,
      title: titleAbout(name, titles[kind]),
      body: textOf(strangersWords(sentence, 240)),
      action: kind === 'rotate' ? { kind: 'rotate', name } : null,
      open: { kind: 'credential', name },
      urgency: 'normal',
    },
    about: attempted === undefined ? [] : [subjectOf(attempted)],
  };
}

function withTold(memory: TellMemory, credential: CredentialOutline): TellMemory {
  const before = memoryOf(memory, credential);
  const stage = stageOf(credential);
  const noted = stage > before.noted ? stage : before.noted;
  return {
    ...memory,
    credentials: { ...memory.credentials, [credential.id]: { ...before, noted, told: noted } },
    vault: memory.vault || troubleOf(credential) === 'vault',
  };
}
