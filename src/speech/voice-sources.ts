import { VoiceId } from '../contract/menu/speech.ts';
import type { OfferedVoice, VoiceRuntime } from '../contract/menu/voice-pack.ts';

/** A file that is downloaded: the digest is all that is believed of an address. */
export interface PinnedFile {
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

export type PinnedRuntime = PinnedFile &
  Omit<VoiceRuntime, 'installed'> & {
    /** What is used of it, by its place in the archive. */
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  };

export type PinnedVoice = PinnedFile & OfferedVoice;

/** The files of the runtime that are run. */
export const runtimeScripts = { wasm: 'sherpa-onnx-wasm-nodejs.js', tts: 'sherpa-onnx-tts.js' } as const;

/**
 * What runs voices of Piper. Version 2 has no phonemes of its own any more (k2-fsa/sherpa-onnx#3731), and the native one ends the whole
 * process over a damaged model.
 */
// see decisions/voices-are-added.md
export const sherpaRuntime: PinnedRuntime = {
  name: 'sherpa-onnx',
  version: '1.13.8',
  licence: 'GPL-3.0-or-later',
  url: 'https://registry.npmjs.org/sherpa-onnx/-/sherpa-onnx-1.13.8.tgz',
  bytes: 4_320_484,
  sha256: '15dc53065cc6bbc73ddbb1b216bccb5660233b7626460d7c62baf78e7f3c3f43',
  files: [
    { path: runtimeScripts.tts, sha256: 'b9cb4782010b22d64be31298a3e407170d2b8f5def471ea6011c42a921577e8f' },
    { path: runtimeScripts.wasm, sha256: '2c34f48ed8906a63cbdc24496b539e655f9383b3c49b3bda70b461d7157f2106' },
    {
      path: 'sherpa-onnx-wasm-nodejs.wasm',
      sha256: 'a802c2e20151126789e24792b76cfc3ab9d9bda60bcd5c6a514f06eb35131a1a',
    },
  ],
};

/** Voices whose card allows commercial use, and whose size and digest are published. */
export const pinnedVoices: readonly PinnedVoice[] = [
  piperVoice('en_US-ljspeech-medium', {
    licence: 'public domain',
    bytes: 67_169_893,
    sha256: '3dfb4b759d8be032a4903a9538d128b0fda2a06ab1de6cbc2d93a97e2dd83dba',
  }),
  piperVoice('de_DE-thorsten-medium', {
    licence: 'CC0',
    bytes: 67_214_254,
    sha256: '50487d9c95fdf2191f31d2588569381063ba1591dcd4c7d4bdd30f12b2191714',
  }),
];

function piperVoice(id: string, facts: Pick<PinnedVoice, 'licence' | 'bytes' | 'sha256'>): PinnedVoice {
  const [language = '', ...name] = id.split('-');
  return {
    voice: VoiceId.parse(`piper/${id}`),
    name: name.join('-'),
    language: language.replace('_', '-'),
    url: `https://github.com/k2-fsa/sherpa-onnx/releases/download/tts-models/vits-piper-${id}.tar.bz2`,
    ...facts,
  };
}
