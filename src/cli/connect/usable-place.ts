import type { ConnectedTool } from '../../contract/credential/connected-tools.ts';
import { placeTrouble } from '../../core/connection/match-connection.ts';
import type { ConnectedPlace } from './tool-setting.ts';

/** Whether a tool can use a token at an address: the rule that the window has, too. */
export function isUsableAt(tool: ConnectedTool, { origin, path_prefix: prefix }: ConnectedPlace): boolean {
  return placeTrouble(tool, { origin, segments: prefix?.split('/') ?? [] }) === null;
}
