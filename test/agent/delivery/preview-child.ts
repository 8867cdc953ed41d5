/**
 * Previews a file target and then delivers to it, as nobody if root started it; its argument is the path.
 *
 * It becomes nobody once it is loaded: only root may read a checkout below /root.
 */
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { previewDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';

if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
const [, , path = ''] = process.argv;
const vault = new MemoryVault();
const target = { kind: 'file', path } as const;
const context = { credential: 'app', generation: 1, vault, ownPlaces: { dataDir: '/nowhere', others: [] } };
const preview = await previewDelivery(target, 'rvx_value', context);
const outcome = await deliver(target, 'rvx_value', context);
console.log(JSON.stringify({ preview, outcome }));
