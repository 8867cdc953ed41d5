import { setTimeout } from 'node:timers/promises';
import {
  ivrHelp,
  ivrListHead,
  ivrRows,
  ivrText,
  speakAllText,
  spokenListHead,
  spokenNotes,
  spokenRow,
  warningLines,
} from '../../text/cli/cli-ivr.ts';
import { fieldErrorLines, inputProblem, optionHelp } from '../../text/cli/cli.ts';
import { localTime } from '../../text/time.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { type CommandGroup, routeCommand } from '../command-table.ts';
import { readIvrFile } from '../ivr-source.ts';
import { ivrSimulateCommand, ivrValidateCommand } from './ivr-check.ts';
import { draftCommands } from './ivr-draft-commands.ts';
import { ivrExportCommand, ivrImportCommand } from './ivr-exchange.ts';
import { ringCommand } from './pbx-commands.ts';

/** How often it is asked how far the service is, in milliseconds. */
const lookEveryMs = 500;

export const ivrCommands: CommandGroup = {
  help: ivrHelp,
  commands: {
    create: routeCommand({
      help: ivrHelp.create,
      arguments: { '<file>': optionHelp.inputFile },
      async prepare({ file }) {
        const read = await readIvrFile(file);
        if (read.kind === 'body') return read.body;
        if (read.kind === 'document') throw new CommandFailure(exitCodes.failed, ivrText.notOneMenu(file));
        const lines = fieldErrorLines(read.errors, inputProblem.file);
        throw new CommandFailure(exitCodes.failed, [ivrText.unreadableMenu, ...lines]);
      },
      call: (portal, _input, body) => portal.ask('portalCreateIvr', { body }),
      lines: ({ id }) => [id],
      words: ({ Message, warnings }) => [Message, ...warningLines(warnings)],
    }),
    list: routeCommand({
      help: ivrHelp.list,
      call: (portal) => portal.ask('portalListIvrs'),
      rows: ({ ivrs }) =>
        ivrs.map(({ id, version, updated_at, option, name }) => [
          id,
          String(version),
          localTime(updated_at),
          option.join(' '),
          name,
        ]),
      head: ivrListHead,
      none: ivrText.none,
    }),
    show: routeCommand({
      help: ivrHelp.show,
      arguments: { '<id>': ivrHelp.id },
      call: (portal, { id }) => portal.ask('portalReadIvr', { params: { id } }),
      rows: ivrRows,
    }),
    validate: ivrValidateCommand,
    simulate: ivrSimulateCommand,
    speak: routeCommand({
      help: ivrHelp.speak,
      arguments: { '<id>': ivrHelp.id },
      options: { '--check': ivrHelp.speak.check },
      async call(portal, { id, check = false }) {
        const { prompts } = await portal.ask('speakIvr', { params: { id }, body: { check } });
        const { language } = await portal.ask('listVoices');
        return { prompts, language };
      },
      asJson: ({ prompts }) => ({ prompts }),
      rows: ({ prompts }) => prompts.map(spokenRow),
      head: spokenListHead,
      none: ivrText.noTexts,
      words: ({ prompts, language }) =>
        prompts.length === 0
          ? []
          : [
              ivrText.allSpoken(prompts.filter(({ made }) => made).length, prompts.length),
              ...spokenNotes(prompts, language),
            ],
      failure: ({ prompts, language }) =>
        prompts.every(({ state }) => state === 'spoken')
          ? null
          : [...ivrText.notSpoken(prompts), ...spokenNotes(prompts, language)],
    }),
    'speak-all': routeCommand({
      help: ivrHelp.speakAll,
      options: {
        '--changed': ivrHelp.speakAll.changed,
        '--check': { help: ivrHelp.speakAll.check, conflicts: ['stop'] },
        '--stop': ivrHelp.speakAll.stop,
      },
      async call(portal, { changed = false, check = false, stop = false }) {
        if (check) return portal.ask('readSpeech');
        if (stop) return portal.ask('stopSpeakingAll', {});
        const what = changed ? 'changed' : 'missing';
        let status = await portal.ask('speakAll', { body: { what } });
        for (;;) {
          while (status.job?.status === 'running') {
            await setTimeout(lookEveryMs);
            status = await portal.ask('readSpeech');
          }
          // Another one may have begun it, for less.
          if (!changed || status.job?.status !== 'done' || status.job.what === what) return status;
          status = await portal.ask('speakAll', { body: { what } });
        }
      },
      rows: ({ job }, { check = false, stop = false }) =>
        check || stop ? [] : (job?.failures ?? []).map(speakAllText.failureRow),
      head: speakAllText.head,
      words: ({ job, ...left }, { check = false, stop = false }) => {
        if (check) return speakAllText.left({ job, ...left });
        if (job === null) return speakAllText.notRunning;
        if (stop) return speakAllText.stopped;
        return job.total === 0 ? speakAllText.none : speakAllText.done(job);
      },
      failure: (status, { check = false, stop = false }) => {
        const { job, missing, changed } = status;
        if (check) return missing + changed === 0 ? null : [speakAllText.left(status)];
        if (stop || job === null) return null;
        return job.status === 'done' && job.failures.length === 0 ? null : [speakAllText.failed(job)];
      },
    }),
    import: ivrImportCommand,
    export: ivrExportCommand,
    delete: routeCommand({
      help: ivrHelp.delete,
      arguments: { '<id>': ivrHelp.id },
      call: (portal, { id }) => portal.ask('portalDeleteIvr', { params: { id } }),
      words: ({ Message }) => Message,
    }),
    ring: ringCommand,
    draft: draftCommands,
  },
};
