import type { CredentialId } from '../contract/credential/credential.ts';
import type { IvrId, IvrWarning } from '../contract/menu/ivr.ts';
import type { OwnerId } from '../contract/service/owner.ts';
import type { AppLimits, AppTokenId, ProxyRuleId, RuleMethod } from '../contract/credential/proxy.ts';
import type { Settings } from '../contract/service/settings.ts';
import type { FamilyId, TokenConfiguration, TokenId, TokenStatus } from '../contract/token/token.ts';
import { withoutFormerDefault } from '../core/calls/change-pbx.ts';
import { instantMs, isoInstant } from '../core/iso-instant.ts';
import type { IvrCreation } from '../core/ivr/repeated-creation.ts';
import type { Owner } from '../core/owner/owner-record.ts';
import type { AppToken, ProxyRule } from '../core/proxy/proxy-state.ts';
import { recordingOf } from '../core/recording/change-recording.ts';
import type { State } from '../core/state.ts';
import type { Table } from '../core/table.ts';
import type { KnownUsers } from '../core/use/known-users.ts';
import type { UseWay } from '../contract/credential/use.ts';
import type { AccessToken, Token, TokenFamily } from '../core/token/token-record.ts';
import { credentialOfRecord, credentialRecordOf } from './credential-record.ts';
import { draftOfRecord, draftRecordOf } from './draft-record.ts';

/**
 * How rows of the state look in the state file: one JSON object each, ISO instants, nothing that is null. Loading what was
 * encoded gives the same rows, in the same order.
 */
export interface TableCodec<Row> {
  readonly name: string;
  rows(state: State): Iterable<Row>;
  encode(row: Row): string;
  load(state: State, record: unknown): void;
}

interface TokenRecord {
  id: TokenId;
  family_id: FamilyId;
  generation: number;
  digest: string;
  status: TokenStatus;
  created_at: string;
  expires_at: string;
  first_used_at?: string;
  only_checked?: true;
  /** Left out where the rest tells it, see `lastChangeMs`. */
  changed_at?: string;
  ended_at?: string;
  reason?: string;
  replay?: { key_digest: string; reply: string; key_epoch: string; until: string };
}

interface AccessTokenRecord {
  digest: string;
  parent_id: TokenId;
  created_at: string;
  expires_at: string;
}

interface KnownUsersRecord {
  credential_id: CredentialId;
  users: {
    way: UseWay;
    name?: string;
    last_at: string;
    generation: number;
    hours: readonly (readonly [hour: number, count: number])[];
  }[];
}

interface ProxyRuleRecord {
  id: ProxyRuleId;
  credential_id: CredentialId;
  method: RuleMethod;
  path: string;
  app?: string;
  private_network?: true;
  scrub?: true;
  created_at: string;
}

interface AppTokenRecord {
  id: AppTokenId;
  credential_id: CredentialId;
  app: string;
  digest: string;
  created_at: string;
  expires_at: string;
  limits: AppLimits;
  requests?: number;
  last_used_at?: string;
  last_generation?: number;
}

interface OwnerRecord {
  id: OwnerId;
  name: string;
  digest: string;
  created_at: string;
  last_used_at?: string;
}

interface FamilyRecord {
  id: FamilyId;
  configuration: TokenConfiguration;
  /** The last of them, in records from before all were kept. */
  last_reuse?: ReuseRecord;
  reuses?: (ReuseRecord & { count: number; first_at: string })[];
}

interface ReuseRecord {
  token_id: TokenId;
  at: string;
  address: string;
  user_agent: string | null;
}

const families: TableCodec<TokenFamily> = {
  name: 'families',
  rows: (state) => state.tokens.families(),
  encode({ id, configuration, reuses }) {
    const record: FamilyRecord = { id, configuration };
    if (reuses.length > 0) {
      record.reuses = reuses.map(({ tokenId, count, firstAtMs, atMs, address, userAgent }) => ({
        token_id: tokenId,
        count,
        first_at: isoInstant(firstAtMs),
        at: isoInstant(atMs),
        address,
        user_agent: userAgent,
      }));
    }
    return JSON.stringify(record);
  },
  load(state, record) {
    const { id, configuration, last_reuse: last, reuses } = record as FamilyRecord;
    state.tokens.addFamily(id, configuration);
    const known = reuses ?? (last === undefined ? [] : [{ ...last, count: 1, first_at: last.at }]);
    if (known.length === 0) return;
    state.tokens.setReuses(
      id,
      known.map(({ token_id: tokenId, count, first_at, at, address, user_agent: userAgent }) => ({
        tokenId,
        count,
        firstAtMs: instantMs(first_at),
        atMs: instantMs(at),
        address,
        userAgent,
      })),
    );
  },
};

const tokens: TableCodec<Token> = {
  name: 'tokens',
  rows: (state) => state.tokens.values(),
  encode(token) {
    let line =
      `{"id":"${token.id}","family_id":"${token.familyId}","generation":${token.generation},` +
      `"digest":"${token.digest}","status":"${token.status}","created_at":"${isoInstant(token.createdAtMs)}",` +
      `"expires_at":"${isoInstant(token.expiresAtMs)}"`;
    if (token.firstUsedAtMs !== null) line += `,"first_used_at":"${isoInstant(token.firstUsedAtMs)}"`;
    if (token.isOnlyChecked) line += `,"only_checked":true`;
    if (token.changedAtMs !== null && token.changedAtMs !== lastChangeMs(token)) {
      line += `,"changed_at":"${isoInstant(token.changedAtMs)}"`;
    }
    if (token.endedAtMs !== null) line += `,"ended_at":"${isoInstant(token.endedAtMs)}"`;
    if (token.reason !== null) line += `,"reason":${JSON.stringify(token.reason)}`;
    if (token.replay !== null) {
      const { keyDigest, sealedReply, keyEpoch, untilMs } = token.replay;
      const replay = {
        key_digest: keyDigest,
        reply: sealedReply,
        key_epoch: keyEpoch,
        until: isoInstant(untilMs),
      };
      line += `,"replay":${JSON.stringify(replay)}`;
    }
    return `${line}}`;
  },
  load(state, record) {
    const row = record as TokenRecord;
    const createdAtMs = instantMs(row.created_at);
    const endedAtMs = row.ended_at === undefined ? null : instantMs(row.ended_at);
    state.tokens.add({
      familyId: row.family_id,
      generation: row.generation,
      digest: row.digest,
      status: row.status,
      createdAtMs,
      expiresAtMs: instantMs(row.expires_at),
      firstUsedAtMs: row.first_used_at === undefined ? null : instantMs(row.first_used_at),
      isOnlyChecked: row.only_checked ?? false,
      changedAtMs:
        row.changed_at === undefined
          ? lastChangeMs({ status: row.status, endedAtMs, createdAtMs })
          : instantMs(row.changed_at),
      endedAtMs,
      reason: row.reason ?? null,
      replay:
        row.replay === undefined
          ? null
          : {
              keyDigest: row.replay.key_digest,
              sealedReply: row.replay.reply,
              keyEpoch: row.replay.key_epoch,
              untilMs: instantMs(row.replay.until),
            },
    });
  },
};

/** When the status of a token last changed, as far as its other instants show; a suspension has no instant. */
function lastChangeMs({
  status,
  endedAtMs,
  createdAtMs,
}: Pick<Token, 'status' | 'endedAtMs' | 'createdAtMs'>): number | null {
  return endedAtMs ?? (status === 'Suspended' ? null : createdAtMs);
}

const accessTokens: TableCodec<AccessToken> = {
  name: 'access_tokens',
  rows: (state) => state.accessTokens.values(),
  encode: (access) =>
    JSON.stringify({
      digest: access.digest,
      parent_id: access.parentId,
      created_at: isoInstant(access.createdAtMs),
      expires_at: isoInstant(access.expiresAtMs),
    } satisfies AccessTokenRecord),
  load(state, record) {
    const row = record as AccessTokenRecord;
    state.accessTokens.set(row.digest, {
      digest: row.digest,
      parentId: row.parent_id,
      createdAtMs: instantMs(row.created_at),
      expiresAtMs: instantMs(row.expires_at),
    });
  },
};

interface IvrCreationRecord {
  id: string;
  body_digest: string;
  ivr_id: IvrId;
  warnings?: readonly IvrWarning[];
  until: string;
}

/** An older program, which does not know it, reads the rest. */
const ivrCreations = recordTable(
  'ivr_creations',
  (state) => state.ivrCreations,
  ({ id, bodyDigest, ivrId, warnings, untilMs }: IvrCreation): IvrCreationRecord => ({
    id,
    body_digest: bodyDigest,
    ivr_id: ivrId,
    ...(warnings.length === 0 ? {} : { warnings }),
    until: isoInstant(untilMs),
  }),
  ({ id, body_digest: bodyDigest, ivr_id: ivrId, warnings = [], until }) => ({
    id,
    bodyDigest,
    ivrId,
    warnings,
    untilMs: instantMs(until),
  }),
);

function recordTable<Id extends string, Row extends { readonly id: Id }, Stored>(
  name: string,
  tableOf: (state: State) => Table<Id, Row>,
  recordOf: (row: Row) => Stored,
  rowOf: (record: Stored) => Row,
): TableCodec<Row> {
  return {
    name,
    rows: (state) => tableOf(state).values(),
    encode: (row) => JSON.stringify(recordOf(row)),
    load(state, record) {
      const row = rowOf(record as Stored);
      tableOf(state).set(row.id, row);
    },
  };
}

/** A table whose rows are stored unchanged. */
function plainTable<Id extends string, Row extends { readonly id: Id }>(
  name: string,
  tableOf: (state: State) => Table<Id, Row>,
): TableCodec<Row> {
  return recordTable<Id, Row, Row>(name, tableOf, unchanged, unchanged);
}

const unchanged = <Row>(row: Row): Row => row;

const drafts = recordTable('drafts', (state) => state.drafts, draftRecordOf, draftOfRecord);

const settings: TableCodec<Settings> = {
  name: 'settings',
  rows: (state) => [state.settings],
  encode: (row) => JSON.stringify(row),
  load(state, record) {
    state.setSettings({ ...state.settings, ...(record as Partial<Settings>) });
  },
};

const credentials = recordTable(
  'credentials',
  (state) => state.credentials,
  credentialRecordOf,
  credentialOfRecord,
);

const proxyRules: TableCodec<ProxyRule> = {
  name: 'proxy_rules',
  rows: (state) => state.proxyRules.values(),
  encode: ({ id, credentialId, method, path, app, isPrivateAllowed, isScrubbed, createdAtMs }) =>
    JSON.stringify({
      id,
      credential_id: credentialId,
      method,
      path,
      ...(app === null ? {} : { app }),
      ...(isPrivateAllowed ? { private_network: true } : {}),
      ...(isScrubbed ? { scrub: true } : {}),
      created_at: isoInstant(createdAtMs),
    } satisfies ProxyRuleRecord),
  load(state, record) {
    const row = record as ProxyRuleRecord;
    state.proxyRules.set(row.id, {
      id: row.id,
      credentialId: row.credential_id,
      method: row.method,
      path: row.path,
      app: row.app ?? null,
      isPrivateAllowed: row.private_network ?? false,
      isScrubbed: row.scrub ?? false,
      createdAtMs: instantMs(row.created_at),
    });
  },
};

const appTokens: TableCodec<AppToken> = {
  name: 'app_tokens',
  rows: (state) => state.appTokens.values(),
  encode: ({ id, credentialId, app, digest, createdAtMs, expiresAtMs, limits, use }) =>
    JSON.stringify({
      id,
      credential_id: credentialId,
      app,
      digest,
      created_at: isoInstant(createdAtMs),
      expires_at: isoInstant(expiresAtMs),
      limits,
      ...(use.requests === 0 ? {} : { requests: use.requests }),
      ...(use.lastAtMs === null ? {} : { last_used_at: isoInstant(use.lastAtMs) }),
      ...(use.lastGeneration === null ? {} : { last_generation: use.lastGeneration }),
    } satisfies AppTokenRecord),
  load(state, record) {
    const row = record as AppTokenRecord;
    state.appTokens.set(row.id, {
      id: row.id,
      credentialId: row.credential_id,
      app: row.app,
      digest: row.digest,
      createdAtMs: instantMs(row.created_at),
      expiresAtMs: instantMs(row.expires_at),
      limits: row.limits,
      use: {
        requests: row.requests ?? 0,
        lastAtMs: row.last_used_at === undefined ? null : instantMs(row.last_used_at),
        lastGeneration: row.last_generation ?? null,
      },
    });
  },
};

const knownUsers: TableCodec<KnownUsers> = {
  name: 'known_users',
  rows: (state) => state.knownUsers.values(),
  encode: ({ id, users }) =>
    JSON.stringify({
      credential_id: id,
      users: users.map(({ way, name, lastAtMs, generation, hours }) => ({
        way,
        ...(name === null ? {} : { name }),
        last_at: isoInstant(lastAtMs),
        generation,
        hours,
      })),
    } satisfies KnownUsersRecord),
  load(state, record) {
    const { credential_id: id, users } = record as KnownUsersRecord;
    state.knownUsers.set(id, {
      id,
      users: users.map(({ way, name = null, last_at, generation, hours }) => ({
        way,
        name,
        lastAtMs: instantMs(last_at),
        generation,
        hours,
      })),
    });
  },
};

const owners = recordTable(
  'owners',
  (state) => state.owners,
  ({ id, name, digest, createdAtMs, lastUsedAtMs }: Owner): OwnerRecord => ({
    id,
    name,
    digest,
    created_at: isoInstant(createdAtMs),
    ...(lastUsedAtMs === null ? {} : { last_used_at: isoInstant(lastUsedAtMs) }),
  }),
  ({ id, name, digest, created_at, last_used_at }) => ({
    id,
    name,
    digest,
    createdAtMs: instantMs(created_at),
    lastUsedAtMs: last_used_at === undefined ? null : instantMs(last_used_at),
  }),
);

/** In the order in which they must be loaded. */
export const tableCodecs: readonly TableCodec<unknown>[] = [
  settings,
  families,
  tokens,
  accessTokens,
  plainTable('ivrs', ({ ivrs }) => ivrs),
  ivrCreations,
  drafts,
  recordTable('recordings', ({ recordings }) => recordings, unchanged, recordingOf),
  plainTable('pronunciations', ({ pronunciations }) => pronunciations),
  plainTable('speaking', ({ speaking }) => speaking),
  plainTable('extensions', ({ extensions }) => extensions),
  plainTable('sms_templates', ({ smsTemplates }) => smsTemplates),
  plainTable('schedules', ({ schedules }) => schedules),
  plainTable('flow_parts', ({ flowParts }) => flowParts),
  credentials,
  proxyRules,
  appTokens,
  plainTable('connections', ({ connections }) => connections),
  knownUsers,
  recordTable('pbxs', ({ pbxs }) => pbxs, unchanged, withoutFormerDefault),
  owners,
].map((codec) => codec as TableCodec<unknown>);
