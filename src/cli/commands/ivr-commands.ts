import type { Command } from 'commander';
import { ivrHelp, ivrListHead, ivrRows, ivrText, warningLines } from '../../text/cli-ivr.ts';
import { fieldErrorLines, inputProblem, optionHelp } from '../../text/cli.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { readIvrFile } from '../ivr-source.ts';
import { localTime } from '../../text/time.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrListCommand(ivr: Command): void {
  addCommand(ivr, 'list', ivrHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('portalListIvrs');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.ivrs.length === 0) {
        say(ivrText.none);
        return;
      }
      const rows = list.ivrs.map(({ id, version, updated_at, option, name }) => [
        id,
        String(version),
        localTime(updated_at),
        option.join(' '),
        name,
      ]);
      for (const line of formatTable(rows, ivrListHead)) print(line);
    });
}

export function ivrCreateCommand(ivr: Command): void {
  addCommand(ivr, 'create', ivrHelp.create)
    .argument('<file>', optionHelp.inputFile)
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const read = await readIvrFile(file);
      if (read.kind === 'refused') {
        const lines = fieldErrorLines(read.errors, inputProblem.file);
        throw new CommandFailure(exitCodes.failed, [ivrText.unreadableMenu, ...lines]);
      }
      if (read.kind === 'document') throw new CommandFailure(exitCodes.failed, ivrText.notOneMenu(file));
      const created = await openPortal(options).ask('portalCreateIvr', { body: read.body });
      if (options.json) {
        printJson(created);
        return;
      }
      print(created.id);
      say(created.Message);
      for (const line of warningLines(created.warnings)) say(line);
    });
}

export function ivrShowCommand(ivr: Command): void {
  addCommand(ivr, 'show', ivrHelp.show)
    .argument('<id>', ivrHelp.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const shown = await openPortal(options).ask('portalReadIvr', { params: { id } });
      if (options.json) printJson(shown);
      else for (const line of formatTable(ivrRows(shown))) print(line);
    });
}

export function ivrDeleteCommand(ivr: Command): void {
  addCommand(ivr, 'delete', ivrHelp.delete)
    .argument('<id>', ivrHelp.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const deleted = await openPortal(options).ask('portalDeleteIvr', { params: { id } });
      if (options.json) printJson(deleted);
      else say(deleted.Message);
    });
}
