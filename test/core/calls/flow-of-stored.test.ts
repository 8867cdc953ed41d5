import { describe, expect, test } from 'vitest';
import type { Ivr, IvrId } from '../../../src/contract/menu/ivr.ts';
import {
  flowOfStored,
  readFlow,
  promptsOfStored,
  startsFirst,
  writeFlow,
} from '../../../src/core/calls/flow-of-stored.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { parseIvrBody } from '../../../src/core/ivr/body/parse-ivr-body.ts';

function stored(menus: Readonly<Record<string, readonly string[]>>): Map<IvrId, Ivr> {
  return new Map(
    Object.entries(menus).map(([id, destination]): [IvrId, Ivr] => {
      const parsed = parseIvrBody({ ...ivrBody, name: id, destination }, { smsTemplatesEnabled: false });
      if (!parsed.ok) throw new Error(id);
      return [
        id as IvrId,
        { ...parsed.value.body, id: id as IvrId, version: 1, created_at: '', updated_at: '' },
      ];
    }),
  );
}

describe('the flow of a stored menu', () => {
  const menus = stored({
    a: ['ivr||b', 'extension||1', 'ivr||gone'],
    b: ['ivr||a', 'ivr||b', 'hangup'],
    unreached: ['hangup', 'hangup', 'hangup'],
  });

  test('has every menu that is reached, also in a circle', () => {
    const flow = flowOfStored(menus, 'a');
    expect([...(flow?.menus.keys() ?? [])].sort()).toEqual(['a', 'b']);
    expect(flow?.start).toBe('a');
    const [first, , last] = [...(flow?.menus.get('a' as never)?.keys.values() ?? [])];
    expect(first?.to).toEqual({ kind: 'menu', menu: 'b' });
    expect(last?.to).toEqual({ kind: 'destination', destination: 'ivr||gone', node: null });
  });

  test('is none for an unknown id', () => {
    expect(flowOfStored(menus, 'nothing')).toBeNull();
  });

  test('is read as it was written, and the same flow is the same text', () => {
    const flow = flowOfStored(menus, 'a');
    if (flow === null) throw new Error('none');
    const text = writeFlow(flow);
    const read = readFlow(text);
    expect(read === null ? '' : writeFlow(read)).toBe(text);
    expect(read?.menus.get('b' as never)?.keys).toEqual(flow.menus.get('b' as never)?.keys);
    expect(readFlow('{"start":1}')).toBeNull();
    expect(readFlow('no JSON')).toBeNull();
  });
});

describe('menus to hand calls over to', () => {
  const menus = stored({
    led: ['hangup', 'hangup', 'hangup'],
    start: ['ivr||led', 'ivr||start', 'hangup'],
  });

  test('are listed from those that no other menu leads to', () => {
    expect(startsFirst([...menus.values()]).map(({ id }) => id)).toEqual(['start', 'led']);
  });

  test('have the prompts of the menus that they lead to, each once', () => {
    const spoken = new Map(menus);
    const led = spoken.get('led' as IvrId)!;
    spoken.set(led.id, { ...led, recording: 'outbound_tts||Welcome' });
    const prompts = promptsOfStored(spoken, 'start');
    expect(prompts).toContain('outbound_tts||Welcome');
    expect(prompts).toContain(ivrBody.recording);
    expect(new Set(prompts).size).toBe(prompts.length);
    expect(promptsOfStored(spoken, 'nothing')).toEqual([]);
  });
});
