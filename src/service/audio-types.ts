import type { AudioFormat } from '../contract/recording.ts';

/** How each format is named on the web (RFC 3003, RFC 5334; WAV as every browser takes it). */
export const audioTypes: Readonly<Record<AudioFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
};
