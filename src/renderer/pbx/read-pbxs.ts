import type { PbxView } from '../../contract/calls/pbx.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';

/** The telephone systems, each with the state of its connection. How many calls they have changes with each that ends. */
export const allPbxs: Resource<readonly PbxView[]> = {
  key: ['pbxs'],
  about: ['pbx.', 'calls.ended'],
  read: async (signal) => {
    const reply = await askPortal('listPbxs', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.pbxs } : reply;
  },
};
