import type { Command } from 'commander';
import { ChangePolicy, RotationPolicy } from '../../contract/credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { policyText } from '../../text/credentials.ts';
import { nextRotation } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { hoursIn, shareIn, valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { print, printJson } from '../terminal.ts';

/** In an object: commander takes a bare null for an empty text. */
const Hours = RotationPolicy.pick({ preferred_hours: true });

interface PolicyOptions extends GlobalOptions {
  readonly fraction?: number;
  readonly preferredHours?: Pick<RotationPolicy, 'preferred_hours'>;
  readonly json?: true;
}

export function credentialPolicyCommand(credential: Command): void {
  addCommand(credential, 'policy', {
    description: 'Show when a credential is rotated, or change it.',
    examples: [
      'rotavox credential policy pbx',
      'rotavox credential policy pbx --fraction 0.5 --preferred-hours 02:00-05:00',
    ],
  })
    .argument(...credentialNameArgument)
    .option(
      '--fraction <share>',
      'replace a value after this share of its life, 0.1 to 0.9, such as 0.5 or 2/3',
      valueOf(ChangePolicy.shape.fraction, shareIn),
    )
    .option(
      '--preferred-hours <from-to>',
      'local hours in which it is welcome, such as 22:00-04:00, or any',
      valueOf(Hours, preferredHoursIn),
    )
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const { fraction, preferredHours, ...options } = command.optsWithGlobals<PolicyOptions>();
      const portal = openPortal(options);
      const change: ChangePolicy = {
        ...(fraction === undefined ? {} : { fraction }),
        ...preferredHours,
      };
      const view =
        Object.keys(change).length === 0
          ? await portal.ask('readCredential', { params: { name } })
          : await portal.ask('changeCredentialPolicy', { params: { name }, body: change });
      if (options.json) {
        printJson(view);
        return;
      }
      print(`${view.name} is rotated ${policyText(view.policy)}; next: ${nextRotation(view, Date.now())}.`);
    });
}

function preferredHoursIn(text: string): unknown {
  return { preferred_hours: text === 'any' ? null : hoursIn(text) };
}
