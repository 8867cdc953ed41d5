import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../tools/root.ts';

/** The parts of electron-builder.yml that no package made on Linux shows. */
interface Configuration {
  readonly protocols: readonly { readonly schemes: readonly string[] }[];
  readonly mac: {
    readonly hardenedRuntime: boolean;
    readonly icon: string;
    readonly entitlements: string;
    readonly entitlementsInherit: string;
    readonly extendInfo: Readonly<Record<string, string>>;
  };
}

const { protocols, mac } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as Configuration;

it('gives macOS the icon, the link scheme and the sentence that it asks for the microphone with', () => {
  expect(readFileSync(join(root, mac.icon)).subarray(0, 4).toString('latin1')).toBe('icns');
  expect(protocols.map(({ schemes }) => schemes)).toEqual([['rotavox']]);
  expect(mac.extendInfo['NSMicrophoneUsageDescription']).toMatch(/^Rotavox .+\.$/);
});

it('gives the app and its helpers for macOS the rights that V8, keytar and the microphone need', () => {
  expect(mac.hardenedRuntime).toBe(true);
  expect(mac.entitlementsInherit).toBe(mac.entitlements);
  const entitlements = readFileSync(join(root, mac.entitlements), 'utf8');
  const granted = [...entitlements.matchAll(/<key>com\.apple\.security\.([\w.-]+)<\/key>\s*<true\/>/g)];
  expect(granted.map(([, name]) => name)).toEqual([
    'cs.allow-jit',
    'cs.allow-unsigned-executable-memory',
    'cs.disable-library-validation',
    'device.audio-input',
  ]);
});
