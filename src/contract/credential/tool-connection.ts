/**
 * Connections: tools that ask for the current token of one credential by the protocol that they already speak. A target is written to, a
 * connection asks. Schemas and routes; which connection an address belongs to decides `core/connection/match-connection.ts`.
 */
// see decisions/connections.md
import { z } from 'zod';
import { bodyProblems, noBody, portalProblems, portalRoute, type Route } from '../route.ts';
import { connectedTools, connectionSchemes, sendsUser } from './connected-tools.ts';
import { CredentialId, CredentialName } from './credential.ts';

export const ConnectionId = z.string().brand<'ConnectionId'>();
export type ConnectionId = z.infer<typeof ConnectionId>;

const idError = 'must be con_ and 12 letters or digits';
/** Made by the caller: what it writes into a file of the tool then is recorded before it is written. */
const NewConnectionId = z
  .string({ error: idError })
  .regex(/^con_[A-Za-z0-9]{12}$/, idError)
  .brand<'ConnectionId'>();

const toolError = `must be one of ${connectedTools.join(', ')}`;
export const ConnectedTool = z.enum(connectedTools, { error: toolError });

export const urlError =
  'must be an https address, or http on this machine, such as https://gitlab.example.com/group';
const userError = 'must be a user name of 1 to 200 printable characters';
/** A name in the configuration of a tool, or one that it sends beside a token. */
export const ConnectionUser = z.string({ error: userError }).regex(/^\P{C}{1,200}$/u, userError);

export const sentUserError = `${userError} without a colon`;
/** The name that a tool sends beside a token: RFC 7617 allows it no colon. */
export const SentUser = ConnectionUser.refine((name) => !name.includes(':'), { error: sentUserError });

const schemeError = `must be one of ${connectionSchemes.join(', ')}`;
export const ConnectionScheme = z.enum(connectionSchemes, { error: schemeError });

const textError = 'must be a text of 4096 characters at most';
const settingText = z.string({ error: textError }).max(4096, textError);

/** What was changed in a file of the tool, so that it can be taken back byte by byte. Never with a token in it. */
export const ToolSetting = z.strictObject(
  {
    file: settingText,
    /** The text that is in the file since then, and what was in its place; usually nothing. */
    text: settingText,
    before: settingText,
    /** There was no such file. */
    is_new_file: z.boolean({ error: 'must be true or false' }),
  },
  { error: 'must be a JSON object' },
);
export type ToolSetting = z.infer<typeof ToolSetting>;

export const AddConnection = z
  .strictObject(
    {
      id: NewConnectionId,
      credential: CredentialName,
      tool: ConnectedTool,
      url: z.string({ error: urlError }).max(2000, urlError),
      username: ConnectionUser,
      scheme: ConnectionScheme.default('basic'),
      setting: ToolSetting,
      /** One that goes in the same step, so that there always is one of both. It may have the same id. */
      replaces: z.string({ error: idError }).optional(),
    },
    { error: 'must be a JSON object' },
  )
  .refine(({ tool, username }) => !sendsUser(tool) || SentUser.safeParse(username).success, {
    path: ['username'],
    error: sentUserError,
  });
export type AddConnection = z.output<typeof AddConnection>;

export const ToolConnection = z.object({
  id: ConnectionId,
  tool: z.string(),
  /** The name of the credential. Empty: it was removed, and the setting of the tool is still there, to be taken back. */
  credential: z.string(),
  /** https://gitlab.example.com, without the port that is usual. */
  origin: z.string(),
  /** The first segments of the path, such as `group/project`; absent: all paths. */
  path_prefix: z.string().optional(),
  username: z.string(),
  scheme: ConnectionScheme,
  created_at: z.string(),
  setting: ToolSetting,
});
export type ToolConnection = z.infer<typeof ToolConnection>;

/** What is stored of one. */
export const StoredConnection = ToolConnection.omit({ credential: true, created_at: true }).extend({
  credential_id: CredentialId,
});

/** One as it is known since its event. */
export type ConnectionRecord = z.infer<typeof StoredConnection> & { readonly created_at: string };

const asked = {
  tool: ConnectedTool,
  url: z.string({ error: urlError }).max(64 * 1024, urlError),
  username: z
    .string({ error: 'must be a text' })
    .max(64 * 1024, 'must be a text')
    .optional(),
};

const processError = 'must be a process: pid, started and name';
/** The process of the tool that uses the token: its pid, and when it was started, in ticks since the start of the machine. */
const AskingProcess = z.strictObject(
  {
    pid: z
      .int({ error: processError })
      .min(1, processError)
      .max(2 ** 22, processError),
    started: z.int({ error: processError }).min(0, processError),
    name: z.string({ error: processError }).regex(/^\P{C}{1,60}$/u, processError),
  },
  { error: processError },
);
export type AskingProcess = z.infer<typeof AskingProcess>;

/** With the program that the tool runs. */
const LaunchedConnection = ToolConnection.extend({ launcher: z.string() });

const digestError = 'must be a SHA-256 in base64url';

/** A tool that got no token, because the vault does not work. */
export interface UnansweredTool {
  readonly tool: string;
  /** The name of the credential. */
  readonly credential: string;
}

/** The answer to a tool. */
export const ConnectionToken = z.object({
  username: z.string(),
  value: z.string(),
  scheme: ConnectionScheme,
  /** When it expires, or is replaced by a planned rotation after which it no longer works: whichever is first. */
  usable_until: z.string(),
  generation: z.int(),
});
export type ConnectionToken = z.infer<typeof ConnectionToken>;

/**
 * What is known of a token that a server has refused: the `current` one, which was tested then; a `previous` one, which a rotation replaced
 * while the tool was running; or neither.
 */
const RefusedToken = z.object({
  token: z.enum(['current', 'previous', 'unknown']),
  /** What the test of the current token says; null: it was not tested. */
  message: z.string().nullable(),
});

export const connectionRoutes = {
  listConnections: {
    ...portalRoute('GET', '/portal/connections'),
    title: 'List connections',
    summary: 'List the tools that ask for the current token of a credential.',
    reply: z.object({ connections: z.array(ToolConnection) }),
    problems: portalProblems,
  },
  addConnection: {
    ...portalRoute('POST', '/portal/connections'),
    title: 'Add a connection',
    summary:
      'Answer a tool that asks for a token for one address, and write the program that the tool runs. The tool itself is set up by the caller.',
    body: AddConnection,
    reply: LaunchedConnection,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  repairConnection: {
    ...portalRoute('POST', '/portal/connections/:id/repair'),
    title: 'Repair a connection',
    summary: 'Write the program again that the tool runs. The caller repairs the setting of the tool.',
    body: noBody,
    reply: LaunchedConnection,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  removeConnection: {
    ...portalRoute('DELETE', '/portal/connections/:id'),
    title: 'Remove a connection',
    summary: 'Answer this tool no more. The caller takes the setting of the tool back.',
    body: noBody,
    reply: ToolConnection,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  askConnection: {
    ...portalRoute('POST', '/portal/connections/ask'),
    title: 'Ask for a token by address',
    summary:
      'Read the current token of the credential that is connected for an address: what a tool asks. Never waits longer than four seconds.',
    body: z.strictObject({ ...asked, process: AskingProcess.optional() }, { error: 'must be a JSON object' }),
    reply: ConnectionToken,
    problems: [
      ...portalProblems,
      ...bodyProblems,
      'no_connection',
      'vault_locked',
      'token_refused',
      'credential_paused',
      'conflict',
      'data_moved',
      'not_found',
    ],
  },
  reportRefusedToken: {
    ...portalRoute('POST', '/portal/connections/refused'),
    title: 'Report a refused token',
    summary:
      'Report that a server has refused a token, by its digest. The current token is tested then, once a minute at most; nothing is deleted.',
    body: z.strictObject(
      {
        ...asked,
        digest: z.string({ error: digestError }).regex(/^[\w-]{43}$/, digestError),
      },
      { error: 'must be a JSON object' },
    ),
    reply: RefusedToken,
    problems: [...portalProblems, ...bodyProblems],
  },
} as const satisfies Record<string, Route>;
