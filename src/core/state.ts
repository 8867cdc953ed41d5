import type { CredentialId } from '../contract/credential/credential.ts';
import type { Extension, SmsTemplate } from '../contract/menu/directory.ts';
import type { DraftId } from '../contract/menu/ivr-draft.ts';
import type { IvrId, StoredIvr } from '../contract/menu/ivr.ts';
import type { ConnectionId, ConnectionRecord } from '../contract/credential/tool-connection.ts';
import type { OwnerId } from '../contract/service/owner.ts';
import type { Pbx, PbxId } from '../contract/calls/pbx.ts';
import type { AppTokenId, ProxyRuleId } from '../contract/credential/proxy.ts';
import type { Recording, RecordingId, SpeakingJob } from '../contract/menu/recording.ts';
import type { FlowPart, FlowPartId, Schedule, ScheduleId } from '../contract/menu/schedule.ts';
import type { Pronunciation } from '../contract/menu/speech.ts';
import { defaultSettings, type Settings } from '../contract/service/settings.ts';
import type { Credential } from './credential/credential-state.ts';
import type { Draft } from './ivr/draft/draft.ts';
import type { IvrCreation } from './ivr/repeated-creation.ts';
import type { Owner } from './owner/owner-record.ts';
import type { AppToken, ProxyRule } from './proxy/proxy-state.ts';
import type { KnownUsers } from './use/known-users.ts';
import { type Restorable, Table, UndoLog } from './table.ts';
import { TokenTable } from './token/token-table.ts';
import type { AccessToken } from './token/token-record.ts';

export interface Speaking extends Pick<SpeakingJob, 'what' | 'total' | 'started_at'> {
  readonly id: 'all';
}

/** The current state, in memory. Only `applyEvent` and the store's loader write to it. */
export class State implements Restorable {
  readonly undo = new UndoLog();
  readonly tokens = new TokenTable(this.undo);
  readonly accessTokens = new Table<string, AccessToken>(this.undo);
  readonly ivrs = new Table<IvrId, StoredIvr>(this.undo);
  /** Of the last day, oldest first. */
  readonly ivrCreations = new Table<string, IvrCreation>(this.undo);
  readonly drafts = new Table<DraftId, Draft>(this.undo);
  readonly recordings = new Table<RecordingId, Recording>(this.undo);
  readonly pronunciations = new Table<string, Pronunciation & { readonly id: string }>(this.undo);
  /** The work of speaking all texts, while it is not over: one at most. */
  readonly speaking = new Table<'all', Speaking>(this.undo);
  readonly extensions = new Table<string, Extension>(this.undo);
  readonly smsTemplates = new Table<string, SmsTemplate>(this.undo);
  readonly schedules = new Table<ScheduleId, Schedule>(this.undo);
  /** Opening hours and messages of published call flows. */
  readonly flowParts = new Table<FlowPartId, FlowPart>(this.undo);
  readonly credentials = new Table<CredentialId, Credential>(this.undo);
  readonly proxyRules = new Table<ProxyRuleId, ProxyRule>(this.undo);
  readonly appTokens = new Table<AppTokenId, AppToken>(this.undo);
  readonly connections = new Table<ConnectionId, ConnectionRecord>(this.undo);
  readonly knownUsers = new Table<CredentialId, KnownUsers>(this.undo);
  readonly pbxs = new Table<PbxId, Pbx>(this.undo);
  readonly owners = new Table<OwnerId, Owner>(this.undo);
  #settings: Settings = defaultSettings;

  get settings(): Settings {
    return this.#settings;
  }

  setSettings(settings: Settings): void {
    this.undo.note(this, 'settings', this.#settings);
    this.#settings = settings;
  }

  /** Rolls back what the tables do not hold themselves. */
  restore(_what: 'settings', before: Settings): void {
    this.#settings = before;
  }
}
