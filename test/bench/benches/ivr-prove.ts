import { type DraftNode, IvrDocument, NodeId, type Scenario } from '../../../src/contract/ivr-draft.ts';
import { checkDraft } from '../../../src/core/ivr/check-draft.ts';
import { changeMenu } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { runScenario } from '../../../src/core/ivr/call/run-scenario.ts';
import type { Bench } from '../bench.ts';
import { judgeMs } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';

const menuCount = 20;
/** How many of a menu's keys lead out, each to a different destination: 200 nodes together. */
const keysOut = 9;
const scenarioCount = 40;
const inputsEach = 12;
/** One frame. */
const budgetMs = 16;

/** The checks of the designer after each edit, with a call flow far larger than usual. */
export const ivrProve: Bench = {
  name: 'ivr-prove',
  title: `checking a drawing of ${menuCount} menus, ${menuCount * (keysOut + 1)} nodes and ${scenarioCount} scenarios`,
  run({ quick }) {
    const drawn = drawMenus();
    const first = timed(() => checkDraft(drawn, directory));
    const turns = quick ? 5 : 20;
    const edits = quick ? 50 : 200;
    const check: number[] = [];
    const json: number[] = [];
    const longest: number[] = [];
    const longestCpu: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const checks: number[] = [];
      const texts: number[] = [];
      const cpu: number[] = [];
      for (let edit = 0; edit < edits; edit += 1) {
        const edited = changeMenu(drawn, menuId(edit % menuCount), { name: `Menu, edit ${turn} ${edit}` });
        const before = process.cpuUsage();
        checks.push(timed(() => checkDraft(edited, directory)));
        const { user, system } = process.cpuUsage(before);
        cpu.push((user + system) / 1000);
        texts.push(timed(() => JSON.stringify(edited)));
      }
      check.push(spreadOf(checks).median);
      longest.push(spreadOf(checks).max);
      longestCpu.push(spreadOf(cpu).max);
      json.push(spreadOf(texts).median);
    }
    const { problems, runs } = checkDraft(drawn, directory);
    const row = (what: string, times: readonly number[]): string[] => {
      const { median, max } = spreadOf(times);
      const share = (100 * median) / budgetMs;
      const ofJson = spreadOf(times.map((ms, turn) => ms / (json[turn] ?? json[0] ?? NaN))).median;
      return [what, median.toFixed(3), max.toFixed(3), `${share.toFixed(1)} %`, `${ofJson.toFixed(1)}x`];
    };
    printTable(
      ['milliseconds an edit', 'median', 'longest', `of ${budgetMs} ms`, 'of JSON.stringify'],
      [
        row('compile, prove and run every scenario', check),
        row('the longest of each turn', longest),
        // Only our own CPU time, including the other threads of this process, such as the collector's.
        row('the longest of each turn, CPU', longestCpu),
        row('the very first, before anything is compiled', [first]),
        row('JSON.stringify of the drawing', json),
      ],
    );
    console.log(
      `  ${problems.length} warnings; ${runs.filter(({ passed }) => passed).length} scenarios passed.\n`,
    );
    return Promise.resolve([
      judgeMs(`checking a drawing of 200 nodes, an edit`, spreadOf(check), budgetMs),
      judgeMs(`checking a drawing of 200 nodes, the longest in CPU`, spreadOf(longestCpu), budgetMs),
    ]);
  },
};

/** Half of the references are known, so warnings are included. */
const directory = {
  recordings: new Set(Array.from({ length: menuCount }, (_, place) => String(2 * place))),
  extensions: new Set(Array.from({ length: 100 }, (_, place) => String(100 + 2 * place))),
  menus: new Set<string>(),
  smsTemplates: new Set(['1']),
  routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
  smsTemplatesEnabled: true,
};

function timed(act: () => unknown): number {
  const before = performance.now();
  act();
  return performance.now() - before;
}

function menuId(place: number): NodeId {
  return NodeId.parse(`menu${place}`);
}

/** A tree of menus with a way back to the first from each; a timeout leads out. */
function drawMenus(): IvrDocument {
  const nodes = Array.from({ length: menuCount }, (_, place) => drawMenu(place)).flat();
  const document = IvrDocument.parse({
    name: 'Large',
    caller: { place: { x: 0, y: 0 }, to: menuId(0) },
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    scenarios: {},
  });
  const { flow } = checkDraft(document, null);
  if (flow === null) throw new Error('the drawing of this benchmark does not compile');
  const scenarios = Array.from({ length: scenarioCount }, (_, place): Scenario => {
    // Through menus, with wrong keys and timeouts between.
    const inputs = Array.from(
      { length: inputsEach },
      (_input, at) => ['*', '#', '-', '9', '*', '9'][(place + at * (1 + (place % 3))) % 6] ?? '-',
    );
    const scenario = { id: `try${place}`, name: `Caller ${place}`, inputs } as Scenario;
    const anywhere = { kind: 'menu', menu: menuId(0) } as const;
    return { ...scenario, expected: runScenario(flow, { ...scenario, expected: anywhere }).came };
  });
  return { ...document, scenarios: Object.fromEntries(scenarios.map((one) => [one.id, one])) };
}

function drawMenu(place: number): DraftNode[] {
  const ends = Array.from({ length: keysOut }, (_, at) => ({
    kind: 'end' as const,
    id: NodeId.parse(`end${place}-${at}`),
    place: { x: 400, y: at * 100 },
    type: 'extension' as const,
    ref: String(100 + place * keysOut + at),
  }));
  const child = (which: 1 | 2): NodeId => {
    const next = 2 * place + which;
    return menuId(next < menuCount ? next : 0);
  };
  const out = ends[0]?.id ?? null;
  const key = (pressed: string, to: NodeId) => ({ key: pressed, to, sms_template: null });
  return [
    {
      kind: 'menu',
      id: menuId(place),
      place: { x: 0, y: place * 900 },
      name: `Menu ${place}`,
      description: 'One of many',
      recording: `recording||${place}`,
      timeout: 5,
      keys: [
        ...ends.map(({ id }, at) => ({ ...key(String(at), id), sms_template: at === 0 ? '1' : null })),
        key('*', child(1)),
        key('#', child(2)),
      ],
      incorrect_count: 3,
      invalid_recording: 'recording||2',
      invalid_destination: out,
      timeout_tries: 3,
      timeout_retry_recording: 'recording||3',
      timeout_recording: 'recording||4',
      timeout_destination: out,
    },
    ...ends,
  ];
}
