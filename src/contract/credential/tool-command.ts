/**
 * Connecting, checking and disconnecting a tool from a window: the service runs its own command line, which changes the files of the tool.
 * What a command prints with `--json` and what a window is shown have the same parts.
 */
// see decisions/connections.md
import { z } from 'zod';
import { bodyProblems, noBody, portalProblems, portalRoute, type Route } from '../route.ts';
import { hasUser, indexAddress, sendsUser } from './connected-tools.ts';
import { CredentialName } from './credential.ts';
import {
  ConnectedTool,
  ConnectionUser,
  SentUser,
  sentUserError,
  ToolConnection,
  urlError,
} from './tool-connection.ts';

const flag = z.boolean({ error: 'must be true or false' }).default(false);

/** The address as it is typed: that of an index of cargo begins with `sparse+`. */
const TypedUrl = z
  .string({ error: urlError })
  .max(2000, urlError)
  .refine((url) => /^https?:\/\/[^\p{C}\s]+$/iu.test(indexAddress(url)), { error: urlError });

export const ConnectTool = z
  .strictObject(
    {
      credential: CredentialName,
      tool: ConnectedTool,
      url: TypedUrl,
      /** Default: what the service of the credential takes. */
      username: ConnectionUser.optional(),
      /** Takes the place of a connection, a helper or a password that is there. */
      replace: flag,
      /** Only shows what would change. */
      dry_run: flag,
    },
    { error: 'must be a JSON object' },
  )
  .refine(({ tool, username }) => username === undefined || hasUser(tool), {
    path: ['username'],
    error: 'must be left out: this tool sends none',
  })
  .refine(
    ({ tool, username = '' }) => username === '' || !sendsUser(tool) || SentUser.safeParse(username).success,
    { path: ['username'], error: sentUserError },
  );
export type ConnectTool = z.output<typeof ConnectTool>;

/** The lines that go from a file, and those that come. Never with a token in them. */
export const FileChange = z.object({
  file: z.string(),
  removed: z.array(z.string()),
  added: z.array(z.string()),
});
export type FileChange = z.infer<typeof FileChange>;

/** What a person adds to the configuration of a tool whose files are not changed: where, in a sentence, and the lines. */
export const LinesByHand = z.object({ where: z.string(), lines: z.array(z.string()) });
export type LinesByHand = z.infer<typeof LinesByHand>;

/** One line of a check. */
export const CheckLine = z.object({
  /** Null: it cannot be told. */
  passes: z.boolean().nullable(),
  text: z.string(),
});
export type CheckLine = z.infer<typeof CheckLine>;

/** What connecting changes. */
const toolChange = {
  changes: z.array(FileChange),
  by_hand: LinesByHand.nullable(),
};

export const ConnectedToolAnswer = z.object({
  ...toolChange,
  /** Programs that the tool will not ask for this address; null for one that is a line of a shell, which may have secrets in it. */
  other_helpers: z.array(z.object({ name: z.string().nullable(), file: z.string() })),
  /** Null: nothing was changed. */
  connection: ToolConnection.nullable(),
  checks: z.array(CheckLine),
});
export type ConnectedToolAnswer = z.infer<typeof ConnectedToolAnswer>;

export const CheckedToolAnswer = z.object({
  checks: z.array(CheckLine),
  by_hand: LinesByHand.nullable(),
});
export type CheckedToolAnswer = z.infer<typeof CheckedToolAnswer>;

export const DisconnectedToolAnswer = z.object({
  changes: z.array(FileChange),
  /** What is left to do, or is left as it is; a sentence each. */
  says: z.array(z.string()),
});
export type DisconnectedToolAnswer = z.infer<typeof DisconnectedToolAnswer>;

/** Why a service connects no tools itself. */
export const ToolObstacle = z.enum(['of_team', 'system_account', 'no_command_line']);
export type ToolObstacle = z.infer<typeof ToolObstacle>;

const toolProblems = [...portalProblems, ...bodyProblems, 'not_found', 'conflict'] as const;

export const toolCommandRoutes = {
  connectTool: {
    ...portalRoute('POST', '/portal/connections/connect'),
    title: 'Connect a tool',
    summary:
      'Change the configuration of a tool on this machine so that it asks for the token of a credential, and check it, or show the change.',
    body: ConnectTool,
    reply: ConnectedToolAnswer,
    problems: toolProblems,
  },
  checkTool: {
    ...portalRoute('POST', '/portal/connections/:id/check'),
    title: 'Check a connection',
    summary: 'Run a connected tool on this machine, and see whether it gets the token.',
    body: noBody,
    reply: CheckedToolAnswer,
    problems: toolProblems,
  },
  disconnectTool: {
    ...portalRoute('POST', '/portal/connections/:id/disconnect'),
    title: 'Disconnect a tool',
    summary:
      'Take the setting of a tool on this machine back as it was before and stop answering the tool, or show the change.',
    body: z.strictObject({ dry_run: flag }, { error: 'must be a JSON object' }),
    reply: DisconnectedToolAnswer,
    problems: toolProblems,
  },
} as const satisfies Record<string, Route>;
