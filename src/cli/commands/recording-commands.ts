import { writeFile } from 'node:fs/promises';
import { recordingAudioPath } from '../../contract/address.ts';
import {
  recordingLimitBytes,
  RenameRecording,
  SpeakRecording,
  UploadRecording,
} from '../../contract/menu/recording.ts';
import { Pronunciation, SpeechLanguage } from '../../contract/menu/speech.ts';
import { recordingHelp, recordingText } from '../../text/cli/cli-directories.ts';
import { optionHelp } from '../../text/cli/cli.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { type CommandGroup, customCommand, routeCommand } from '../command-table.ts';
import { openPortal } from '../open-portal.ts';
import { readings } from '../readings.ts';
import { download } from '../download.ts';
import { readFileBytes, readFileText } from '../read-file-bytes.ts';
import { printDocument, refuseTerminal, say } from '../terminal.ts';

/** Far more than a text may have, so that the service says how long it may be. */
const textLimitBytes = 64 * 1024;

const languageOption = (help: string) => ({ help, schema: SpeechLanguage });

/** A prompt is one line; a file has line breaks. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

export const recordingCommands: CommandGroup = {
  help: recordingHelp,
  commands: {
    list: routeCommand({
      help: recordingHelp.list,
      ...readings['recording/list'],
    }),
    add: routeCommand({
      help: recordingHelp.add,
      arguments: { '<file>': optionHelp.inputFile },
      options: {
        '--name <name>': { help: recordingHelp.name, schema: UploadRecording.shape.name, isRequired: true },
        '--id <id>': { help: recordingHelp.add.id, schema: UploadRecording.shape.id },
      },
      prepare: ({ file }) => readFileBytes(file, recordingLimitBytes),
      call: (portal, { name, id }, body) => portal.ask('uploadRecording', { query: { name, id }, body }),
      lines: ({ id }) => [id],
      words: (added, _input, { length }) => [
        recordingText.added(added),
        // What was in front of an MP3 file is nobody's audio.
        added.format === 'wav' && added.bytes !== length ? recordingText.converted : null,
      ],
    }),
    speak: routeCommand({
      help: recordingHelp.speak,
      options: {
        '--text <text>': { help: recordingHelp.speak.text, isRequired: true },
        '--language <language>': {
          help: recordingHelp.speak.language,
          schema: SpeakRecording.shape.language,
        },
        '--voice <voice>': { help: recordingHelp.speak.voice, schema: SpeakRecording.shape.voice },
        '--name <name>': { help: recordingHelp.speak.name, schema: SpeakRecording.shape.name },
      },
      prepare: async ({ text }) => (text === '-' ? oneLine(await readFileText('-', textLimitBytes)) : text),
      call: (portal, { voice, language, name }, text) =>
        portal.ask('speakRecording', { body: { text, voice, language, name } }),
      lines: ({ id }) => [id],
      words: (made) => [recordingText.spoken(made), recordingText.otherVoice(made)],
    }),
    pronounce: routeCommand({
      help: recordingHelp.pronounce,
      arguments: {
        '<word>': { help: recordingHelp.pronounce.word, schema: Pronunciation.shape.word },
        '<as>': { help: recordingHelp.pronounce.say, schema: Pronunciation.shape.say },
      },
      options: { '--language <language>': languageOption(recordingHelp.pronounce.language) },
      json: false,
      call: (portal, { word, as: say, language = null }) =>
        portal.ask('changePronunciations', { body: { set: [{ word, say, language }] } }),
      words: ({ pronunciations }, { word, as: say, language = null }) =>
        recordingText.pronounced(
          word,
          say,
          pronunciations.find((one) => one.word === word && one.language === language)?.recordings ?? 0,
        ),
    }),
    pronunciation: {
      help: recordingHelp.pronunciation,
      commands: {
        list: routeCommand({
          help: recordingHelp.pronunciation.list,
          call: (portal) => portal.ask('listPronunciations'),
          rows: ({ pronunciations }) =>
            pronunciations.map(({ word, say, language, recordings }) => [
              word,
              say,
              language ?? '',
              String(recordings),
            ]),
          head: recordingText.pronunciationHead,
          none: recordingText.noPronunciations,
        }),
        remove: routeCommand({
          help: recordingHelp.pronunciation.remove,
          arguments: { '<word>': { help: recordingHelp.pronounce.word, schema: Pronunciation.shape.word } },
          options: { '--language <language>': languageOption(recordingHelp.pronunciation.remove.language) },
          json: false,
          async prepare({ word, language = null, ...options }) {
            const { pronunciations } = await openPortal(options).ask('listPronunciations');
            if (pronunciations.some((one) => one.word === word && one.language === language)) return;
            throw new CommandFailure(exitCodes.failed, recordingText.noPronunciation(word));
          },
          call: (portal, { word, language = null }) =>
            portal.ask('changePronunciations', { body: { remove: [{ word, language }] } }),
          words: (_reply, { word }) => recordingText.pronunciationRemoved(word),
        }),
      },
    },
    rename: routeCommand({
      help: recordingHelp.rename,
      arguments: {
        '<id>': recordingHelp.id,
        '<name>': { help: recordingHelp.name, schema: RenameRecording.shape.name },
      },
      json: false,
      call: (portal, { id, name }) => portal.ask('renameRecording', { params: { id }, body: { name } }),
      words: recordingText.renamed,
    }),
    save: customCommand({
      help: recordingHelp.save,
      arguments: { '<id>': recordingHelp.id, '<file>': recordingHelp.save.file },
      json: false,
      async run({ id, file, ...options }) {
        if (file === '-') refuseTerminal(recordingText.audio);
        const audio = await download(options, recordingAudioPath(id), recordingLimitBytes);
        if (file === '-') {
          printDocument(audio);
          return;
        }
        await writeFile(file, audio, { flag: 'wx' }).catch((cause: unknown) => {
          const { code = 'unknown' } = cause as NodeJS.ErrnoException;
          throw new CommandFailure(exitCodes.failed, recordingText.notSaved(file, code), { cause });
        });
        say(recordingText.saved(file, audio.length));
      },
    }),
    remove: routeCommand({
      help: recordingHelp.remove,
      arguments: { '<id>': recordingHelp.id },
      json: false,
      call: (portal, { id }) => portal.ask('removeRecording', { params: { id } }),
      words: ({ id }) => recordingText.removed(id),
    }),
  },
};
