import { describe, expect, it } from 'vitest';
import { serviceEntries } from '../../../src/renderer/credentials/service-entries.ts';
import {
  baseUrlAt,
  mayBeElsewhere,
  readAddress,
  readSought,
  servicesAt,
} from '../../../src/renderer/credentials/sought-service.ts';
import { providerViews } from '../../../src/text/credential/providers.ts';

const entries = serviceEntries(providerViews());

function entry(name: string) {
  const found = entries.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is missing`);
  return found;
}

function addressOf(text: string) {
  const address = readAddress(text);
  if (address === null) throw new Error(`${text} is no address`);
  return address;
}

describe('what is entered to find a service', () => {
  it.each([
    'glpat-a',
    'xoxb-1-2-a',
    'Bearer ghp_abc',
    '0123456789abcdef',
    '4f9c2b7e-8d1a-4c3b-9e2f-0a1b2c3d4e5f',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh',
    'aGVsbG8gd29ybGQgMTIz+/aa==',
    // What a URL can be made of.
    '0.AXEAx1y2z3w4.AgABAwEAAAD',
    'TOKEN=9f8e7d.secretword',
    'Xy7.Kp9.mnopqrstuv',
    '12.secretPassw0rd99',
    'SK0123456789abcdef0123456789abcdef:secret',
    'API_TOKEN=abc',
    'Authorization: Basic abc',
  ])('is a token, typed or pasted: %s', (text) => {
    expect(readSought(text, false, entries).kind).toBe('token');
    expect(readSought(text, true, entries).kind).toBe('token');
  });

  it.each([
    'glpat-',
    'npm',
    'gitlab',
    'git lab sign',
    'personal access token',
    'another oauth server',
    'bot slack',
    '',
  ])('is words: “%s”', (text) => {
    expect(readSought(text, false, entries).kind).toBe('words');
    expect(readSought(text, true, entries).kind).toBe('words');
  });

  it('is a short token only if it was pasted and finds no service', () => {
    expect(readSought('Passw0rd!', true, entries).kind).toBe('token');
    expect(readSought('Passw0rd!', false, entries).kind).toBe('words');
    expect(readSought('tailscale', true, entries).kind).toBe('words');
  });

  it.each([
    'gitlab.example.com',
    'https://git.company.test/-/user_settings/personal_access_tokens',
    'vault.company:8200',
    'vault:8200',
    'http://gitlab',
    'localhost:3000/grafana',
    '192.168.10.248',
    '[::1]:8200',
  ])('is an address: %s', (text) => {
    expect(readSought(text, false, entries).kind).toBe('address');
  });
});

describe('an address', () => {
  it('has no user, password or parameters, because they may be secret', () => {
    expect(addressOf('https://ada:hunter2@git.company.test/x?private_token=abc#def')).toEqual({
      scheme: 'https',
      host: 'git.company.test',
      path: '/x',
    });
  });

  it('is one of https, except on this machine or where the other is named', () => {
    expect(addressOf('git.company.test').scheme).toBe('https');
    expect(addressOf('localhost:8200').scheme).toBe('http');
    expect(addressOf('http://git.company.test').scheme).toBe('http');
  });
});

describe('services at an address', () => {
  it.each([
    ['gitlab.example.com', 'GitLab', 'https://gitlab.example.com'],
    ['https://git.company.test/-/user_settings/personal_access_tokens', 'GitLab', 'https://git.company.test'],
    ['https://company.test/gitlab/-/profile', 'GitLab', 'https://company.test/gitlab'],
    ['https://code.company.test/settings/tokens', 'GitHub', 'https://code.company.test/api/v3'],
    ['vault.company:8200', 'HashiCorp Vault or OpenBao', 'https://vault.company:8200'],
    [
      'https://secrets.company.test/ui/vault/secrets',
      'HashiCorp Vault or OpenBao',
      'https://secrets.company.test',
    ],
    ['company.test:5001', '3CX', 'https://company.test:5001'],
    ['https://pbx.company.test/admin/config.php?display=api', 'FreePBX', 'https://pbx.company.test'],
  ])('are led by the likely ones, with their address: %s', (text, name, baseUrl) => {
    const address = addressOf(text);
    const { likely, others } = servicesAt(address, entries);
    expect(likely.map((one) => one.name)).toContain(name);
    expect(
      likely.slice(0, 4).map((one) => one.name),
      'near the top',
    ).toContain(name);
    expect(baseUrlAt(address, entry(name))).toBe(baseUrl);
    expect(others.map((one) => one.name)).toContain('Another service, reminders only');
    expect([...likely, ...others].map((one) => one.name)).not.toContain('npm');
  });

  it('keep the whole path where nothing is known of the service', () => {
    const address = addressOf('https://api.company.test/v2/');
    expect(baseUrlAt(address, entry('Another service, reminders only'))).toBe('https://api.company.test/v2');
  });

  it('may be elsewhere if people run them themselves beside the usual server', () => {
    expect(mayBeElsewhere(entry('GitLab'))).toBe(true);
    expect(mayBeElsewhere(entry('GitHub'))).toBe(true);
    expect(mayBeElsewhere(entry('npm'))).toBe(false);
    expect(mayBeElsewhere(entry('This program'))).toBe(false);
    expect(mayBeElsewhere(entry('HashiCorp Vault or OpenBao')), 'it has no usual server').toBe(false);
  });
});
