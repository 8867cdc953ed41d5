/** A program with a keychain vault that receives calls; `vault-process.ts` is its other end. */
import { KeychainVault } from '../../../src/agent/vault/keychain-vault.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import type { Answer, Request, VaultCommand } from './vault-process.ts';

const vault = new KeychainVault({ limitMs: Number(process.argv[2]) });

process.on('message', (request: Request) => {
  if (request === 'quit') process.exit(7);
  void answer(request.command).then((reply) => process.send?.({ ...reply, id: request.id }));
});

async function answer(command: VaultCommand): Promise<Answer> {
  const entry = { service: 'rotavox', account: command.account };
  try {
    if (command.kind === 'read') return { value: await vault.read(entry) };
    await (command.kind === 'write' ? vault.write(entry, command.value) : vault.remove(entry));
    return { value: null };
  } catch (error) {
    if (error instanceof VaultUnavailable) return { code: error.code, message: error.message };
    return { code: 'bug', message: String(error) };
  }
}
