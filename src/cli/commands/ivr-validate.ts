import type { IvrDocument } from '../../contract/ivr-draft.ts';
import { flowOfBody } from '../../core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { checkDraft } from '../../core/ivr/check-draft.ts';
import { prove } from '../../core/ivr/prove/prove.ts';
import { fieldErrors } from '../../text/field-errors.ts';
import { problemSentence, problemWarnings, writtenProblem } from '../../text/flow-findings.ts';
import { fieldErrorLines, inputProblem } from '../../text/cli.ts';
import { ivrHelp, ivrProblemLines, ivrText, warningLine, warningLines } from '../../text/cli-ivr.ts';
import { customCommand } from '../command-table.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { isFile, readIvrFile, readIvrSource } from '../ivr-source.ts';
import { printJson, say } from '../terminal.ts';

export const ivrValidateCommand = customCommand({
  help: ivrHelp.validate,
  arguments: { '<source>': ivrHelp.source },
  async run({ source, json, ...options }) {
    if (!isFile(source)) {
      validateDraft((await readIvrSource(options, source)).document, json);
      return;
    }
    const read = await readIvrFile(source);
    if (read.kind === 'body') validateBody(read.body, json);
    else if (read.kind === 'document') validateDraft(read.document, json);
    else {
      if (json) printJson({ valid: false, errors: read.errors });
      throw failure(ivrText.unreadableMenu, fieldErrorLines(read.errors, inputProblem.file));
    }
  },
});

function validateBody(content: unknown, json: boolean): void {
  // Only the service knows whether SMS templates are on; they are checked as if they were.
  const parsed = parseIvrBody(content, { smsTemplatesEnabled: true });
  const valid = parsed.ok;
  const errors = parsed.ok ? [] : fieldErrors(parsed.refusal);
  const warnings = parsed.ok ? fieldErrors(parsed.value.warnings) : [];
  const findings = parsed.ok ? prove(flowOfBody(parsed.value.body), null) : [];
  const allWarnings = [...warnings, ...problemWarnings(findings)];
  if (json) printJson({ valid, errors, warnings: allWarnings });
  say(...warningLines(allWarnings));
  if (!valid) {
    throw failure(ivrText.invalidIvr, fieldErrorLines(errors, inputProblem.body));
  }
  say(ivrText.validIvr);
}

/** Only a service knows the recordings and extensions, so references to them are not checked. */
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
    if (problem.severity === 'warning') say(warningLine(`${problem.path}: ${problemSentence(problem)}`));
  }
  for (const { name, passed } of scenarios) say(ivrText.scenario(name, passed));
  if (errors.length > 0) throw failure(ivrText.invalidDraft, ivrProblemLines(errors));
  say(ivrText.validDraft);
}

function failure(sentence: string, lines: readonly string[]): CommandFailure {
  return new CommandFailure(exitCodes.failed, [sentence, ...lines]);
}
