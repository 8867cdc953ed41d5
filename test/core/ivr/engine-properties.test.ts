import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeId, ScenarioInput } from '../../../src/contract/menu/ivr-draft.ts';
import type { IvrBody } from '../../../src/contract/menu/ivr.ts';
import { flowOfBody } from '../../../src/core/ivr/body/flow-of-body.ts';
import { bodyOfMenu, menuBody } from '../../../src/core/ivr/body/menu-body.ts';
import { parseIvrBody } from '../../../src/core/ivr/body/parse-ivr-body.ts';
import { runInputs } from '../../../src/core/ivr/call/run-scenario.ts';
import { type CallInput, type CallState, startCall, step } from '../../../src/core/ivr/call/step.ts';
import { checkDraft } from '../../../src/core/ivr/check-draft.ts';
import { compileDraft } from '../../../src/core/ivr/compile/compile-draft.ts';
import { telephoneKeys } from '../../../src/core/ivr/edit/edit-keys.ts';
import type { Flow, FlowMenu } from '../../../src/core/ivr/flow.ts';
import { drawStoredMenus } from '../../../src/core/ivr/import/draw-menus.ts';
import { menusOf } from '../../../src/core/ivr/edit/lines.ts';
import { prove } from '../../../src/core/ivr/prove/prove.ts';
import { anyDocument, cleanDocument, cleanFlow, inputs } from '../../fixtures/ivr-arbitraries.ts';
import { anyTime } from '../../fixtures/any-time.ts';

const emptyDirectory = {
  recordings: new Set<string>(),
  extensions: new Set<string>(),
  menus: new Set<string>(),
  smsTemplates: new Set<string>(),
  routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
  smsTemplatesEnabled: false,
};

const anyInput: fc.Arbitrary<CallInput> = fc.oneof(
  fc
    .constantFrom('0', '1', '2', '3', '9', '*', '#', 'A', '', 'constructor')
    .map((key) => ({ kind: 'key', key }) as const),
  fc.constant({ kind: 'silence' } as const),
  fc.constant({ kind: 'prompt_ended' } as const),
);

/** The most that can happen to a caller who presses no used key: every menu once, each with all its tries. */
function mostInputs(flow: Flow, of: (menu: FlowMenu) => number): number {
  return [...flow.menus.values()].reduce((sum, menu) => sum + of(menu), 0);
}

function bodyOfSole(flow: Flow, ownId: string): IvrBody {
  const menu = flow.menus.get(flow.start);
  if (menu === undefined) throw new Error('a flow of a body has its menu');
  return bodyOfMenu(menu, () => ownId);
}

/** Blanks at the end of the list of SMS templates mean nothing, and nothing follows an id-less `hangup||`. */
function plainBody(body: IvrBody): IvrBody {
  const { sms_template: templates = [], ...rest } = body;
  const length = templates.findLastIndex((template) => template !== '') + 1;
  return length === 0 ? rest : { ...rest, sms_template: templates.slice(0, length) };
}

describe('a call', () => {
  it('is answered in every state, for any input', () => {
    fc.assert(
      fc.property(cleanFlow, fc.array(anyInput, { maxLength: 60 }), (flow, all) => {
        let { state } = startCall(flow, anyTime);
        for (const input of all) {
          const next = step(flow, state, input, anyTime);
          if (next.happenings.length === 0) expect(next.state).toBe(state);
          if (next.state.kind !== 'ended') expect(flow.menus.has(next.state.menu)).toBe(true);
          state = next.state;
        }
      }),
    );
  });

  it('reaches a destination when the caller stops pressing keys, whatever was pressed before', () => {
    fc.assert(
      fc.property(cleanFlow, inputs, (flow, pressed) => {
        const timeout = Array.from<ScenarioInput>({
          length: mostInputs(flow, (menu) => menu.timeout.retries + 1),
        }).fill('-');
        expect(runInputs(flow, [...pressed, ...timeout], anyTime).state.kind).toBe('ended');
      }),
    );
  });

  it('reaches a destination after only unused keys and timeouts, in any mixture', () => {
    fc.assert(
      fc.property(cleanFlow, inputs, fc.infiniteStream(fc.nat()), (flow, pressed, choices) => {
        const bound = mostInputs(flow, (menu) => menu.wrongKey.retries + menu.timeout.retries + 1);
        let { state }: { state: CallState } = runInputs(flow, pressed, anyTime);
        for (let given = 0; state.kind !== 'ended';) {
          if (state.kind === 'playing') {
            state = step(flow, state, { kind: 'prompt_ended' }, anyTime).state;
            continue;
          }
          given += 1;
          expect(given).toBeLessThanOrEqual(bound);
          state = step(
            flow,
            state,
            unusedInput(flow, state.menu, choices.next().value as number),
            anyTime,
          ).state;
        }
      }),
    );
  });
});

/** A key that the menu does not use, or silence. */
function unusedInput(flow: Flow, menu: NodeId, choice: number): CallInput {
  const used = flow.menus.get(menu)?.keys;
  const unused = telephoneKeys.filter((key) => used?.has(key) !== true);
  const key = unused[choice % (unused.length + 1)];
  return key === undefined ? { kind: 'silence' } : { kind: 'key', key };
}

describe('a drawing', () => {
  it('that is clean has no error, and its flow proves clean', () => {
    fc.assert(
      fc.property(cleanDocument, (document) => {
        const { flow, problems, runs } = checkDraft(document, emptyDirectory, 0);
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(runs.every(({ passed }) => passed)).toBe(true);
        expect(flow).not.toBeNull();
      }),
    );
  });

  it('of any kind is checked, and every problem has an existing place', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const { flow, problems } = checkDraft(document, emptyDirectory, 0);
        expect(flow === null).toBe(!compileDraft(document, {}).ok);
        if (flow === null) expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
        for (const { path, node } of problems) {
          expect(valueAt(document, path)).not.toBe('nothing');
          if (node !== null) expect(Object.hasOwn(document.nodes, node)).toBe(true);
        }
      }),
    );
  });

  it('that compiles gives bodies that the service accepts, the same from the drawing and from the flow', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const compiled = compileDraft(document, {});
        fc.pre(compiled.ok);
        for (const { id } of menusOf(document)) {
          const body = menuBody(document, id, (menu) => `ivr_${menu}`);
          const menu = compiled.value.menus.get(id);
          expect(menu && bodyOfMenu(menu, (other) => `ivr_${other}`)).toEqual(body);
          const parsed = parseIvrBody(body, { smsTemplatesEnabled: true });
          expect(parsed).toEqual({ ok: true, value: { body, warnings: [] } });
        }
      }),
    );
  });

  it('made of bodies gives the same bodies back', () => {
    fc.assert(
      fc.property(cleanDocument, (document) => {
        const stored = storedMenus(document);
        const redrawn = drawStoredMenus(stored.map(({ id, body }) => ({ ...body, id })));
        expect(compileDraft(redrawn, {})).toMatchObject({ ok: true });
        const ids = menusOf(redrawn).map(({ id }) => id);
        const bodies = ids.map((id) =>
          menuBody(redrawn, id, (menu) => stored[ids.indexOf(menu)]?.id ?? 'nowhere'),
        );
        expect(bodies).toEqual(stored.map(({ body }) => body));
      }),
    );
  });
});

describe('a body', () => {
  it('keeps every field on its way through a flow, in every form that it may be written in', () => {
    fc.assert(
      fc.property(cleanDocument, fc.boolean(), (document, isLoose) => {
        for (const { id = '', body } of storedMenus(document)) {
          const read = parseIvrBody(isLoose ? loosely(body) : body, { smsTemplatesEnabled: true });
          expect(read).toMatchObject({ ok: true });
          if (!read.ok) continue;
          expect(read.value.body).toEqual(body);
          expect(bodyOfSole(flowOfBody(read.value.body, id), id)).toEqual(plainBody(read.value.body));
        }
      }),
    );
  });

  it('is a flow that calls can run through', () => {
    fc.assert(
      fc.property(cleanDocument, inputs, (document, pressed) => {
        for (const { id = '', body } of storedMenus(document)) {
          const flow = flowOfBody(body, id);
          expect(prove(flow, null).filter(({ code }) => code === 'node_unknown')).toEqual([]);
          expect(['waiting', 'ended']).toContain(runInputs(flow, pressed, anyTime).state.kind);
        }
      }),
    );
  });
});

function storedMenus(document: Parameters<typeof menusOf>[0]): { id: string; body: IvrBody }[] {
  return menusOf(document).map(({ id }) => {
    const read = parseIvrBody(
      menuBody(document, id, (menu) => `ivr_${menu}`),
      { smsTemplatesEnabled: true },
    );
    if (!read.ok) throw new Error('a clean drawing gives bodies');
    return { id: `ivr_${id}`, body: read.value.body };
  });
}

/** As in the spec's sample: numbers as strings, digits as numbers, the two aliases. */
function loosely({
  timeout_tries: tries,
  invalid_recording: invalid,
  ...body
}: IvrBody): Record<string, unknown> {
  return {
    ...body,
    timeout: String(body.timeout),
    incorrect_count: String(body.incorrect_count),
    timeout_retries: String(tries),
    recording_invalid: invalid,
    option: body.option.map((key) => (/\d/.test(key) ? Number(key) : key)),
  };
}

function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return 'nothing';
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
