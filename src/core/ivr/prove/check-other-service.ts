import type { DraftNode, IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import { readReference } from '../../../contract/menu/ivr-reference.ts';
import type { Flow } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';
import { menuOutcomes } from './prove-exits.ts';

/** What only this service has: the bodies of others have the types of the spec, and those that their platforms add to it. */
const ownTypes = new Set(['ring_group', 'number', 'sound']);

/** What another service, which has the fields of the spec only, cannot store of a call flow: errors, each once for a card or a field. */
export function checkForOtherService(document: IvrDocument, flow: Flow): IvrProblem[] {
  return [...ownReferences(flow), ...ownParts(document)];
}

function ownReferences({ menus }: Flow): IvrProblem[] {
  const told = new Set<string>();
  return [...menus.values()].flatMap((menu) => [
    ...Object.entries({
      recording: menu.recording,
      invalid_recording: menu.wrongKey.recording,
      timeout_retry_recording: menu.timeout.retryRecording,
      timeout_recording: menu.timeout.lastRecording,
    }).flatMap(([field, prompt]) =>
      isOwn(prompt)
        ? [
            menuProblem(menu.id, {
              code: 'not_elsewhere',
              at: field,
              field,
              params: { what: 'reference', name: menu.name, reference: prompt },
            }),
          ]
        : [],
    ),
    ...menuOutcomes(menu).flatMap(({ to, at, field }) => {
      if (to.kind !== 'destination' || !isOwn(to.destination)) return [];
      const params = { what: 'reference', name: menu.name, reference: to.destination } as const;
      const where = field === undefined ? { at } : { at, field };
      if (to.node === null) return [menuProblem(menu.id, { code: 'not_elsewhere', ...where, params })];
      if (told.has(to.node)) return [];
      told.add(to.node);
      return [menuProblem(to.node, { code: 'not_elsewhere', at: 'type', params })];
    }),
  ]);
}

function isOwn(reference: string): boolean {
  return ownTypes.has(readReference(reference)?.type ?? '');
}

/** Opening hours, messages, direct dial and keys of several digits. */
function ownParts({ caller, nodes }: IvrDocument): IvrProblem[] {
  const tell = (node: DraftNode, what: 'hours' | 'message' | 'direct_dial', at?: string): IvrProblem => {
    const params = { what, name: 'name' in node ? node.name : '', key: null };
    return menuProblem(node.id, { code: 'not_elsewhere', ...(at === undefined ? {} : { at }), params });
  };
  const first = caller.to === null ? undefined : nodes[caller.to];
  const start: IvrProblem[] =
    first?.kind === 'hours' || first?.kind === 'message'
      ? [
          {
            ...menuProblem(first.id, {
              code: 'not_elsewhere',
              params: { what: 'start', name: '', key: null },
            }),
            path: 'caller.to',
          },
        ]
      : [];
  return [
    ...start,
    ...Object.values(nodes).flatMap((node) => {
      if (node.kind === 'hours' || node.kind === 'message') return [tell(node, node.kind)];
      if (node.kind === 'end') return [];
      return [
        ...((node.direct_dial ?? null) === null ? [] : [tell(node, 'direct_dial', 'direct_dial')]),
        ...node.keys.flatMap(({ key }, place) =>
          key.length < 2
            ? []
            : [
                menuProblem(node.id, {
                  code: 'not_elsewhere',
                  at: `keys.${place}.key`,
                  field: `option[${place}]`,
                  params: { what: 'long_key', name: node.name, key },
                }),
              ],
        ),
      ];
    }),
  ];
}
