import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type IvrDocument,
  type MenuNode,
  type NodeId,
  ScenarioId,
} from '../../../../src/contract/menu/ivr-draft.ts';
import type { IvrProblemCode } from '../../../../src/contract/menu/ivr-problem.ts';
import { checkDraft } from '../../../../src/core/ivr/check-draft.ts';
import { changeMenu } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { menusOf } from '../../../../src/core/ivr/edit/lines.ts';
import { connect, linesOf, type Port } from '../../../../src/core/ivr/edit/lines.ts';
import { cleanDocument } from '../../../fixtures/ivr-arbitraries.ts';

interface Broken {
  readonly document: IvrDocument;
  readonly path: string;
}

/** Breaks a valid call flow in one way, chosen by a number; null if it cannot be broken like that. */
type Break = (document: IvrDocument, choice: number) => Broken | null;

function chosen<T>(all: readonly T[], choice: number): T {
  const one = all[choice % all.length];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}

function pathOf(port: Port): string {
  switch (port.kind) {
    case 'caller':
      return 'caller.to';
    case 'key':
      return `nodes.${port.menu}.keys.${port.index}.to`;
    case 'invalid':
      return `nodes.${port.menu}.invalid_destination`;
    case 'timeout':
      return `nodes.${port.menu}.timeout_destination`;
    case 'open':
    case 'closed':
    case 'holiday':
    case 'then':
      return `nodes.${port.menu}.${port.kind}`;
  }
}

/** Changes one field of a menu. */
function withField<F extends keyof MenuNode>(field: F, value: MenuNode[F]): Break {
  return (document, choice) => {
    const { id } = chosen(menusOf(document), choice);
    return { document: changeMenu(document, id, { [field]: value }), path: `nodes.${id}.${field}` };
  };
}

/** Leads every exit of a menu to the same node. */
function leadAll(document: IvrDocument, menu: MenuNode, to: NodeId): IvrDocument {
  return changeMenu(document, menu.id, {
    keys: menu.keys.map((key) => ({ ...key, to })),
    invalid_destination: to,
    timeout_destination: to,
  });
}

const breaks: readonly [string, IvrProblemCode, Break][] = [
  [
    'a line is taken away',
    'destination_open',
    (document, choice) => {
      const { from } = chosen(
        linesOf(document).filter((line) => line.from.kind !== 'caller'),
        choice,
      );
      return { document: connect(document, from, null), path: pathOf(from) };
    },
  ],
  [
    'the caller’s line is taken away',
    'no_start',
    (document) => ({ document: connect(document, { kind: 'caller' }, null), path: 'caller.to' }),
  ],
  [
    'a node that a line leads to is taken away',
    'node_unknown',
    (document, choice) => {
      const { from, to } = chosen(linesOf(document), choice);
      if (from.kind !== 'caller' && from.menu === to) return null;
      const nodes = Object.fromEntries(Object.entries(document.nodes).filter(([id]) => id !== to));
      return { document: { ...document, nodes }, path: pathOf(from) };
    },
  ],
  [
    'a key is doubled',
    'key_twice',
    (document, choice) => {
      const { id, keys } = chosen(menusOf(document), choice);
      const doubled = [...keys, chosen(keys, choice)];
      return {
        document: changeMenu(document, id, { keys: doubled }),
        path: `nodes.${id}.keys.${keys.length}.key`,
      };
    },
  ],
  [
    'a key becomes one that no telephone has',
    'key_not_allowed',
    (document, choice) => {
      const { id, keys } = chosen(menusOf(document), choice);
      const index = choice % keys.length;
      const changed = keys.map((key, place) => (place === index ? { ...key, key: 'A' } : key));
      return {
        document: changeMenu(document, id, { keys: changed }),
        path: `nodes.${id}.keys.${index}.key`,
      };
    },
  ],
  ['a menu has no key left', 'no_keys', withField('keys', [])],
  ['a recording is taken away', 'field_open', withField('timeout_recording', null)],
  ['a count is too high', 'field_not_allowed', withField('incorrect_count', 21)],
  ['a time is too short', 'field_not_allowed', withField('timeout', 0)],
  ['a name is taken away', 'field_open', withField('name', '')],
  [
    'every line to a menu is led past it',
    'unreachable',
    (document, choice) => {
      const others = menusOf(document).filter(({ id }) => id !== document.caller.to);
      const past = Object.values(document.nodes).find(({ kind }) => kind === 'end');
      if (others.length === 0 || past === undefined) return null;
      const { id } = chosen(others, choice);
      const ports = linesOf(document).flatMap(({ from, to }) => (to === id ? [from] : []));
      return {
        document: ports.reduce((so, port) => connect(so, port, past.id), document),
        path: `nodes.${id}`,
      };
    },
  ],
  [
    'every exit of a menu leads to itself',
    'no_way_out',
    (document, choice) => {
      const menu = chosen(menusOf(document), choice);
      return { document: leadAll(document, menu, menu.id), path: `nodes.${menu.id}.keys` };
    },
  ],
  [
    'every exit of two menus leads to the other',
    'no_way_out',
    (document, choice) => {
      const [one, other] = menusOf(document);
      if (one === undefined || other === undefined) return null;
      const first = leadAll(document, one, other.id);
      const { id } = choice % 2 === 0 ? one : other;
      return { document: leadAll(first, other, one.id), path: `nodes.${id}.keys` };
    },
  ],
  [
    'silence begins the menu again for ever',
    'endless_without_key',
    (document, choice) => {
      const { id, keys } = chosen(menusOf(document), choice);
      // Such a menu may have no other exit at all, which is reported instead.
      if (keys.length === 12) return null;
      return {
        document: changeMenu(document, id, { timeout_destination: id }),
        path: `nodes.${id}.timeout_destination`,
      };
    },
  ],
  [
    'a wrong key leads back to a menu whose silence leads here',
    'endless_without_key',
    (document) => {
      const [one, other] = menusOf(document);
      if (one === undefined || other === undefined || other.keys.length === 12) return null;
      const there = changeMenu(document, one.id, { timeout_destination: other.id });
      const invalid = one.invalid_destination === other.id && one.keys.length < 12;
      return {
        document: changeMenu(there, other.id, { invalid_destination: one.id }),
        path: `nodes.${one.id}.${invalid ? 'invalid' : 'timeout'}_destination`,
      };
    },
  ],
  [
    'a menu does not begin again after silence',
    'never_played',
    (document, choice) => {
      const broken = withField('timeout_tries', 0)(document, choice);
      const { id } = chosen(menusOf(document), choice);
      return broken && { ...broken, path: `nodes.${id}.timeout_retry_recording` };
    },
  ],
  [
    'a scenario expects what does not come',
    'scenario_failed',
    (document) => {
      const id = ScenarioId.parse('wrong');
      const scenario = {
        id,
        name: 'Wrong',
        inputs: [],
        expected: { kind: 'destination' as const, destination: 'extension||nobody' },
      };
      return {
        document: { ...document, scenarios: { ...document.scenarios, [id]: scenario } },
        path: 'scenarios.wrong.expected',
      };
    },
  ],
];

describe('a clean drawing, broken in one way', () => {
  it.each(breaks)('is reported at its place: %s', (_what, code, breakIt) => {
    fc.assert(
      fc.property(cleanDocument, fc.nat({ max: 10_000 }), (document, choice) => {
        const broken = breakIt(document, choice);
        fc.pre(broken !== null);
        const { problems } = checkDraft(broken.document, null, 0);
        expect(problems.map((problem) => `${problem.code} ${problem.path}`)).toContain(
          `${code} ${broken.path}`,
        );
      }),
    );
  });
});
