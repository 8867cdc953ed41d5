import { z } from 'zod';
import { HistoryEvent } from '../history/audit-event.ts';
import { ToolObstacle } from '../credential/tool-command.ts';
import { VaultKind } from '../credential/credential-view.ts';
import { HistoryFilters, SeqList, SeqParameter } from '../history/history.ts';
import { Ivr } from '../menu/ivr.ts';
import { MovedFrom } from './moved-from.ts';
import { OwnerId } from './owner.ts';
import { NetworkStatus } from './network.ts';
import { HostRole, TeamStatus } from './team.ts';
import { TokenStatus } from '../token/token.ts';

export const StoreHealth = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), last_seq: z.int() }),
  z.object({
    status: z.literal('refusing'),
    last_seq: z.int(),
    /** The system's code, such as ENOSPC. */
    code: z.string(),
    /** What happened and what to do, for a person. */
    reason: z.string(),
    since: z.string(),
  }),
]);
export type StoreHealth = z.infer<typeof StoreHealth>;

export const PortalStatus = z.object({
  version: z.string(),
  base_url: z.string(),
  data_dir: z.string(),
  /** How the command line is called on this machine, ready for a command behind it; null where there is none. */
  command_line: z.string().nullable().default(null),
  /** Why tools are connected by commands alone; null: windows connect them, too. */
  tool_obstacle: ToolObstacle.nullable().optional(),
  pid: z.int(),
  started_at: z.string(),
  tokens: z.record(TokenStatus, z.int()),
  ivrs: z.int(),
  /** How many opening hours there are; left out where there are none. */
  schedules: z.int().optional(),
  store: StoreHealth,
  /** Where the tokens of credentials are. */
  vault: VaultKind.optional(),
  /** What the store repaired when it opened; usually empty. */
  repairs: z.array(z.string()),
  /** Where its data may also be in use, so that nothing is rotated until that is confirmed; null: nowhere else. */
  moved_from: MovedFrom.nullable().default(null),
  /** Who asks; null: the owner of the machine. */
  owner: z.object({ id: OwnerId, name: z.string() }).nullable().optional(),
  /** The hosts of the team; none for a host that is alone. */
  team: TeamStatus.optional(),
  /** How many owners have a key. */
  owners: z.int().optional(),
  /** How calls to other machines leave this one. */
  proxy: NetworkStatus.shape.proxy.optional(),
  certificates: NetworkStatus.shape.certificates.optional(),
});
export type PortalStatus = z.infer<typeof PortalStatus>;

/** Moves every token to the other place on this machine. */
export const MoveVault = z.strictObject({
  to: z.enum(['keychain', 'file'], { error: 'must be keychain or file' }),
});
export const VaultMoved = z.object({ moved: z.int(), vault: VaultKind });

/** What was confirmed; null where nothing waited for it. */
export const MoveConfirmed = z.object({ confirmed: MovedFrom.nullable() });

/** Newest first. `next_before` is the `before` of the next page, null at the end. */
export const HistoryPage = z.object({
  events: z.array(HistoryEvent),
  next_before: z.int().nullable(),
  /** What the subjects of these events are called now, where the whole history is read; some have no name. */
  names: z.record(z.string(), z.string()).optional(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;

export const limitParameter = z
  .string()
  .regex(/^(?:[1-9]\d{0,2}|1000)$/, 'must be a whole number from 1 to 1000');

export const HistoryQuery = HistoryFilters.extend({
  /** Only the events with these `seq`: what `historyMatches` found, without searching again. */
  seq: SeqList.optional(),
  /** Only events with a smaller `seq`. */
  before: SeqParameter.optional(),
  limit: limitParameter.optional(),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const Verification = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('intact'),
    /** Every event up to this one was read from disk and its hash and its link checked. */
    verified_to: z.int(),
    head: z.string(),
    /** The files of the journal; 0 when it is in a database. */
    segments: z.int(),
    /** In a database: the first event from which on every line has the mark of a host with the passphrase; null while none needs one. */
    marked_from: z.int().nullish(),
  }),
  z.object({
    status: z.literal('damaged'),
    verified_to: z.int(),
    file: z.string(),
    line: z.int(),
    reason: z.string(),
  }),
]);
export type Verification = z.infer<typeof Verification>;

export const SignInLink = z.object({ url: z.string(), expires_in: z.int() });
export type SignInLink = z.infer<typeof SignInLink>;

/** After how many hours without use the session of a browser ends. */
export const sessionIdleHours = 12;

/**
 * After how many days an owner who has a key has to enter it again, however much the browser is used.
 *
 * An open window is in use all the time, so a session that ends only without use would not end on a forgotten machine.
 */
export const sessionMostDays = 30;

/** ECDSA P-256 as SubjectPublicKeyInfo: 91 bytes in base64url. */
const PublicKey = z.string().regex(/^[\w-]{122}$/);

/** The public key of a browser, whose private half never leaves it. With it the browser signs in after a restart. */
export const BrowserKey = z.strictObject({ public_key: PublicKey });

/** What a browser signs (`signInStatement`) to sign in again: works once, at this process, for `expires_in` seconds. */
export const SignInChallenge = z.object({ challenge: z.string(), expires_in: z.int() });

/** The answer to a challenge. `signature`: ECDSA with SHA-256, r and s of 32 bytes each, in base64url. */
export const SignInProof = z.strictObject({
  public_key: PublicKey,
  challenge: z.string().max(100),
  signature: z.string().regex(/^[\w-]{86}$/),
});
export type SignInProof = z.infer<typeof SignInProof>;

/** The key of an owner, entered in a browser. */
const SignInKey = z.strictObject({
  key: z.string({ error: 'must be the key of an owner' }).min(1, 'must be the key of an owner').max(200),
});

/** How a browser signs in: with the key of an owner, or with the key that it registered (`BrowserKey`). */
export const SignIn = z.union([SignInKey, SignInProof], {
  error: 'must be the key of an owner, or the answer to a challenge',
});

/** Of the page code the page makes its page key (`rotavox-page-key`). The cookie comes with this answer. */
export const SignedInAgain = z.object({ page_code: z.string() });

/** `<data>/browsers.json`: the browsers that may sign in again. Nothing in it is secret. */
export const KnownBrowser = z.object({
  public_key: PublicKey,
  /** The port at which it signed in; its key is not accepted at another one. */
  port: z.int(),
  used_at: z.iso.datetime(),
  /** Whose it is. Default: the owner of the machine. */
  owner: OwnerId.optional(),
  /** When that owner entered the key or used a link, for the absolute end of the session. */
  signed_in_at: z.iso.datetime().optional(),
});
export type KnownBrowser = z.infer<typeof KnownBrowser>;

export const SignOut = z.strictObject({
  /** Every browser that is signed in, and not only the one that asks. */
  all_browsers: z.boolean().default(false),
});
/** How many sessions ended. Windows of the desktop app stay signed in. */
export const SignedOut = z.object({ signed_out: z.int() });

export const IvrVersions = z.object({ versions: z.array(Ivr) });
export type IvrVersions = z.infer<typeof IvrVersions>;

/** `<data>/runtime.json`, there only while the service runs: how the CLI finds it. */
export const RuntimeFile = z.object({
  pid: z.int(),
  base_url: z.string(),
  portal_key: z.string(),
  /** Whether the service at that address shows that it has this key (`GET /v1/health?challenge=…`), so that nobody sends it to another. */
  proves: z.boolean().optional(),
});
export type RuntimeFile = z.infer<typeof RuntimeFile>;

/** The one line of `rotavox serve --json`. */
export const ReadyLine = z.object({
  event: z.literal('ready'),
  base_url: z.string(),
  /** Where other machines reach it, if they do. */
  public_url: z.string().optional(),
  pid: z.int(),
  data_dir: z.string(),
  /** What it does in its team. */
  role: HostRole.optional(),
  /** Where other hosts reach the one that leads, while this one follows. */
  leader_url: z.string().optional(),
});
export type ReadyLine = z.infer<typeof ReadyLine>;

/** What the event stream carries for each change: the head of the event, enough to know what to ask again. */
export const ChangeNotice = HistoryEvent.pick({ seq: true, at: true, kind: true, subject: true }).extend({
  /** The revision of a saved draft: a window that has it need not read the draft again. */
  revision: z.int().optional(),
});
export type ChangeNotice = z.infer<typeof ChangeNotice>;
