import type { RunningTool } from '../../contract/credential/use.ts';
import { isolated } from '../names.ts';

/** How many tools are named. */
const most = 3;

/** Tools that run with a token: `git (pid 4711) and kubectl (pid 4712)`. */
export function toolsText(tools: readonly RunningTool[]): string {
  const named = tools
    .slice(0, most)
    .map(({ name, pid }) => (pid === null ? isolated(name) : `${isolated(name)} (pid ${pid})`));
  if (tools.length > most) return `${named.join(', ')} and ${tools.length - most} more`;
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`;
}

/** A planned rotation that waits for connected tools. */
export const toolWaitText = {
  /** A sentence of its own. */
  rotation: (tools: readonly RunningTool[]) =>
    `The next rotation waits for ${toolsText(tools)}, until {until} at the latest{left}.` as const,
  /** Where there is little space. */
  short: (tools: readonly RunningTool[]) => `waits for ${toolsText(tools)}`,
  until: (tools: readonly RunningTool[], until: string) =>
    `waits for ${toolsText(tools)}, until ${until} at the latest`,
  item: (tools: readonly RunningTool[], until: string) =>
    `Rotation waits for ${toolsText(tools)}, until ${until} at the latest`,
} as const;

/** The question before a rotation that a person asks for. */
export const toolsInUseText = {
  lead: 'These tools run with the current token and may fail:',
  list: 'Tools that run with the current token',
  tool: 'got it {at}',
} as const;
