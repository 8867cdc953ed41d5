import { IvrDocument } from '../../src/contract/menu/ivr-draft.ts';

/** A call flow of this many nodes, `menus` of them menus: a tree of menus, each with its destinations. */
export function largeDrawing({ nodes, menus }: { nodes: number; menus: number }): IvrDocument {
  const endsEach = Math.floor((nodes - menus) / menus);
  const drawn: Record<string, unknown> = {};
  for (let menu = 0; menu < menus; menu += 1) {
    const x = 320 + (menu % 5) * 760;
    const y = Math.floor(menu / 5) * 900;
    const ends = Array.from({ length: endsEach }, (_, end) => `end${menu * endsEach + end}`);
    const next = [menu * 2 + 1, menu * 2 + 2].filter((other) => other < menus).map((other) => `menu${other}`);
    for (const [end, id] of ends.entries())
      drawn[id] = {
        kind: 'end',
        id,
        place: { x: x + 420, y: y + end * 90 },
        type: 'department',
        ref: `team-${menu}-${end}`,
      };
    drawn[`menu${menu}`] = {
      kind: 'menu',
      id: `menu${menu}`,
      place: { x, y },
      name: `Menu ${menu}`,
      description: 'One of many',
      recording: 'recording||welcome',
      timeout: 5,
      keys: [...ends.slice(1), ...next].map((to, key) => ({
        key: '1234567890*#'[key],
        to,
        sms_template: null,
      })),
      incorrect_count: 2,
      invalid_recording: 'recording||wrong',
      invalid_destination: ends[0],
      timeout_tries: 2,
      timeout_retry_recording: 'recording||again',
      timeout_recording: 'recording||last',
      timeout_destination: ends[0],
    };
  }
  return IvrDocument.parse({
    name: 'A large drawing',
    caller: { place: { x: 0, y: 0 }, to: 'menu0' },
    nodes: drawn,
    scenarios: {},
  });
}
