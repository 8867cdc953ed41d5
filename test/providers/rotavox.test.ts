import { setUpAgent } from '../agent/agent-setup.ts';
import { describeProvider } from './provider-suite.ts';

describeProvider(
  'the provider of services like this one',
  async (time) => {
    const there = await setUpAgent({ time });
    const { value } = await there.issue();
    return {
      baseUrl: there.baseUrl,
      provider: { id: 'rotavox', inputs: {} },
      token: value,
      isAlive: async (token) => (await there.tryValue(token)) === 200,
      replaces: (path) => path === '/v1/auth/rotate',
    };
  },
  { afterLostReply: 'fine' },
);
