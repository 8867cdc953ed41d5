/*
 * The tools that can be connected, apart from the schemas: `rotavox helper` loads none.
 */

export const connectedTools = [
  ...(['git', 'docker', 'kubectl', 'cargo', 'pnpm', 'terraform'] as const),
  ...(['go', 'bazel', 'claude', 'codex', 'headers'] as const),
] as const;
export type ConnectedTool = (typeof connectedTools)[number];

/** Whether a tool sends a user name beside the token. The user of kubectl is a name in its configuration. */
export function sendsUser(tool: ConnectedTool): tool is 'git' | 'docker' | 'go' {
  return tool === 'git' || tool === 'docker' || tool === 'go';
}

/** Whether a user belongs to its connection: one that it sends, or one in the configuration of kubectl, which may be known already. */
export function hasUser(tool: ConnectedTool): boolean {
  return sendsUser(tool) || tool === 'kubectl';
}

const asksAgain: ReadonlySet<string> = new Set<ConnectedTool>(['go', 'bazel', 'claude', 'codex', 'headers']);

/** Whether a tool keeps the token that it got to the end of its run. The others ask again when it is refused, or after minutes. */
export function keepsToken(tool: string): boolean {
  return !asksAgain.has(tool);
}

/** How a tool sends the token: with a user name (RFC 7617), after the word Bearer (RFC 6750), or as it is. */
export const connectionSchemes = ['basic', 'bearer', 'plain'] as const;

/** Where Claude Code sends a key, unless its environment has another address. */
export const claudeAddress = 'https://api.anthropic.com';

/** Where the program of a connection is, below the data folder. */
export const toolsFolder = 'tools';

/** What docker looks for on its path, for all of its registries. */
export const dockerProgram = 'docker-credential-rotavox';

/** What Terraform and OpenTofu look for, for all of their hosts. */
export const terraformProgram = 'terraform-credentials-rotavox';

/** Programs that a tool looks for by their name, so that there is one for all of its connections. */
export const sharedPrograms: Readonly<Record<string, string>> = {
  docker: dockerProgram,
  terraform: terraformProgram,
};

/** The name of the program there. */
export function programNameOf({ tool, id }: { readonly tool: string; readonly id: string }): string {
  return sharedPrograms[tool] ?? id;
}

/** The address of an index without the word by which cargo knows that it is no repository of git. */
export function indexAddress(index: string): string {
  return index.replace(/^sparse\+/, '');
}

/** Stands for the id that a connection gets when it is made. */
export const idOfDryRun = 'con_000000000000';
