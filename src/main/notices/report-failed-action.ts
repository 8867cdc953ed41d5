import type { CredentialOutline } from '../../contract/credential-view.ts';
import {
  subjectOf,
  type NoticeState,
  type NoticeChanges,
  troubleNotice,
  withNotices,
} from './decide-notices.ts';
import type { NoticeInput } from './notice-memory.ts';
import type { SubjectNotice } from './troubles.ts';
import { type ActionKind, failedActionNoticeText } from '../../text/notices.ts';
import { memoryOf, type NoticeMemory } from './notice-memory.ts';
import { stageOf, troubleOf } from './troubles.ts';

export interface FailedAction {
  readonly kind: ActionKind;
  /** The credential's. */
  readonly name: string;
  /** Why, for the person. */
  readonly reason: string;
}

/**
 * Reports an action of a person that failed: immediately, also in quiet hours, because the person waits for the result.
 *
 * Not while notices are switched off. The failed attempt then counts as reported.
 */
export function reportFailedAction(
  { memory, shown }: NoticeState,
  failed: FailedAction,
  input: NoticeInput,
): NoticeChanges {
  const { snapshot, nowMs } = input;
  if (!snapshot.settings.notifications_enabled) return { memory, shown, show: [], withdraw: [] };
  const credential = snapshot.credentials.find(({ name }) => name === failed.name);
  // Another refusal, such as a full disk, is not a trouble of the credential.
  const attempted =
    failed.kind === 'rotate' && credential?.trouble?.message === failed.reason ? credential : undefined;
  const notice = noticeOf(failed, attempted, nowMs);
  // An earlier notice about this credential alone is replaced.
  const replaced = [...shown]
    .filter(([id, about]) => id !== notice.notice.id && about.length === 1 && about[0] === notice.about[0])
    .map(([id]) => id);
  return {
    memory: attempted === undefined ? memory : withReported(memory, attempted),
    shown: withNotices(new Map([...shown].filter(([id]) => !replaced.includes(id))), [notice]),
    show: [notice.notice],
    withdraw: replaced,
  };
}

/** About the trouble of the credential if an attempt has failed, otherwise about the refusal. */
function noticeOf(
  failed: FailedAction,
  attempted: CredentialOutline | undefined,
  nowMs: number,
): SubjectNotice {
  const { kind, name, reason } = failed;
  const id = `wanted ${name}`;
  const trouble = attempted === undefined ? null : troubleOf(attempted);
  if (attempted !== undefined && trouble !== null && trouble !== 'vault') {
    return troubleNotice(id, trouble, [attempted], nowMs);
  }
  return {
    notice: {
      id,
      ...failedActionNoticeText(kind, name, reason),
      action: kind === 'rotate' ? { kind: 'rotate', name } : null,
      open: { kind: 'credential', name },
      urgency: 'normal',
    },
    about: attempted === undefined ? [] : [subjectOf(attempted)],
  };
}

function withReported(memory: NoticeMemory, credential: CredentialOutline): NoticeMemory {
  const before = memoryOf(memory, credential);
  const stage = stageOf(credential);
  const noted = stage > before.noted ? stage : before.noted;
  return {
    ...memory,
    credentials: { ...memory.credentials, [credential.id]: { ...before, noted, told: noted } },
    vault: memory.vault || troubleOf(credential) === 'vault',
  };
}
