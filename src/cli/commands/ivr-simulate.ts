import { type Command, InvalidArgumentError } from 'commander';
import { ScenarioInput } from '../../contract/ivr-draft.ts';
import { flowOfBody } from '../../core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { runInputs } from '../../core/ivr/call/run-scenario.ts';
import type { CallState } from '../../core/ivr/call/step.ts';
import { compileDraft } from '../../core/ivr/compile/compile-draft.ts';
import { readDocumentFile } from '../../core/ivr/document-file.ts';
import type { Flow } from '../../core/ivr/flow.ts';
import { fieldErrors } from '../../text/field-errors.ts';
import { callSentence } from '../../text/phone-menu.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { fieldErrorLines, ivrProblemLines } from '../ivr-problem-lines.ts';
import { readJsonFile } from '../read-file-bytes.ts';
import { plainText, print, printJson, say } from '../terminal.ts';

export function ivrSimulateCommand(ivr: Command): void {
  addCommand(ivr, 'simulate', {
    description:
      'Call a phone menu: an IVR file, or a draft that the designer exported; needs no running service.',
    examples: [
      'rotavox ivr simulate menu.json --keys 2',
      'rotavox ivr simulate draft.json --keys "9,-,1" --json',
    ],
  })
    .argument('<file>', 'the file, or - for stdin')
    .option(
      '--keys <keys>',
      'what the caller presses, with commas between: keys of 0-9, * and #, and - for a timeout',
      readInputs,
      [],
    )
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const { keys, json } = command.opts<{ keys: ScenarioInput[]; json?: true }>();
      const flow = readFlow(await readJsonFile(file));
      const { state, happenings, ignored } = runInputs(flow, keys);
      const log = happenings.map((happening) => plainText(callSentence(happening, flow)));
      const end = endOf(flow, state);
      if (json) printJson({ end: end.found, ignored, log, happenings });
      else for (const line of [...log, end.words]) print(line);
      if (ignored > 0) {
        say(
          `${ignored === 1 ? 'The last key was' : `The last ${ignored} keys were`} not needed: the call was over.`,
        );
      }
    });
}

function readInputs(text: string): ScenarioInput[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const parsed = ScenarioInput.safeParse(part);
      if (parsed.success) return parsed.data;
      throw new InvalidArgumentError(
        `“${part}” is not valid: each must be one key of 0-9, * or #, or - for a timeout.`,
      );
    });
}

/** The file's menus as they may run. Throws a failure that says why they may not. */
function readFlow(content: unknown): Flow {
  const draft = readDocumentFile(content);
  if (draft === null) {
    const parsed = parseIvrBody(content, { smsTemplatesEnabled: true });
    if (parsed.ok) return flowOfBody(parsed.value.body);
    throw failure(
      'This is no IVR that can be called:',
      fieldErrorLines(fieldErrors(parsed.refusal), 'The body'),
    );
  }
  if (!draft.ok) {
    throw failure(
      'This is no draft that can be read:',
      fieldErrorLines(fieldErrors(draft.refusal), 'The file'),
    );
  }
  const compiled = compileDraft(draft.value);
  if (compiled.ok) return compiled.value;
  throw failure('This draft cannot be called yet:', ivrProblemLines(compiled.refusal));
}

/** What plays is heard to its end, so the call waits or is over. */
function endOf(flow: Flow, state: CallState): { found: object; words: string } {
  if (state.kind === 'ended') {
    const { destination } = state;
    return { found: { kind: 'destination', destination }, words: `Ended at ${destination}.` };
  }
  const { menu } = state;
  const name = flow.menus.get(menu)?.name ?? menu;
  return { found: { kind: 'menu', menu, name }, words: `Waiting in “${name}”.` };
}

function failure(sentence: string, lines: readonly string[]): CommandFailure {
  return new CommandFailure(exitCodes.failed, [sentence, ...lines]);
}
