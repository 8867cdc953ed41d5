import type { Command } from 'commander';
import type { IvrDocument } from '../../contract/ivr-draft.ts';
import { flowOfBody } from '../../core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { checkDraft } from '../../core/ivr/check-draft.ts';
import { readDocumentFile } from '../../core/ivr/document-file.ts';
import { prove } from '../../core/ivr/prove/prove.ts';
import { fieldErrors } from '../../text/field-errors.ts';
import { problemSentence, problemWarnings, writtenProblem } from '../../text/flow-findings.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { fieldErrorLines, ivrProblemLines, warningLines } from '../ivr-problem-lines.ts';
import { readJsonFile } from '../read-file-bytes.ts';
import { printJson, say } from '../terminal.ts';

export function ivrValidateCommand(ivr: Command): void {
  addCommand(ivr, 'validate', {
    description:
      'Check an IVR file, or a draft that the designer exported, without creating anything; needs no running service.',
    examples: [
      'rotavox ivr validate menu.json',
      'rotavox ivr validate draft.json',
      'rotavox ivr validate - --json < menu.json',
    ],
  })
    .argument('<file>', 'the file, or - for stdin')
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const { json = false } = command.opts<{ json?: true }>();
      const content = await readJsonFile(file);
      const draft = readDocumentFile(content);
      if (draft === null) validateBody(content, json);
      else if (draft.ok) validateDraft(draft.value, json);
      else {
        const errors = fieldErrors(draft.refusal);
        if (json) printJson({ valid: false, errors });
        throw failure('This is no draft that can be read:', fieldErrorLines(errors, 'The file'));
      }
    });
}

function validateBody(content: unknown, json: boolean): void {
  // Whether SMS templates are on only the service knows; validation asks for what would be applied.
  const parsed = parseIvrBody(content, { smsTemplatesEnabled: true });
  const valid = parsed.ok;
  const errors = parsed.ok ? [] : fieldErrors(parsed.refusal);
  const warnings = parsed.ok ? fieldErrors(parsed.value.warnings) : [];
  const findings = parsed.ok ? prove(flowOfBody(parsed.value.body), null) : [];
  const told = [...warnings, ...problemWarnings(findings)];
  if (json) printJson({ valid, errors, warnings: told });
  say(...warningLines(told));
  if (!valid) {
    throw failure('This is no IVR that can be created:', fieldErrorLines(errors, 'The body'));
  }
  say('Valid: it can be created as it is.');
}

/** What recordings and extensions there are only a service knows, so nothing is compared with them. */
function validateDraft(document: IvrDocument, json: boolean): void {
  const { problems, runs } = checkDraft(document, null);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const scenarios = Object.values(document.scenarios).map(({ id, name }) => {
    const run = runs.find(({ scenario }) => scenario === id);
    const params = run?.failure ?? null;
    const message = params === null ? null : problemSentence({ code: 'scenario_failed', params });
    return { id, name, passed: run?.passed ?? null, message };
  });
  if (json) printJson({ valid: errors.length === 0, problems: problems.map(writtenProblem), scenarios });
  for (const problem of problems) {
    if (problem.severity === 'warning') say(`Warning: ${problem.path}: ${problemSentence(problem)}`);
  }
  for (const { name, passed } of scenarios) {
    const result = passed === null ? 'was not run' : passed ? 'passes' : 'fails';
    say(`Scenario “${name}” ${result}.`);
  }
  if (errors.length > 0) throw failure('This draft cannot be published:', ivrProblemLines(errors));
  say('Valid: it can be published as it is.');
}

function failure(sentence: string, lines: readonly string[]): CommandFailure {
  return new CommandFailure(exitCodes.failed, [sentence, ...lines]);
}
