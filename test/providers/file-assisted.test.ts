import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { knownFileOf, providerOfToken } from '../../src/contract/credential/provider-view.ts';
import { ProviderFile } from '../../src/contract/credential/provider-file.ts';
import { setProviderFiles, tokenPage } from '../../src/providers/catalogue.ts';
import { FileProvider } from '../../src/providers/file/file-provider.ts';
import { knownFile } from '../../src/providers/file/known-file.ts';
import { providerViews } from '../../src/text/credential/providers.ts';
import { setUpAgent } from '../agent/agent-setup.ts';
import { startAssistedServer } from '../fakes/assisted-server.ts';
import { noon } from '../fixtures/make-events.ts';
import { attemptOf } from './attempt.ts';
import { makeCaller } from './http/answering-service.ts';

const path = new URL('../../resources/providers/hugging-face.json', import.meta.url);
const text = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const page = 'https://huggingface.co/settings/tokens';
const dayMs = 86_400_000;
const choice = { id: 'hugging-face', inputs: {} };

/** On a server of the test. */
function fileAt(baseUrl: string) {
  return ProviderFile.parse({ ...text, base_url: baseUrl });
}

it('a service that lets only a person create tokens can be a file', async () => {
  const here = await startAssistedServer(() => noon);
  here.tokens.set('hf_one', { status: 200, body: { auth: { expiresAt: new Date(noon + 30 * dayMs) } } });
  const at = new FileProvider(fileAt(here.baseUrl), makeCaller(), () => noon);
  const held = attemptOf({ baseUrl: here.baseUrl, token: 'hf_one' });
  expect((await at.inspect(held)).reply).toMatchObject({ kind: 'known', expiresAtMs: noon + 30 * dayMs });
  expect(await at.inspectRotation(held)).toMatchObject({
    outcome: 'cannot_rotate',
    reason: { code: 'person_creates', page },
  });
  expect(await at.rotate(held)).toMatchObject({ refusal: { trouble: { code: 'person_creates', page } } });
  expect(here.calls).toEqual(['GET /api/whoami-v2']);
});

it('its page is known to the service, and to a window by what the service says', () => {
  onTestFinished(() => setProviderFiles([]));
  const baseUrl = 'https://huggingface.co';
  setProviderFiles([[choice.id, knownFile(ProviderFile.parse(text))]]);
  expect(tokenPage(choice, baseUrl)).toBe(page);
  const view = providerViews().find(({ id }) => id === choice.id);
  expect(view?.creation).toEqual([{ text: text.creation, only_for: null }]);
  expect(providerOfToken('hf_abc', view === undefined ? [] : [view])).toEqual({ id: choice.id, inputs: {} });
  expect(view?.rotation).toContain('The old token works until it expires.');
  setProviderFiles(view === undefined ? [] : [[choice.id, knownFileOf(view)]]);
  expect(tokenPage(choice, baseUrl)).toBe(page);
});

it('a credential of it is a reminder with the end that its service tells', async () => {
  const server = await startAssistedServer(() => noon);
  server.tokens.set('hf_one', { status: 200, body: { auth: { expiresAt: new Date(noon + 30 * dayMs) } } });
  const here = await setUpAgent({ providerFiles: [fileAt(server.baseUrl)] });
  await here.keep({ name: 'models', value: 'hf_one', base_url: server.baseUrl, provider: choice });
  expect(here.view('models')).toMatchObject({
    can_rotate: false,
    expires_at: new Date(noon + 30 * dayMs).toISOString(),
  });
  const refused = await here.agent.requests.rotateNow('models');
  expect(refused).toMatchObject({ refusal: { reason: { code: 'person_creates', page } } });
});

it.each([
  [
    'a step that a person does',
    { steps: { retire: { request: { method: 'DELETE', path: '/x' }, reply: { status: 204 } } } },
    'steps.retire',
  ],
  ['a page that is not protected', { page: 'http://huggingface.co/settings/tokens' }, 'page'],
  ['a beginning of its tokens that others have too', { prefixes: ['h'] }, 'prefixes.0'],
  ['a reply that could be lost', { after_lost_reply: 'list' }, 'after_lost_reply'],
])('a file with %s is refused', (_what, more, place) => {
  const parsed = ProviderFile.safeParse({ ...text, ...more });
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(place);
});

it('a service that cannot be asked needs no examples', () => {
  const unasked = { ...text, steps: {}, examples: [] };
  expect(ProviderFile.safeParse(unasked).success).toBe(true);
});
