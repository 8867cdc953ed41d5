import { InvalidArgumentError } from 'commander';
import { type IvrDocument, ScenarioInput } from '../../contract/menu/ivr-draft.ts';
import { withStoredMenus } from '../../core/calls/flow-of-stored.ts';
import { flowOfBody } from '../../core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { runInputs } from '../../core/ivr/call/run-scenario.ts';
import type { CallState, CallTime } from '../../core/ivr/call/step.ts';
import { checkDraft } from '../../core/ivr/check-draft.ts';
import { compileDraft } from '../../core/ivr/compile/compile-draft.ts';
import { type Flow, type FlowSources, unknownSchedule } from '../../core/ivr/flow.ts';
import { readInstant } from '../../core/schedule/read-until.ts';
import type { ScheduleHours, ScheduleId } from '../../contract/menu/schedule.ts';
import { prove } from '../../core/ivr/prove/prove.ts';
import { ivrHelp, ivrProblemLines, ivrText, warningLine, warningLines } from '../../text/cli/cli-ivr.ts';
import { fieldErrorLines, inputProblem } from '../../text/cli/cli.ts';
import { fieldErrors } from '../../text/window/field-errors.ts';
import { problemSentence, problemWarnings, writtenProblem } from '../../text/menu/flow-findings.ts';
import { callSentence } from '../../text/menu/phone-menu.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { customCommand } from '../command-table.ts';
import { isFile, readIvrFile, readIvrSource } from '../ivr-source.ts';
import { plainText, print, printJson, say } from '../terminal.ts';

export const ivrValidateCommand = customCommand({
  help: ivrHelp.validate,
  arguments: { '<source>': ivrHelp.source },
  async run({ source, json, ...options }) {
    if (!isFile(source)) {
      const { document, beside } = await readIvrSource(options, source);
      validateDraft(document, beside.schedules, json);
      return;
    }
    const read = await readIvrFile(source);
    if (read.kind === 'body') validateBody(read.body, json);
    else if (read.kind === 'document') validateDraft(read.document, read.schedules, json);
    else {
      if (json) printJson({ valid: false, errors: read.errors });
      throw failure(ivrText.unreadableMenu, fieldErrorLines(read.errors, inputProblem.file));
    }
  },
});

type Schedules = ReadonlyMap<ScheduleId, ScheduleHours>;

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

/**
 * Only a service knows the recordings and extensions, so references to them are not checked. `schedules`: those that are known; any other
 * counts as closed.
 */
function validateDraft(document: IvrDocument, schedules: Schedules, json: boolean): void {
  const known = { get: (id: ScheduleId) => schedules.get(id) ?? unknownSchedule(id) };
  const { problems, runs } = checkDraft(document, null, Date.now(), { schedules: known });
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

export const ivrSimulateCommand = customCommand({
  help: ivrHelp.simulate,
  arguments: { '<source>': ivrHelp.source },
  options: {
    '--keys <keys>': { help: ivrHelp.simulate.keys, read: readInputs, usual: [] },
    '--at <when>': ivrHelp.simulate.at,
    '--hours <name=state>': { help: ivrHelp.simulate.hours, read: readSwitches, usual: new Map() },
  },
  async run({ source, keys, at, hours, json, ...options }) {
    const flow = await readFlow(options, source);
    const { state, happenings, ignored } = runInputs(flow, keys, timeOf(flow, at, hours));
    const log = happenings.map((happening) => plainText(callSentence(happening, flow)));
    const end = endOf(flow, state);
    if (json) printJson({ end: end.found, ignored, log, happenings });
    else for (const line of [...log, end.text]) print(line);
    if (ignored > 0) say(ivrText.ignoredKeys(ignored));
  },
});

type Switches = ReadonlyMap<string, 'open' | 'closed'>;

/** `Office=closed`, several separated by commas. */
function readSwitches(text: string): Switches {
  return new Map(
    text.split(',').map((part) => {
      const place = part.lastIndexOf('=');
      const name = part.slice(0, Math.max(place, 0)).trim();
      const to = part.slice(place + 1).trim();
      if (name !== '' && (to === 'open' || to === 'closed')) return [name, to];
      throw new InvalidArgumentError(ivrText.switchedWrongly(part.trim()));
    }),
  );
}

/** When the call comes, and what is set by hand then. Times of the day are those of the first schedule that the flow asks. */
function timeOf(flow: Flow, at: string | undefined, hours: Switches): CallTime {
  const schedules = [...new Set(Array.from(flow.hours.values(), ({ schedule }) => schedule))];
  const isNamed = ({ id, name }: ScheduleHours, given: string): boolean =>
    [name, id].some((one) => one.toLowerCase() === given.toLowerCase());
  const unknown = [...hours.keys()].find((given) => !schedules.some((one) => isNamed(one, given)));
  if (unknown !== undefined)
    throw wrongUsage(
      ivrText.asksNoHours(
        unknown,
        schedules.map(({ name }) => name),
      ),
    );
  const switches = new Map(
    schedules.flatMap((schedule) =>
      [...hours].flatMap(([given, to]) =>
        isNamed(schedule, given) ? [[schedule.id, { to, until: null }] as const] : [],
      ),
    ),
  );
  if (at === undefined) return { at: Date.now(), switches };
  const zone = schedules[0]?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const read = readInstant(at, zone, Date.now());
  if (read.ok) return { at: read.value, switches };
  throw wrongUsage(ivrText.noInstant(at));
}

function readInputs(text: string): ScenarioInput[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const parsed = ScenarioInput.safeParse(part);
      if (parsed.success) return parsed.data;
      throw new InvalidArgumentError(ivrText.input(part));
    });
}

/** What callers meet, with every stored menu that they can come to. Throws a failure that says why it cannot run. */
async function readFlow(options: GlobalOptions, source: string): Promise<Flow> {
  if (!isFile(source)) {
    const { document, stored, beside } = await readIvrSource(options, source);
    return withStoredMenus(compiled(document, beside), stored, beside);
  }
  const read = await readIvrFile(source);
  if (read.kind === 'document') {
    const { schedules } = read;
    return compiled(read.document, {
      schedules: { get: (id) => schedules.get(id) ?? unknownSchedule(id) },
    });
  }
  if (read.kind === 'refused')
    throw failure(ivrText.unreadableMenu, fieldErrorLines(read.errors, inputProblem.file));
  const parsed = parseIvrBody(read.body, { smsTemplatesEnabled: true });
  if (parsed.ok) return flowOfBody(parsed.value.body);
  throw failure(ivrText.cannotSimulateIvr, fieldErrorLines(fieldErrors(parsed.refusal), inputProblem.body));
}

function compiled(document: IvrDocument, sources: FlowSources): Flow {
  const flow = compileDraft(document, sources);
  if (flow.ok) return flow.value;
  throw failure(ivrText.cannotSimulateDraft, ivrProblemLines(flow.refusal));
}

/** Where the call is after the last input: prompts play to their end, so it waits or has ended. */
function endOf(flow: Flow, state: CallState): { found: object; text: string } {
  if (state.kind === 'ended') {
    const { destination } = state;
    return { found: { kind: 'destination', destination }, text: ivrText.ended(destination) };
  }
  const { menu } = state;
  const name = flow.menus.get(menu)?.name ?? menu;
  return { found: { kind: 'menu', menu, name }, text: ivrText.waiting(name) };
}

function failure(sentence: string, lines: readonly string[]): CommandFailure {
  return new CommandFailure(exitCodes.failed, [sentence, ...lines]);
}
