import type { AuditEvent } from '../contract/history/audit-event.ts';
import type { RecordingId } from '../contract/menu/recording.ts';
import type { FamilyId, TokenId } from '../contract/token/token.ts';
import { isOwnCall } from '../contract/service/own-call.ts';
import { withoutFormerDefault } from './calls/change-pbx.ts';
import { applyConnectionEvent } from './connection/change-connection.ts';
import { applyCredentialEvent } from './credential/apply-credential-event.ts';
import { instantMs } from './iso-instant.ts';
import { applyDraftEvent } from './ivr/draft/apply-draft-event.ts';
import { applyOwnerEvent } from './owner/change-owners.ts';
import { applyProxyEvent } from './proxy/apply-proxy-event.ts';
import { changedSettings } from './change-settings.ts';
import { keptByPerson, recordingOf } from './recording/change-recording.ts';
import { applyScheduleEvent } from './schedule/apply-schedule-event.ts';
import { pronunciationId } from './speech/pronunciation.ts';
import type { State } from './state.ts';
import type { Table } from './table.ts';
import { noteUses } from './use/credential-use.ts';
import { handoutUsers } from './use/known-users.ts';
import { withoutCaller, withReuse } from './token/reuse.ts';
import { dayMs, type Reuse, type Token } from './token/token-record.ts';
import { invariant, unreachable } from './unreachable.ts';

/** How long an expired access token is still known as expired before it is forgotten. */
const expiredAccessKeptMs = dayMs;

/**
 * Applies an event to the state in memory: the only way in which the state changes, live and on replay.
 *
 * It decides nothing and reads no clock. An event that does not fit the state is a bug or a damaged journal, and
 * throws.
 */
export function applyEvent(state: State, event: AuditEvent): void {
  const atMs = instantMs(event.at);
  switch (event.kind) {
    case 'token.issued': {
      const { data } = event;
      state.tokens.addFamily(data.family_id, data.configuration);
      addActiveToken(state, 1, event, atMs);
      return;
    }
    case 'token.rotated': {
      const { data, sealed } = event;
      const source = state.tokens.ofFamily(data.family_id, state.tokens.generationsOf(data.family_id));
      invariant(source?.id === data.source_id, `${data.source_id} is the newest of its family`);
      const { replay } = sealed;
      state.tokens.replace(source, {
        ...source,
        status: 'Superseded',
        changedAtMs: atMs,
        endedAtMs: atMs,
        firstUsedAtMs: source.firstUsedAtMs ?? atMs,
        isOnlyChecked: source.firstUsedAtMs === null ? isOwnCall(event.actor) : source.isOnlyChecked,
        replay:
          replay === undefined
            ? null
            : {
                keyDigest: replay.key_digest,
                sealedReply: replay.reply,
                keyEpoch: replay.key_epoch,
                untilMs: instantMs(replay.until),
              },
      });
      const successor = addActiveToken(state, source.generation + 1, event, atMs);
      invariant(successor.id === data.successor_id, `${data.successor_id} follows ${source.id}`);
      return;
    }
    case 'token.refreshed': {
      const { data, sealed } = event;
      // Oldest first, and nearly in the order in which they expire. What is forgotten here is also forgotten on replay.
      for (const access of state.accessTokens.values()) {
        if (access.expiresAtMs > atMs - expiredAccessKeptMs) break;
        state.accessTokens.delete(access.digest);
      }
      state.accessTokens.set(sealed.digest, {
        digest: sealed.digest,
        parentId: data.token_id,
        createdAtMs: atMs,
        expiresAtMs: instantMs(data.expires_at),
      });
      return;
    }
    case 'token.first_used':
      changeToken(state, event.data.token_id, () => ({
        firstUsedAtMs: atMs,
        isOnlyChecked: isOwnCall(event.actor),
      }));
      return;
    case 'token.suspended': {
      const { reason } = event.data;
      changeToken(state, event.data.token_id, () => ({ status: 'Suspended', reason, changedAtMs: atMs }));
      return;
    }
    case 'token.resumed': {
      const { reason } = event.data;
      changeToken(state, event.data.token_id, () => ({ status: 'Active', reason, changedAtMs: atMs }));
      return;
    }
    case 'token.blacklisted': {
      const { reason } = event.data;
      changeToken(state, event.data.token_id, () => ({
        status: 'Blacklisted',
        reason,
        changedAtMs: atMs,
        endedAtMs: atMs,
      }));
      return;
    }
    case 'token.expired': {
      const endedAtMs = instantMs(event.data.expired_at);
      changeToken(state, event.data.token_id, () => ({
        status: 'Expired',
        changedAtMs: endedAtMs,
        endedAtMs,
      }));
      return;
    }
    case 'ivr.created':
      state.ivrs.set(event.data.ivr.id, event.data.ivr);
      keepCreation(state, event, atMs);
      return;
    case 'ivr.updated':
      state.ivrs.set(event.data.ivr.id, event.data.ivr);
      return;
    case 'ivr.deleted':
      state.ivrs.delete(event.data.ivr_id);
      for (const part of event.data.parts ?? []) state.flowParts.delete(part);
      return;
    case 'draft.created':
    case 'draft.saved':
    case 'draft.deleted':
    case 'draft.menu_sent':
    case 'draft.menu_refused':
    case 'draft.menu_stored':
    case 'draft.published':
      applyDraftEvent(state, event);
      return;
    case 'recording.added':
    case 'recording.renamed':
    case 'recording.replaced':
    case 'recording.kept':
    case 'recording.use_changed':
    case 'recording.removed':
      applyRecordingEvent(state, event);
      return;
    case 'pronunciations.changed':
      changeEntries(state.pronunciations, {
        set: event.data.set.map((one) => ({ ...one, id: pronunciationId(one) })),
        removed: event.data.removed.map(pronunciationId),
      });
      return;
    case 'speech.begun':
      state.speaking.set('all', { id: 'all', ...event.data, started_at: event.at });
      return;
    case 'speech.ended':
      state.speaking.delete('all');
      return;
    case 'extensions.changed':
      changeEntries(state.extensions, event.data);
      return;
    case 'sms_templates.changed':
      changeEntries(state.smsTemplates, event.data);
      return;
    case 'schedule.created':
    case 'schedule.changed':
    case 'schedule.switched':
    case 'schedule.deleted':
      applyScheduleEvent(state, event);
      return;
    case 'settings.changed': {
      state.setSettings(changedSettings(state.settings, event.data.settings));
      return;
    }
    case 'token.reused': {
      const { actor, data, subject } = event;
      if (actor.kind !== 'bearer') return;
      const { address, user_agent: userAgent } = actor;
      changeReuses(state, subject, (reuses) =>
        withReuse(reuses, { tokenId: data.token_id, atMs, address, userAgent }),
      );
      return;
    }
    case 'token.reuse_ended': {
      const { actor, subject } = event;
      if (actor.kind !== 'bearer') return;
      const { address, user_agent: userAgent } = actor;
      changeReuses(state, subject, (reuses) => withoutCaller(reuses, { address, userAgent }));
      return;
    }
    case 'token.reuse_dismissed':
      changeReuses(state, event.subject, () => []);
      return;
    case 'credential.added':
    case 'credential.policy_changed':
    case 'credential.address_changed':
    case 'credential.inputs_changed':
    case 'credential.paused':
    case 'credential.resumed':
    case 'credential.rotation_begun':
    case 'credential.rotation_failed':
    case 'credential.checked':
    case 'credential.rotated':
    case 'credential.renewed':
    case 'credential.retired':
    case 'credential.retire_failed':
    case 'credential.standby_changed':
    case 'credential.value_replaced':
    case 'credential.removed':
    case 'credential.target_added':
    case 'credential.target_removed':
    case 'credential.delivered':
    case 'credential.delivery_failed':
      applyCredentialEvent(state, event);
      return;
    case 'credential.used':
      noteUses(state, event.data.credential_id, handoutUsers(event.data.uses));
      return;
    case 'proxy.rule_added':
    case 'proxy.rule_removed':
    case 'proxy.token_issued':
    case 'proxy.token_revoked':
    case 'proxy.used':
    case 'proxy.token_reflected':
      applyProxyEvent(state, event);
      return;
    case 'connection.added':
    case 'connection.removed':
    case 'connection.token_refused':
      applyConnectionEvent(state, event);
      return;
    case 'pbx.added':
    case 'pbx.changed':
      state.pbxs.set(event.data.pbx.id, withoutFormerDefault(event.data.pbx));
      return;
    case 'pbx.removed':
      state.pbxs.delete(event.data.pbx_id);
      return;
    case 'owner.added':
    case 'owner.revoked':
    case 'owner.signed_in':
    case 'owner.sign_in_failed':
      applyOwnerEvent(state, event);
      return;
    case 'calls.forgotten':
    case 'folder.move_confirmed':
    case 'journal.sealed':
    case 'journal.repaired':
      return; // recorded for the history only; they change no state
    default:
      unreachable(event);
  }
}

/** Forgets what can no longer be asked for; on replay the same. */
function keepCreation(
  { ivrCreations }: State,
  { data, sealed }: AuditEvent<'ivr.created'>,
  atMs: number,
): void {
  if (sealed === undefined) return;
  for (const old of ivrCreations.values()) {
    if (old.untilMs > atMs) break;
    ivrCreations.delete(old.id);
  }
  const { creation_id: id, body_digest: bodyDigest, warnings, until } = sealed.replay;
  // At the end, because the oldest are forgotten first.
  ivrCreations.delete(id);
  ivrCreations.set(id, { id, bodyDigest, ivrId: data.ivr.id, warnings, untilMs: instantMs(until) });
}

/** A token as it is created, whether it was issued or is a successor. */
function addActiveToken(
  state: State,
  generation: number,
  { data, sealed }: AuditEvent<'token.issued' | 'token.rotated'>,
  atMs: number,
): Token {
  return state.tokens.add({
    familyId: data.family_id,
    generation,
    digest: sealed.digest,
    status: 'Active',
    createdAtMs: atMs,
    expiresAtMs: instantMs(data.expires_at),
    firstUsedAtMs: null,
    isOnlyChecked: false,
    changedAtMs: atMs,
    endedAtMs: null,
    reason: null,
    replay: null,
  });
}

function changeEntries<Entry extends { readonly id: string }>(
  table: Table<string, Entry>,
  { set, removed }: { readonly set: readonly Entry[]; readonly removed: readonly string[] },
): void {
  for (const id of removed) table.delete(id);
  for (const entry of set) table.set(entry.id, entry);
}

function tokenOf(state: State, id: TokenId): Token {
  const token = state.tokens.get(id);
  invariant(token !== undefined, `token ${id} is known`);
  return token;
}

function changeToken(state: State, id: TokenId, change: (token: Token) => Partial<Token>): void {
  const token = tokenOf(state, id);
  state.tokens.replace(token, { ...token, ...change(token) });
}

function changeReuses(
  { tokens }: State,
  subject: string,
  change: (reuses: readonly Reuse[]) => readonly Reuse[],
): void {
  const family = tokens.family(subject as FamilyId);
  invariant(family !== undefined, `family ${subject} is known`);
  tokens.setReuses(family.id, change(family.reuses));
}

export type RecordingEvent = Extract<AuditEvent, { kind: `recording.${string}` }>;

/** Applies an event of a recording to the state. Its audio is a file, not part of the state. */
function applyRecordingEvent({ recordings }: State, event: RecordingEvent): void {
  switch (event.kind) {
    case 'recording.added':
    case 'recording.replaced':
      recordings.set(event.data.recording.id, recordingOf(event.data.recording));
      return;
    case 'recording.kept':
    case 'recording.renamed': {
      const { recording_id: id, name } = event.data;
      const recording = recordings.get(id);
      invariant(recording !== undefined, `recording ${id} is known`);
      const kept = event.kind === 'recording.kept' ? keptByPerson(recording) : {};
      recordings.set(id, { ...recording, ...kept, name, updated_at: event.at });
      return;
    }
    case 'recording.use_changed':
      for (const id of event.data.unused) setUnused(id, event.at);
      for (const id of event.data.used) setUnused(id, null);
      return;
    case 'recording.removed':
      recordings.delete(event.data.recording_id);
      return;
    default:
      unreachable(event);
  }

  function setUnused(id: RecordingId, since: string | null): void {
    const recording = recordings.get(id);
    invariant(recording !== undefined, `recording ${id} is known`);
    recordings.set(id, { ...recording, unused_since: since });
  }
}
