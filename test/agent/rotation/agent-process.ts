/** An agent as its own process: takes one `AgentSettings` as its argument, and messages after that. */
import { openVault } from '../../../src/agent/vault/open-vault.ts';
import { startKillableAgent } from './killable-agent.ts';
import type { AgentSettings, ToAgent } from './kill-agent.ts';
import { Killer } from './kill-point.ts';

const settings = JSON.parse(process.argv[2] ?? '') as AgentSettings;
const agent = await startKillableAgent({
  ...settings,
  vault: await openVault(settings.vault),
  killer: new Killer(() => void process.kill(process.pid, 'SIGKILL')),
  say: (message) => void process.send?.(message),
});
process.on('message', (message: ToAgent) => void agent.take(message));
