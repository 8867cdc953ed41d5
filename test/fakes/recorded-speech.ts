#!/usr/bin/env node
/**
 * `say` and `sw_vers` of macOS, and Windows PowerShell 5.1, as far as their documentation tells: which arguments they have, what they
 * read, list and write. So their engines are tried where these programs are not. Nobody has compared it with the programs.
 *
 * `say` obeys `[[slnc 500]]`, as it does; the interfaces of Windows that are used obey nothing.
 */
import { writeFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { encodeWav } from '../../src/core/recording/wav.ts';
import { toneOf } from '../fixtures/tone-of-text.ts';

/** As macOS 14 prints them (variadico/noti#156, Vocab-Apps/anki-hyper-tts#327): long names, accents, one voice twice. */
const listOfSay = `Albert              en_US    # Hello! My name is Albert.
Amélie (French (Canada)) fr_CA    # Bonjour! Je m’appelle Amélie.
Amélie (French (Canada)) fr_CA    # Bonjour! Je m’appelle Amélie.
Bad News            en_US    # Hello! My name is Bad News.
Carmit              he_IL    # שלום, שמי כרמית.
Eddy (German (Germany)) de_DE    # Hallo! Ich heiße Eddy.
Fiona               en-scotland # Hello, my name is Fiona.
`;

/** What Windows has for English (US) and German: each voice of OneCore, and some of them for SAPI, too. */
const listOfWindows = {
  version: '10.0.22631.0',
  voices: [
    ...['David', 'Zira', 'Mark'].map((name) => oneCore(name, 'en-US', 'enUS')),
    oneCore('Hedda', 'de-DE', 'deDE'),
    ...['David', 'Zira'].map((name) => sapi(`Microsoft ${name} Desktop`, 'en-US')),
    sapi('Microsoft Hazel Desktop', 'en-GB'),
  ],
};

function oneCore(name: string, language: string, short: string) {
  const id = `HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Speech_OneCore\\Voices\\Tokens\\MSTTS_V110_${short}_${name}M`;
  return { api: 'onecore', id, name: `Microsoft ${name}`, language };
}

function sapi(name: string, language: string) {
  return { api: 'sapi', id: name, name, language };
}

function write(file: string, text: string, pitch: number, rate: number): void {
  writeFileSync(file, encodeWav(toneOf(text, pitch, rate)));
}

/** The manual page of `say`: `[-v voice] [-r rate] [-o outfile [audio format options]] [-f file | string ...]`. */
async function say(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      voice: { type: 'string', short: 'v' },
      rate: { type: 'string', short: 'r' },
      'output-file': { type: 'string', short: 'o' },
      'input-file': { type: 'string', short: 'f' },
      'data-format': { type: 'string' },
    },
    allowPositionals: true,
  });
  const { voice, rate = '175', 'output-file': file, 'input-file': input, 'data-format': format } = values;
  if (voice === '?') {
    process.stdout.write(listOfSay);
    return;
  }
  const nth = listOfSay.split('\n').findIndex((line) => voice !== undefined && line.startsWith(`${voice} `));
  if (nth === -1) throw new Error(`Voice \`${voice ?? ''}' not found.`);
  if (file?.endsWith('.wav') !== true || format !== 'LEI16@22050')
    throw new Error('Opening output file failed: fmt?');
  const typed = input === '-' ? await textOf(process.stdin) : positionals.join(' ');
  const silence = /\[\[slnc (\d+)\]\]/g;
  write(
    file,
    typed.replace(silence, (_, ms: string) => ' '.repeat(Number(ms) / 70)),
    nth + 1,
    Number(rate) / 175,
  );
}

/** The options of `powershell.exe`; what the fixed script does with the voices of Windows is played, not run. */
async function powershell(args: string[]): Promise<void> {
  const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
  const options = args.slice(0, -1).join(' ');
  if (options !== '-NoLogo -NoProfile -NonInteractive -InputFormat Text -OutputFormat Text -EncodedCommand')
    throw new Error(`other options: ${options}`);
  if (!script.includes('FromBase64String')) throw new Error('a script that does not read a request');
  const lines = (await textOf(process.stdin)).split('\n');
  if (lines.length !== 2 || !/^[\w+/=]+$/.test(lines[0] ?? ''))
    throw new Error('the request is one line of base64');
  const request = JSON.parse(Buffer.from(lines[0] ?? '', 'base64').toString('utf8')) as Record<
    string,
    string
  >;
  if (request['task'] === 'voices') {
    process.stdout.write(`${Buffer.from(JSON.stringify(listOfWindows)).toString('base64')}\r\n`);
    return;
  }
  const { api, voice, text = '', rate, steps, file = '' } = request;
  const nth = listOfWindows.voices.findIndex((one) => one.api === api && one.id === voice);
  if (nth === -1)
    throw new Error('Cannot set voice. No matching voice is installed or the voice was disabled.');
  write(file, text, nth + 1, api === 'sapi' ? 3 ** (Number(steps) / 10) : Number(rate));
}

const args = process.argv.slice(2);
if (args[0] === '-productVersion') process.stdout.write('14.2.1\n');
else if (args.includes('-EncodedCommand')) await powershell(args);
else await say(args);
