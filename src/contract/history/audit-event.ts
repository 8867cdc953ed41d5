import { z } from 'zod';
import { CredentialId } from '../credential/credential.ts';
import { Extension, SmsTemplate } from '../menu/directory.ts';
import { IvrId, IvrWarning, StoredIvr } from '../menu/ivr.ts';
import {
  DraftId,
  DraftNode,
  FlowPrompts,
  IvrDocument,
  NodeId,
  Scenario,
  ScenarioId,
} from '../menu/ivr-draft.ts';
import { MoveConfirmation } from '../service/moved-from.ts';
import { OwnerId } from '../service/owner.ts';
import { Pbx, PbxId } from '../calls/pbx.ts';
import { AppLimits, AppTokenId, ProxyRule, ProxyRuleId, ProxyUseSum } from '../credential/proxy.ts';
import { RecordingId, SpeakAll, StoredRecording } from '../menu/recording.ts';
import {
  FlowPart,
  FlowPartId,
  Schedule,
  ScheduleHours,
  ScheduleId,
  ScheduleSwitch,
} from '../menu/schedule.ts';
import { FlowSpeech, Pronunciation, PronunciationName } from '../menu/speech.ts';
import { Settings } from '../service/settings.ts';
import { ConnectionId, StoredConnection } from '../credential/tool-connection.ts';
import { FamilyId, TokenConfiguration, TokenId } from '../token/token.ts';
import { credentialEvents } from './credential-events.ts';

/** Who did it. */
export const Actor = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('owner'),
    /** Which one, and the name at that time. Without both: the owner of the machine, or from before owners had names. */
    owner_id: OwnerId.optional(),
    name: z.string().optional(),
  }),
  z.object({
    kind: z.literal('bearer'),
    token_id: TokenId,
    address: z.string(),
    user_agent: z.string().nullable(),
  }),
  z.object({ kind: z.literal('system') }),
]);
export type Actor = z.infer<typeof Actor>;

const reason = z.string().nullable();

/** What a save changed in a draft (`core/ivr/draft/document-delta.ts`). */
const DocumentDelta = z.object({
  name: z.string().optional(),
  caller: IvrDocument.shape.caller.optional(),
  /** Null where they were removed. */
  prompts: FlowPrompts.nullable().optional(),
  /** Null where the call flow is spoken as the settings have it again. */
  speech: FlowSpeech.nullable().optional(),
  set_nodes: z.array(DraftNode),
  removed_nodes: z.array(NodeId),
  /** All of them in their order, if it does not follow from the change. */
  node_order: z.array(NodeId).optional(),
  set_scenarios: z.array(Scenario),
  removed_scenarios: z.array(ScenarioId),
  scenario_order: z.array(ScenarioId).optional(),
});
export type DocumentDelta = z.infer<typeof DocumentDelta>;

/** A draft at a target where it is published. */
const draftAtTarget = z.object({
  draft_id: DraftId,
  /** Null when this service itself stored it, without a credential. */
  credential: z.string().nullable(),
  base_url: z.string(),
  /** Whether that is this service, whose address changes with its port. */
  is_here: z.boolean(),
});

/**
 * The kinds of events: the fields of `data`, which every reader of the history sees, and those of `sealed`, which
 * only the store reads (digests and encrypted replies; never a token).
 *
 * An event is the unit of storage: the state changes by applying one, live and on replay. A field may be added with a
 * default; anything else needs a new format number and a migration.
 */
export const eventKinds = {
  'token.issued': {
    data: z.object({
      token_id: TokenId,
      family_id: FamilyId,
      configuration: TokenConfiguration,
      expires_at: z.string(),
    }),
    sealed: z.object({ digest: z.string() }),
  },
  'token.rotated': {
    data: z.object({
      family_id: FamilyId,
      source_id: TokenId,
      successor_id: TokenId,
      expires_at: z.string(),
    }),
    sealed: z.object({
      digest: z.string(),
      replay: z
        .object({ key_digest: z.string(), reply: z.string(), key_epoch: z.string(), until: z.string() })
        .optional(),
    }),
  },
  'token.refreshed': {
    data: z.object({ token_id: TokenId, expires_at: z.string() }),
    sealed: z.object({ digest: z.string() }),
  },
  'token.first_used': { data: z.object({ token_id: TokenId }), sealed: z.undefined() },
  'token.suspended': { data: z.object({ token_id: TokenId, reason }), sealed: z.undefined() },
  'token.resumed': { data: z.object({ token_id: TokenId, reason }), sealed: z.undefined() },
  'token.blacklisted': { data: z.object({ token_id: TokenId, reason }), sealed: z.undefined() },
  'token.expired': { data: z.object({ token_id: TokenId, expired_at: z.string() }), sealed: z.undefined() },
  'token.reused': {
    data: z.object({ token_id: TokenId, successor_id: TokenId.nullable() }),
    sealed: z.undefined(),
  },
  /** The caller, who used a replaced token before, has used the current one. */
  'token.reuse_ended': { data: z.object({ token_id: TokenId }), sealed: z.undefined() },
  /** The owner dismissed what is known of the use of replaced tokens. */
  'token.reuse_dismissed': {
    data: z.object({ token_id: TokenId, callers: z.int() }),
    sealed: z.undefined(),
  },
  'ivr.created': {
    data: z.object({ ivr: StoredIvr }),
    /** For a call with an `Idempotency-Key`. */
    sealed: z
      .object({
        replay: z.object({
          creation_id: z.string(),
          body_digest: z.string(),
          warnings: z.array(IvrWarning),
          until: z.string(),
        }),
      })
      .optional(),
  },
  'ivr.updated': { data: z.object({ ivr: StoredIvr }), sealed: z.undefined() },
  'ivr.deleted': {
    data: z.object({
      ivr_id: IvrId,
      name: z.string(),
      /** Opening hours or a message of a published call flow, with what nothing else leads to: then no menu is deleted. */
      parts: z.array(FlowPartId).optional(),
    }),
    sealed: z.undefined(),
  },
  'draft.created': {
    data: z.object({
      draft_id: DraftId,
      document: IvrDocument,
      /** Menus that were stored in this service before. Events from before it was kept lack it. */
      stored: z.object({ base_url: z.string(), menus: z.record(z.string(), z.string()) }).optional(),
      /** Opening hours that were created with it. */
      schedules: z.array(ScheduleId).optional(),
    }),
    sealed: z.undefined(),
  },
  'draft.saved': {
    data: DocumentDelta.extend({ draft_id: DraftId, revision: z.int() }),
    sealed: z.undefined(),
  },
  'draft.deleted': { data: z.object({ draft_id: DraftId, name: z.string() }), sealed: z.undefined() },
  /** Written before a menu is sent to be created. If the reply is lost, the target is searched for this. */
  'draft.menu_sent': {
    data: draftAtTarget.extend({ node_id: NodeId, body: z.record(z.string(), z.unknown()) }),
    sealed: z.undefined(),
  },
  /** What was sent was certainly not stored. */
  'draft.menu_refused': { data: draftAtTarget.extend({ node_id: NodeId }), sealed: z.undefined() },
  'draft.menu_stored': {
    data: draftAtTarget.extend({ node_id: NodeId, ivr_id: z.string() }),
    sealed: z.undefined(),
  },
  'draft.published': {
    data: draftAtTarget.extend({
      version: z.int(),
      revision: z.int(),
      menus: z.record(z.string(), z.string()),
      document: IvrDocument,
      /** The schedules that it asks, as they were. */
      schedules: z.array(ScheduleHours).optional(),
      /** Its opening hours and messages, which are stored from then on, and those that it had before and are stored no longer. */
      parts: z.array(FlowPart).optional(),
      removed_parts: z.array(FlowPartId).optional(),
    }),
    sealed: z.undefined(),
  },
  'recording.added': { data: z.object({ recording: StoredRecording }), sealed: z.undefined() },
  'recording.renamed': {
    data: z.object({ recording_id: RecordingId, name: z.string() }),
    sealed: z.undefined(),
  },
  'recording.replaced': { data: z.object({ recording: StoredRecording }), sealed: z.undefined() },
  /** One that the program made belongs to a person from now on: it has a name, and is not removed when nothing plays it. */
  'recording.kept': {
    data: z.object({ recording_id: RecordingId, name: z.string() }),
    sealed: z.undefined(),
  },
  /** Recordings that the program made, and that nothing plays since then, or that are played again. */
  'recording.use_changed': {
    data: z.object({ unused: z.array(RecordingId), used: z.array(RecordingId) }),
    sealed: z.undefined(),
  },
  'recording.removed': {
    data: z.object({ recording_id: RecordingId, name: z.string() }),
    sealed: z.undefined(),
  },
  'extensions.changed': {
    data: z.object({ set: z.array(Extension), removed: z.array(z.string()) }),
    sealed: z.undefined(),
  },
  'pronunciations.changed': {
    data: z.object({ set: z.array(Pronunciation), removed: z.array(PronunciationName) }),
    sealed: z.undefined(),
  },
  /** All texts are being spoken. It goes on after a restart, until it has ended. */
  'speech.begun': {
    data: z.object({ what: SpeakAll.shape.what.unwrap(), total: z.int() }),
    sealed: z.undefined(),
  },
  'speech.ended': {
    data: z.object({ status: z.enum(['done', 'stopped']), failed: z.int() }),
    sealed: z.undefined(),
  },
  'sms_templates.changed': {
    data: z.object({ set: z.array(SmsTemplate), removed: z.array(z.string()) }),
    sealed: z.undefined(),
  },
  /** The subject of these is the schedule. */
  'schedule.created': { data: z.object({ schedule: Schedule }), sealed: z.undefined() },
  'schedule.changed': { data: z.object({ hours: ScheduleHours, version: z.int() }), sealed: z.undefined() },
  'schedule.switched': {
    data: ScheduleSwitch.extend({ schedule_id: ScheduleId, name: z.string() }),
    sealed: z.undefined(),
  },
  'schedule.deleted': {
    data: z.object({ schedule_id: ScheduleId, name: z.string() }),
    sealed: z.undefined(),
  },
  'settings.changed': { data: z.object({ settings: Settings.partial() }), sealed: z.undefined() },
  ...credentialEvents,
  /** The subject of these is the credential. */
  'proxy.rule_added': {
    data: ProxyRule.omit({ id: true, created_at: true }).extend({
      rule_id: ProxyRuleId,
      credential_id: CredentialId,
    }),
    sealed: z.undefined(),
  },
  'proxy.rule_removed': {
    data: z.object({
      rule_id: ProxyRuleId,
      credential_id: CredentialId,
      method: z.string(),
      path: z.string(),
    }),
    sealed: z.undefined(),
  },
  'proxy.token_issued': {
    data: z.object({
      app_token_id: AppTokenId,
      credential_id: CredentialId,
      app: z.string(),
      expires_at: z.string(),
      limits: AppLimits,
    }),
    sealed: z.object({ digest: z.string() }),
  },
  'proxy.token_revoked': {
    data: z.object({ app_token_id: AppTokenId, credential_id: CredentialId, app: z.string() }),
    sealed: z.undefined(),
  },
  /** Which requests were made within a minute. */
  'proxy.used': {
    data: z.object({ credential_id: CredentialId, minute: z.string(), uses: z.array(ProxyUseSum) }),
    sealed: z.undefined(),
  },
  /** The service of a credential sent its token back in an answer, where the proxy removed it. */
  'proxy.token_reflected': {
    // header: null for a body.
    data: z.object({ credential_id: CredentialId, app: z.string(), header: z.string().nullable() }),
    sealed: z.undefined(),
  },
  /** The subject of these is the credential. */
  'connection.added': { data: StoredConnection, sealed: z.undefined() },
  'connection.removed': {
    data: StoredConnection.pick({
      id: true,
      tool: true,
      credential_id: true,
      origin: true,
      path_prefix: true,
    }),
    sealed: z.undefined(),
  },
  /** The server of a tool has refused a token: the current one, or one that a rotation replaced meanwhile. */
  'connection.token_refused': {
    data: z.object({
      connection_id: ConnectionId,
      credential_id: CredentialId,
      tool: z.string(),
      generation: z.int(),
      is_current: z.boolean(),
      /** Milliseconds since the rotation that replaced it; null for the current one. */
      since_rotation_ms: z.int().nullable(),
    }),
    sealed: z.undefined(),
  },
  /** The subject of these is the telephone system. */
  'pbx.added': { data: z.object({ pbx: Pbx }), sealed: z.undefined() },
  'pbx.changed': {
    data: z.object({
      pbx: Pbx,
      /** Whether its password was replaced too. */
      has_new_password: z.boolean(),
    }),
    sealed: z.undefined(),
  },
  'pbx.removed': { data: z.object({ pbx_id: PbxId, name: z.string() }), sealed: z.undefined() },
  /** How many records of calls were deleted at the owner's wish. Not whose. */
  'calls.forgotten': { data: z.object({ deleted: z.int() }), sealed: z.undefined() },
  /** The data are used here from then on, and not where they come from. The subject is `folder`. */
  'folder.move_confirmed': { data: MoveConfirmation, sealed: z.undefined() },
  /** The subject of these is the owner. */
  'owner.added': {
    data: z.object({ owner_id: OwnerId, name: z.string() }),
    sealed: z.object({ digest: z.string() }),
  },
  'owner.revoked': { data: z.object({ owner_id: OwnerId, name: z.string() }), sealed: z.undefined() },
  /** The key was used: to sign a browser in, or in calls, which are recorded once an hour at most for each address. */
  'owner.signed_in': {
    data: z.object({
      owner_id: OwnerId,
      name: z.string(),
      way: z.enum(['browser', 'key']),
      address: z.string(),
    }),
    sealed: z.undefined(),
  },
  /** Somebody tried keys that are not valid. `attempts`: since the last such event. Its subject is `owners`. */
  'owner.sign_in_failed': {
    data: z.object({ address: z.string(), attempts: z.int() }),
    sealed: z.undefined(),
  },
  /** Up to how many events nothing but their hashes shows who wrote them; every later one has the mark of a host. */
  'journal.sealed': {
    data: z.object({ events: z.int() }),
    sealed: z.undefined(),
  },
  'journal.repaired': {
    data: z.object({ file: z.string(), bytes_cut: z.int(), kept_as: z.string(), explanation: z.string() }),
    sealed: z.undefined(),
  },
} as const;

export type EventKind = keyof typeof eventKinds;
export const eventKindNames = Object.keys(eventKinds) as [EventKind, ...EventKind[]];

/** An event before the store has assigned its `seq` and its instant. */
export type EventDraft<K extends EventKind = EventKind> = {
  [P in K]: {
    readonly kind: P;
    /** The family, the IVR or the credential that it belongs to: histories are read by it. */
    readonly subject: string;
    readonly actor: Actor;
    readonly data: z.infer<(typeof eventKinds)[P]['data']>;
  } & (undefined extends z.infer<(typeof eventKinds)[P]['sealed']>
    ? { readonly sealed?: z.infer<(typeof eventKinds)[P]['sealed']> }
    : { readonly sealed: z.infer<(typeof eventKinds)[P]['sealed']> });
}[K];

/** A stored event: `seq` counts from 1 without a gap, `at` is the instant (ISO, UTC) on the service's clock. */
export type AuditEvent<K extends EventKind = EventKind> = EventDraft<K> & {
  readonly seq: number;
  readonly at: string;
};

/** An event as history shows it: nothing sealed. The kind is open, so that an older reader can show a newer event. */
export const HistoryEvent = z.object({
  seq: z.int(),
  at: z.string(),
  kind: z.string(),
  subject: z.string(),
  actor: Actor,
  data: z.record(z.string(), z.unknown()),
});
export type HistoryEvent = z.infer<typeof HistoryEvent>;
