import type { Command } from 'commander';
import type { Ivr } from '../../contract/ivr.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { warningLines } from '../ivr-problem-lines.ts';
import { localTime } from '../../text/time.ts';
import { openPortal } from '../portal.ts';
import { readJsonFile } from '../read-file-bytes.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrListCommand(ivr: Command): void {
  addCommand(ivr, 'list', {
    description: 'List the stored IVRs.',
    examples: ['rotavox ivr list', 'rotavox ivr list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('portalListIvrs');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.ivrs.length === 0) {
        say('There is no IVR. Create one with `rotavox ivr create FILE`.');
        return;
      }
      const rows = list.ivrs.map(({ id, version, updated_at, option, name }) => [
        id,
        String(version),
        localTime(updated_at),
        option.join(' '),
        name,
      ]);
      for (const line of formatTable(rows, ['id', 'version', 'changed', 'keys', 'name'])) print(line);
    });
}

export function ivrCreateCommand(ivr: Command): void {
  addCommand(ivr, 'create', {
    description: 'Create an IVR from a JSON file with the fields of POST /v1/ivr. Prints its id.',
    examples: ['rotavox ivr create menu.json', 'rotavox ivr create - < menu.json'],
  })
    .argument('<file>', 'the file, or - for stdin')
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const body = await readJsonFile(file);
      const created = await openPortal(options).ask('portalCreateIvr', { body });
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
  addCommand(ivr, 'show', {
    description: 'Show one IVR: what plays, which key goes where, what happens on a timeout.',
    examples: ['rotavox ivr show ivr_…', 'rotavox ivr show ivr_… --json'],
  })
    .argument('<id>', "the IVR's id, as `rotavox ivr list` shows it")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const shown = await openPortal(options).ask('portalReadIvr', { params: { id } });
      if (options.json) printJson(shown);
      else for (const line of ivrLines(shown)) print(line);
    });
}

function ivrLines(ivr: Ivr): string[] {
  const { sms_template: smsTemplate } = ivr;
  return formatTable([
    ['IVR', ivr.id],
    ['Name', ivr.name],
    ['Description', ivr.description],
    ['Version', `${ivr.version}, changed ${localTime(ivr.updated_at)}`],
    ['Plays', ivr.recording],
    ['Waits', `${ivr.timeout} s`],
    ...ivr.option.map((key, place) => [`Key ${key}`, ivr.destination[place] ?? '']),
    [
      'Wrong key',
      `${ivr.invalid_recording}, ${ivr.incorrect_count} more attempts, then ${ivr.invalid_destination}`,
    ],
    [
      'Timeout',
      `${ivr.timeout_retry_recording} up to ${ivr.timeout_tries} times, then ${ivr.timeout_recording} and ` +
        ivr.timeout_destination,
    ],
    ...(smsTemplate === undefined ? [] : [['SMS templates', smsTemplate.join(', ')]]),
  ]);
}

export function ivrDeleteCommand(ivr: Command): void {
  addCommand(ivr, 'delete', {
    description: 'Delete an IVR. Its versions stay in the history.',
    examples: ['rotavox ivr delete ivr_…'],
  })
    .argument('<id>', "the IVR's id, as `rotavox ivr list` shows it")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const deleted = await openPortal(options).ask('portalDeleteIvr', { params: { id } });
      if (options.json) printJson(deleted);
      else say(deleted.Message);
    });
}
