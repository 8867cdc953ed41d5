/** Runs as another user: previews a file target and then delivers to it; its argument is the path. */
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { previewDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';

const [, , path = ''] = process.argv;
const vault = new MemoryVault();
const target = { kind: 'file', path } as const;
const context = { credential: 'app', generation: 1, vault, ownPlaces: { dataDir: '/nowhere', others: [] } };
const preview = await previewDelivery(target, 'rvx_value', context);
const outcome = await deliver(target, 'rvx_value', context);
console.log(JSON.stringify({ preview, outcome }));
