import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeId } from '../../src/contract/menu/ivr-draft.ts';
import { compileDraft } from '../../src/core/ivr/compile/compile-draft.ts';
import { asteriskDialplan } from '../../src/core/ivr/export/asterisk-dialplan.ts';
import { dialplanNames, entryName } from '../../src/core/ivr/export/dialplan-names.ts';
import { type Flow, type FlowMenu, menusOnly } from '../../src/core/ivr/flow.ts';
import { telephoneSteps } from '../../src/text/menu/flow-export.ts';
import { type ExportedFlow, installExports, playCall, simulatedCall } from '../fixtures/exported-calls.ts';
import { receptionDocument } from '../fixtures/reception-document.ts';
import type { Deed } from '../core/ivr/export/call-engine.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';

let asterisk: Asterisk;
let callers: AsteriskCallers;

beforeAll(async () => {
  // With them, text that became an instruction would run.
  asterisk = await startAsterisk({ modules: ['app_system', 'func_shell'] });
  callers = await AsteriskCallers.connect(asterisk);
});
afterAll(async () => {
  expect(await asterisk.log(), 'all prompts were found').not.toContain('file.c');
  await callers.close();
  await asterisk.close();
});

const waits = (...inputs: Deed['input'][]): Deed[] => inputs.map((input) => ({ input, during: 'wait' }));
const interrupts = (...inputs: Deed['input'][]): Deed[] =>
  inputs.map((input) => ({ input, during: 'prompt' }));

describe('menus that were exported for Asterisk', () => {
  const reception: ExportedFlow = { name: receptionDocument.name, flow: shortTimeouts(receptionDocument) };

  beforeAll(() => installExports(asterisk, [reception]));

  it.concurrent.each<[string, { deeds: Deed[]; hangsUpIn?: number }, string, string[]]>([
    ['by a key', { deeds: waits('1') }, 'destinations,extension_100', ['from-internal,100,1']],
    [
      'by keys into prompts',
      { deeds: interrupts('2', '1') },
      'destinations,extension_101',
      ['from-internal,101,1'],
    ],
    ['by wrong keys', { deeds: waits('5', '5') }, 'destinations,extension_100', ['from-internal,100,1']],
    ['by timeouts', { deeds: waits('-', '-', '-') }, 'destinations,hangup', []],
    [
      'past a key in the last prompt',
      { deeds: [...interrupts('2', '7', '7', '9'), ...waits('1')] },
      'destinations,extension_100',
      ['from-internal,100,1'],
    ],
    ['to a menu in which they hang up', { deeds: waits('2', '-') }, 'menu_sales', []],
    ['to a prompt in which they hang up', { deeds: waits('2'), hangsUpIn: 2 }, 'hung up', []],
  ])('lead callers %s as the simulator does', async (_, script, end, ledTo) => {
    const played = await playCall(callers, reception, script);
    expect(played.end).toMatch(new RegExp(`${end}$`));
    expect(played.ledTo).toEqual(ledTo);
    expect(played.earlyTimeouts).toEqual([]);
    expect({ heard: played.heard, end: played.end }, played.story).toEqual(simulatedCall(reception, played));
  });
});

it('menus that were exported for Asterisk are reached after the steps that come with them', async () => {
  const flow = shortTimeouts(receptionDocument);
  const entry = entryName({ name: 'Reached', id: 'ivr_1' });
  const [, include, , lead, load] = telephoneSteps('asterisk', { entry, first: 'Reception' });
  await asterisk.configure(`${entry}.conf`, asteriskDialplan(flow, entry));
  await asterisk.configure('extensions.conf', `[from-phones]\n${lead!.line!}\n${include!.line!}\n`);
  await asterisk.console(/^asterisk -rx "(.*)"$/.exec(load!.line!)![1]!);
  const caller = await callers.call('100@from-phones');
  const { channel } = await caller.begins('BackGround');
  expect(channel!.dialplan.context).toBe(`${entry}_menu_reception`);
  await caller.hangUp();
});

describe('text that people wrote', () => {
  const hostile = (command: string): string[] => [
    `\${SHELL(${command})}`,
    `\${SHELL(${command}`,
    `$[1 + \${SHELL(${command})}]`,
    `x\nexten => s,1,System(${command})`,
    `x\r\nexten => s,1,System(${command})\r\n same => n,Hangup()`,
    `x\u2028exten => s,1,System(${command})`,
    `x\n#exec "${command}"`,
    `x\n#include "/etc/passwd"`,
    `]\n[default]\nexten => s,1,System(${command})`,
    `--;\n;-- x\nexten => 1,1,System(${command})`,
    `;--`,
    `101,1)&System(${command}`,
    `101&Local/s@default`,
    `1|2=>3 "'\`\\(){}[]<>%&`,
    `\u202e101 שלום \u2066مرحبا`,
    '👋🏽 受付 👩‍👩‍👧',
    `\0x`,
    `${'x'.repeat(99)};`,
    'ä'.repeat(300),
  ];

  it('is nowhere executed, read as dialplan or called', async () => {
    const canary = join(asterisk.folder, 'canary');
    const exported = hostile(`touch ${canary}`).map((text, place) => ({
      name: `${place} ${text}`,
      flow: flowFullOf(text),
    }));
    const before = (await asterisk.log()).length;
    await installExports(asterisk, exported);
    expect((await asterisk.log()).slice(before)).not.toMatch(/WARNING|ERROR/);
    expect(await contextsOf(asterisk)).toEqual(exported.flatMap(contextNames).sort());

    const channels = callers.channels.size;
    const calls = exported.flatMap((one) => [
      { one, deeds: interrupts('1', '5'), ledTo: [] },
      { one, deeds: interrupts('2', '2'), ledTo: ['from-internal,101,1'] },
    ]);
    let late = 0;
    await Promise.all(
      calls.map(async ({ one, deeds, ledTo }) => {
        const played = await playCall(callers, one, { deeds });
        expect({ heard: played.heard, end: played.end }, played.story).toEqual(simulatedCall(one, played));
        // A key that comes after the second in which a menu waited for it may lead nowhere.
        const isLate = [...played.received.values()].flat().some((did, place) => did !== deeds[place]?.input);
        if (isLate) late += 1;
        expect(isLate ? [[], ledTo] : [ledTo], `${one.name}\n${played.story}`).toContainEqual(played.ledTo);
      }),
    );
    expect(late).toBeLessThan(calls.length / 4);
    expect(callers.channels.size - channels).toBe(2 * calls.length);
    expect(existsSync(canary)).toBe(false);
  });

  it('would be executed if it were dialplan', async () => {
    const canary = (name: string) => join(asterisk.folder, `canary-${name}`);
    await asterisk.configure(
      'extensions.conf',
      `[default]
#exec "touch ${canary('exec')}"
exten => s,1,Answer()
 same => n,Set(X=\${SHELL(touch ${canary('shell')})})
 same => n,System(touch ${canary('system')})
 same => n,Hangup()
`,
    );
    await asterisk.console('dialplan reload');
    const caller = await callers.call('s@default');
    await caller.next(({ type }) => type === 'ChannelDestroyed');
    for (const way of ['exec', 'shell', 'system']) expect(existsSync(canary(way)), way).toBe(true);
  });
});

/** Three menus: keys lead on with texts everywhere; whoever gets past them is led to an extension or to what is no plain id. */
function flowFullOf(text: string): Flow {
  const first = text as NodeId;
  const second = `${text} 2` as NodeId;
  const destination = (reference: string) =>
    ({ kind: 'destination', destination: reference, node: null }) as const;
  const menu = (id: NodeId, keys: FlowMenu['keys']) => ({
    id,
    name: text,
    description: text,
    recording: `recording||${text}`,
    timeoutSeconds: 1,
    keys,
    wrongKey: { recording: text, retries: 0, to: destination(`extension||${text}`) },
    timeout: {
      retries: 0,
      retryRecording: text,
      lastRecording: `outbound_tts||${text}`,
      to: destination(`voicemail||${text}`),
    },
    directDial: null,
  });
  const on = { to: { kind: 'menu', menu: second }, smsTemplate: text } as const;
  return menusOnly(
    first,
    new Map([
      [
        first,
        menu(
          first,
          new Map([
            ['1', on],
            ['2', on],
          ]),
        ),
      ],
      [
        second,
        menu(second, new Map([['2', { to: destination('extension||101'), smsTemplate: `31${text}` }]])),
      ],
    ]),
  );
}

function shortTimeouts(document: typeof receptionDocument): Flow {
  const compiled = compileDraft(document, {});
  if (!compiled.ok) throw new Error('not clean');
  const { menus } = compiled.value;
  const short = Array.from(menus, ([id, menu]) => [id, { ...menu, timeoutSeconds: 1 }] as const);
  return { ...compiled.value, menus: new Map(short) };
}

/** Asked again where a line is missing: the console drops lines beyond 64 KB while nobody reads for a tenth of a second. */
async function contextsOf(system: Asterisk): Promise<string[]> {
  for (;;) {
    const shown = await system.console('dialplan show');
    const contexts = [...shown.matchAll(/Context '(.*)' created by '(.*)'/g)];
    const [, count] = /in (\d+) contexts\. =-/.exec(shown) ?? [];
    if (contexts.length === Number(count))
      return contexts.flatMap(([, name = '', by]) => (by === 'pbx_config' ? [name] : [])).sort();
  }
}

function contextNames({ name, flow }: ExportedFlow): string[] {
  const entry = entryName({ name, id: name });
  const { menus } = dialplanNames(flow, entry);
  return [entry, ...Array.from(menus.values(), (menu) => `${entry}_menu_${menu}`), `${entry}_destinations`];
}
