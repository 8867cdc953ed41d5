import { expect, it } from 'vitest';
import { usualPlace } from '../../../src/core/connection/usual-place.ts';

const parse = (address: string) => URL.parse(address);

it.each([
  [
    'git',
    'gitlab',
    'https://gitlab.example.com/group',
    { url: 'https://gitlab.example.com', username: 'oauth2' },
  ],
  ['docker', 'gitlab', 'https://gitlab.com', { url: 'https://registry.gitlab.com', username: 'oauth2' }],
  // Only its owner knows the name of its registry.
  ['docker', 'gitlab', 'https://gitlab.example.com', { username: 'oauth2' }],
  ['git', 'github-app', 'https://api.github.com', { url: 'https://github.com', username: 'x-access-token' }],
  [
    'git',
    'github-app',
    'https://github.example.com/api/v3',
    { url: 'https://github.example.com', username: 'x-access-token' },
  ],
  ['kubectl', 'gitlab', 'https://gitlab.com', {}],
  ['go', 'gitlab', 'https://gitlab.com', { url: 'https://gitlab.com', username: 'oauth2' }],
  ['claude', 'smartflo', 'https://api.example.com', { url: 'https://api.anthropic.com' }],
  ['codex', 'smartflo', 'https://api.example.com', {}],
  ['git', 'smartflo', 'https://api.example.com', {}],
] as const)('%s with a token of %s at %s', (tool, id, base_url, place) => {
  expect(usualPlace(tool, { provider: { id, inputs: {} }, base_url }, parse)).toEqual(place);
});
