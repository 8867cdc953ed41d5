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
  try {
    return { value: await carryOut(command) };
  } catch (error) {
    if (error instanceof VaultUnavailable) return { code: error.code, message: error.message };
    return { code: 'bug', message: String(error) };
  }
}

async function carryOut(command: VaultCommand): Promise<string | null> {
  if (command.kind === 'contact') {
    await vault.contact();
    return null;
  }
  const entry = { service: 'rotavox', account: command.account };
  if (command.kind === 'read') return vault.read(entry);
  await (command.kind === 'write' ? vault.write(entry, command.value) : vault.remove(entry));
  return null;
}
