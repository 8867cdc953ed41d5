import type { Command } from 'commander';
import type { Ivr } from '../../contract/ivr.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../moments.ts';
import { openPortal } from '../portal.ts';
import { print, printJson } from '../terminal.ts';

export function ivrShowCommand(ivr: Command): void {
  addCommand(ivr, 'show', {
    description: 'Show one IVR: what plays, which key goes where, what happens on silence.',
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
      'Silence',
      `${ivr.timeout_retry_recording} up to ${ivr.timeout_tries} times, then ${ivr.timeout_recording} and ` +
        ivr.timeout_destination,
    ],
    ...(smsTemplate === undefined ? [] : [['SMS templates', smsTemplate.join(', ')]]),
  ]);
}
