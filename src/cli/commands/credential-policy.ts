import { type Command, InvalidArgumentError } from 'commander';
import { ChangePolicy, RotationPolicy } from '../../contract/credential.ts';
import { optionProblem } from '../../text/cli.ts';
import { credentialHelp, credentialText } from '../../text/cli-credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { hoursIn, numberIn, shareIn, valueOf } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson } from '../terminal.ts';

/** In an object, because commander treats null as an empty text. */
const Hours = RotationPolicy.pick({ preferred_hours: true });

/** In an object, as above. */
const Validity = ChangePolicy.pick({ validity_days: true }).required();

const help = credentialHelp.policy;

interface PolicyOptions extends GlobalOptions {
  readonly fraction?: number;
  readonly preferredHours?: Pick<RotationPolicy, 'preferred_hours'>;
  readonly validity?: Pick<ChangePolicy, 'validity_days'>;
  readonly json?: true;
}

export function credentialPolicyCommand(credential: Command): void {
  addCommand(credential, 'policy', help)
    .argument(...credentialNameArgument)
    .option('--fraction <share>', help.fraction, valueOf(ChangePolicy.shape.fraction, shareIn))
    .option('--preferred-hours <from-to>', help.preferredHours, preferredHoursOf)
    .option('--validity <days>', help.validity, valueOf(Validity, validityIn))
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const { fraction, preferredHours, validity, ...options } = command.optsWithGlobals<PolicyOptions>();
      const portal = openPortal(options);
      const change: ChangePolicy = {
        ...(fraction === undefined ? {} : { fraction }),
        ...preferredHours,
        ...validity,
      };
      const view =
        Object.keys(change).length === 0
          ? await portal.ask('readCredential', { params: { name } })
          : await portal.ask('changeCredentialPolicy', { params: { name }, body: change });
      if (options.json) {
        printJson(view);
        return;
      }
      print(credentialText.policy(view, Date.now()));
    });
}

/** `90d`, `90` or `default`. */
function validityIn(text: string): unknown {
  return { validity_days: text === 'default' ? null : numberIn(text.replace(/d$/, '')) };
}

function preferredHoursOf(text: string): Pick<RotationPolicy, 'preferred_hours'> {
  const parsed = Hours.safeParse({ preferred_hours: text === 'any' ? null : hoursIn(text) });
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(optionProblem.hours);
}
