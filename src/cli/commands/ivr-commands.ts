import {
  ivrHelp,
  ivrListHead,
  ivrRows,
  ivrText,
  spokenListHead,
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
      call: (portal, { id, check = false }) => portal.ask('speakIvr', { params: { id }, body: { check } }),
      rows: ({ prompts }) => prompts.map(spokenRow),
      head: spokenListHead,
      none: ivrText.noTexts,
      words: ({ prompts }) =>
        prompts.length === 0
          ? []
          : ivrText.allSpoken(prompts.filter(({ made }) => made).length, prompts.length),
      failure: ({ prompts }) =>
        prompts.every(({ state }) => state === 'spoken') ? null : ivrText.notSpoken(prompts),
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
