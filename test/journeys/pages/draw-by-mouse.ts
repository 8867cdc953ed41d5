import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import type {
  EndNode,
  IvrDocument,
  MenuNode,
  NodeId,
  Scenario,
} from '../../../src/contract/menu/ivr-draft.ts';
import type { IvrDestinationType } from '../../../src/contract/menu/ivr.ts';
import { endSize, headHeight, sizeOf } from '../../../src/renderer/ivr/designer/canvas/card-geometry.ts';
import { DesignerPage } from './designer-page.ts';
import { DesignerPanels } from './designer-panels.ts';

/** What the palette calls a destination of each kind. */
const partNames: Readonly<Record<IvrDestinationType, string>> = {
  extension: 'Extension',
  ivr: 'Stored menu',
  department: 'Queue or department',
  ring_group: 'Ring group',
  number: 'Outside number',
  voicemail: 'Voicemail',
  timegroup: 'Time group',
  time_condition: 'Time condition',
  hangup: 'Hang up',
};

/** Which id each node of a drawing got when it was drawn again. */
export type DrawnIds = ReadonlyMap<NodeId, string>;

/**
 * Draws a whole document into an empty draft with the mouse, as a person does.
 *
 * Parts are dragged from the palette to where the document has them, their fields are typed into the inspector, each line is
 * dragged from its port to its card, and the scenarios are written into their list.
 */
export async function drawByMouse({ page }: DesignerPage, document: IvrDocument): Promise<DrawnIds> {
  const designer = new DesignerPage(page);
  const panels = new DesignerPanels(page);
  await designer.name.fill(document.name);
  await designer.makeRoom(extentOf(document));

  const ids = new Map<NodeId, string>();
  for (const node of Object.values(document.nodes)) {
    if (node.kind === 'hours' || node.kind === 'message') throw new Error('not drawn by mouse yet');
    const part = node.kind === 'menu' ? 'Menu' : partNames[node.type];
    // Held by the middle of its head.
    const at = { x: node.place.x + endSize.width / 2, y: node.place.y + headHeight / 2 };
    ids.set(node.id, await designer.drop(part, at));
    if (node.kind === 'menu') await typeMenu(panels, node);
    else await typeEnd(panels, node);
  }
  await drawLines(designer, document, ids);
  await panels.tab(/Scenarios/).click();
  for (const scenario of Object.values(document.scenarios)) await writeScenario(panels, scenario, ids);
  await designer.isSaved();
  return ids;
}

async function typeMenu({ inspector }: DesignerPanels, menu: MenuNode): Promise<void> {
  const group = (name: string): Locator => inspector.getByRole('group', { name, exact: true });
  const name = inspector.getByLabel('Name', { exact: true });
  // Until the inspector shows the new menu, this is the name of what was shown before.
  await expect(name).toHaveValue(/^Menu \d+$/);
  await name.fill(menu.name);
  await inspector.getByLabel('Description', { exact: true }).fill(menu.description);
  await typePrompt(inspector, 'Callers hear', menu.recording);
  await typeNumber(inspector, 'Then wait for a key', menu.timeout);
  await typePrompt(inspector, 'After a wrong key', menu.invalid_recording);
  await typeNumber(group('Wrong key'), 'Then repeat the menu up to', menu.incorrect_count);
  await typePrompt(inspector, 'Before a retry', menu.timeout_retry_recording);
  await typeNumber(group('Timeout'), 'Then repeat the menu up to', menu.timeout_tries);
  await typePrompt(inspector, 'After the last timeout', menu.timeout_recording);
}

async function typePrompt(within: Locator, label: string, prompt: string | null): Promise<void> {
  const [kind = 'recording', id = ''] = prompt?.split('||') ?? [];
  if (kind !== 'outbound_tts') await within.getByLabel(`${label}: kind`).selectOption(kind);
  await within.getByLabel(label, { exact: true }).fill(id);
}

async function typeNumber(within: Locator, label: string, count: number | null): Promise<void> {
  await within.getByLabel(label, { exact: true }).fill(String(count ?? ''));
}

async function typeEnd({ inspector }: DesignerPanels, { type, ref }: EndNode): Promise<void> {
  if (type === 'hangup') return;
  const id = inspector.getByLabel('Id', { exact: true });
  await expect(id).toHaveValue(''); // the one before has its id
  await id.fill(ref);
}

async function drawLines(designer: DesignerPage, { caller, nodes }: IvrDocument, ids: DrawnIds) {
  const draw = async (from: string, handle: string, to: NodeId | null): Promise<void> => {
    const target = to === null ? undefined : ids.get(to);
    if (target === undefined) return;
    const card = designer.cardOf(target);
    // A line that comes back to its own card has to be led to where lines come in.
    const end = target === from ? designer.port(card, 'in') : card;
    await designer.drag(designer.port(designer.cardOf(from), handle), end);
  };
  // The first menu that is put there is led to from the caller by itself.
  const first = Object.values(nodes).find(({ kind }) => kind === 'menu');
  if (caller.to !== first?.id) await draw('caller', 'caller', caller.to);
  for (const node of Object.values(nodes)) {
    const from = ids.get(node.id);
    if (node.kind !== 'menu' || from === undefined) continue;
    for (const [place, { key, to }] of node.keys.entries()) {
      await draw(from, `free-${key}`, to);
      await designer.line(from, `key-${place}`).waitFor({ state: 'attached' });
    }
    await draw(from, 'invalid', node.invalid_destination);
    await draw(from, 'timeout', node.timeout_destination);
  }
}

async function writeScenario(
  { scenarios }: DesignerPanels,
  { name, inputs, expected }: Scenario,
  ids: DrawnIds,
) {
  const place = (await scenarios.getByRole('listitem').count()) + 1;
  await scenarios.getByRole('button', { name: 'Add a scenario' }).click();
  await scenarios
    .getByLabel('Name')
    .nth(place - 1)
    .fill(name);
  const row = scenarios.getByRole('listitem', { name, exact: true });
  await row.getByLabel('Keys, and - for timeout').fill(inputs.join(' '));
  const end =
    expected.kind === 'menu' ? `menu ${ids.get(expected.menu) ?? ''}` : `destination ${expected.destination}`;
  await row.getByLabel('Expected result').selectOption(end);
}

function extentOf({ caller, nodes }: IvrDocument) {
  const boxes = [
    { ...caller.place, ...endSize },
    ...Object.values(nodes).map((node) => ({ ...node.place, ...sizeOf(node) })),
  ];
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}
