import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { speechPreview } from '../../contract/downloads.ts';
import { SpeakText } from '../../contract/menu/recording.ts';
import { type Voice, VoiceId } from '../../contract/menu/speech.ts';
import { voicePackLimitBytes } from '../../contract/menu/voice-pack.ts';
import { recordingText, voiceHelp, voiceRow, voiceText } from '../../text/cli/cli-directories.ts';
import { speechProblemText, trialSentence } from '../../text/menu/speech-text.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { type CommandGroup, customCommand, routeCommand } from '../command-table.ts';
import { openDownload } from '../download.ts';
import { formatTable } from '../format-table.ts';
import { openPortal } from '../open-portal.ts';
import { readFileBytes } from '../read-file-bytes.ts';
import { print, printJson, say } from '../terminal.ts';
import { removeFolder } from '../../system/replace-path.ts';
import { windowsProgram } from '../../system/start-program.ts';

/** How the ids of voices begin that can be added; anything else that is added is a file. */
const addedVoices = 'piper/';

export const voiceCommands: CommandGroup = {
  help: voiceHelp,
  commands: {
    list: customCommand({
      help: voiceHelp.list,
      options: { '--available': voiceHelp.list.available },
      async run({ available = false, json, ...options }) {
        const portal = openPortal(options);
        const added = await portal.ask('listVoicePacks');
        if (available) {
          if (json) printJson(added.offered);
          else if (added.offered.length === 0) say(voiceText.noneOffered);
          else
            for (const line of formatTable(added.offered.map(voiceText.offeredRow), voiceText.offeredHead))
              print(line);
          return;
        }
        const list = await portal.ask('listVoices');
        const usual = list.voice ?? list.voices.find((one) => one.language === list.language)?.id;
        const rows = list.voices.map((one) => voiceRow(one, one.id === usual));
        if (json) {
          printJson(list);
          return;
        }
        if (rows.length === 0) say(voiceText.none);
        else for (const line of formatTable(rows, voiceText.head)) print(line);
        const broken = added.packs.flatMap(({ voice, problem }) =>
          problem === null ? [] : [voiceText.problem(voice, problem)],
        );
        say(...broken);
      },
    }),
    add: routeCommand({
      help: voiceHelp.add,
      arguments: { '<voice>': voiceHelp.add.voice },
      prepare: ({ voice }) =>
        voice.startsWith(addedVoices) ? null : readFileBytes(voice, voicePackLimitBytes),
      call: (portal, { voice }, archive) =>
        archive === null
          ? portal.ask('downloadVoicePack', { body: { voice } })
          : portal.ask('addVoicePack', { body: archive }),
      lines: ({ pack }) => (pack === null ? [] : [pack.voice]),
      words: ({ pack, runtime_added: runtimeAdded }) => [
        runtimeAdded ? voiceText.runtimeAdded : null,
        pack === null ? null : voiceText.added(pack),
      ],
    }),
    remove: routeCommand({
      help: voiceHelp.remove,
      arguments: { '<id>': { help: voiceHelp.id, schema: VoiceId } },
      call: (portal, { id }) => portal.ask('removeVoicePack', { query: { voice: id } }),
      words: voiceText.removed,
    }),
    test: customCommand({
      help: voiceHelp.test,
      arguments: { '<id>': { help: voiceHelp.id, schema: VoiceId } },
      options: {
        '--text <text>': { help: voiceHelp.test.text, schema: SpeakText.shape.text },
        '--output <file>': voiceHelp.test.output,
      },
      async run({ id, text: wanted, output, json, ...options }) {
        const { voices } = await openPortal(options).ask('listVoices');
        const voice = voices.find((one) => one.id === id);
        if (voice === undefined)
          throw new CommandFailure(
            exitCodes.failed,
            speechProblemText({ kind: 'no_voice', language: '', voice: id }),
          );
        const text = wanted ?? trialSentence(voice.language);
        const { wav, tookMs } = await speak(voice, text, options);
        if (output === undefined) await play(wav);
        else await save(output, wav);
        const heard = { voice: id, text, took_ms: tookMs, duration_ms: lengthMs(wav), file: output ?? null };
        if (json) printJson(heard);
        else say(voiceText.tested(heard));
      },
    }),
  },
};

async function speak(
  { id, language }: Voice,
  text: string,
  options: Parameters<typeof openDownload>[0],
): Promise<{ wav: Buffer; tookMs: number }> {
  const start = performance.now();
  const audio = await openDownload(options, speechPreview.path, { text, language, voice: id });
  const wav = await buffer(audio);
  return { wav, tookMs: Math.round(performance.now() - start) };
}

/** Of a WAV file as the service makes it: its head has 44 bytes, with the bytes a second at the 28th. */
function lengthMs(wav: Buffer): number {
  return Math.round(((wav.length - 44) * 1000) / wav.readUInt32LE(28));
}

async function save(file: string, wav: Buffer): Promise<void> {
  await writeFile(file, wav, { flag: 'wx' }).catch((cause: unknown) => {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new CommandFailure(exitCodes.failed, recordingText.notSaved(file, code), { cause });
  });
}

/** Plays a sound by a program of the system, and waits for its end. */
async function play(wav: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rotavox-sound-'));
  try {
    const file = join(folder, 'voice.wav');
    await writeFile(file, wav, { mode: 0o600 });
    for (const [program, ...args] of playersOf(process.platform)) if (await runs(program, args, file)) return;
    throw new CommandFailure(exitCodes.failed, voiceText.noPlayer);
  } finally {
    await removeFolder(folder);
  }
}

/** The file is in the environment: PowerShell would read a name as a command. */
const soundOfWindows = '[System.Media.SoundPlayer]::new($env:ROTAVOX_SOUND).PlaySync()';

function playersOf(platform: NodeJS.Platform): readonly (readonly [string, ...string[]])[] {
  if (platform === 'darwin') return [['afplay']];
  if (platform === 'win32')
    return [
      [
        windowsProgram('WindowsPowerShell', 'v1.0', 'powershell.exe'),
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        soundOfWindows,
      ],
    ];
  return [['pw-play'], ['paplay'], ['aplay', '-q']];
}

/** Whether it is there and plays the file. */
function runs(program: string, args: readonly string[], file: string): Promise<boolean> {
  const takesVariable = args.includes(soundOfWindows);
  const child = spawn(program, takesVariable ? args : [...args, file], {
    stdio: 'ignore',
    env: { ...commandIo().env, ROTAVOX_SOUND: file },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
  });
}
