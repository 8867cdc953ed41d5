import { type ConnectedTool, connectedTools } from '../../contract/credential/connected-tools.ts';
import type { ToolConnection } from '../../contract/credential/tool-connection.ts';
import { connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { cargoSetup } from './cargo-setup.ts';
import { dockerSetup } from './docker-setup.ts';
import { gitSetup } from './git-setup.ts';
import { type HandSetup, handSetups } from './hand-setups.ts';
import { kubectlSetup } from './kubectl-setup.ts';
import { pnpmSetup } from './pnpm-setup.ts';
import { terraformSetup } from './terraform-setup.ts';
import type { ToolSetup } from './tool-setting.ts';

const setups: Readonly<Record<ConnectedTool, ToolSetup | HandSetup>> = {
  git: gitSetup,
  docker: dockerSetup,
  kubectl: kubectlSetup,
  cargo: cargoSetup,
  pnpm: pnpmSetup,
  terraform: terraformSetup,
  ...handSetups,
};

/** How the tool of a connection is set up. */
export function setupOf({ id, tool }: ToolConnection): ToolSetup | HandSetup {
  const known = connectedTools.find((one) => one === tool);
  // Of a newer version.
  if (known === undefined) throw new CommandFailure(exitCodes.failed, connectProblem.unknownTool(id, tool));
  return setups[known];
}
