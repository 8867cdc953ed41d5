import { expect, type Locator } from '@playwright/test';
import type {
  DraftNode,
  IvrDocument,
  MenuNode,
  NodeId,
  Scenario,
} from '../../../src/contract/menu/ivr-draft.ts';
import { destinationTypes } from '../../../src/text/menu/phone-menu.ts';
import type { DesignerPanels } from './designer-panels.ts';
import { Keyboard } from './keyboard.ts';

/**
 * Writes a whole document into the outline of an empty draft, with the keyboard alone.
 *
 * The menus first, then what leads where: a destination is made where the first key leads to it.
 */
export async function drawByKeyboard(panels: DesignerPanels, document: IvrDocument): Promise<void> {
  const hand = new Keyboard(panels.page);
  await hand.fill(panels.page.getByRole('textbox', { name: 'Name of the draft' }), document.name);
  await hand.use(panels.button('Outline'));
  const menus = Object.values(document.nodes).filter((node): node is MenuNode => node.kind === 'menu');
  const { outline } = panels;
  for (const { name } of menus) {
    await hand.use(outline.getByRole('button', { name: 'Add a menu' }));
    await expect(outline.getByLabel('Name', { exact: true })).toBeFocused();
    await hand.press('ControlOrMeta+a');
    await hand.type(name);
  }
  const writing = new OutlineWriting(panels, hand, document);
  for (const menu of menus) await writing.write(menu);
  await hand.reach(panels.tab(/roblems/));
  await hand.press('ArrowRight', 'ArrowRight');
  await expect(panels.scenarios).toBeVisible();
  for (const scenario of Object.values(document.scenarios))
    await writeScenario(panels, hand, { document, scenario });
}

class OutlineWriting {
  readonly #panels: DesignerPanels;
  readonly #hand: Keyboard;
  readonly #nodes: IvrDocument['nodes'];
  /** The destinations that there are already, in the order in which they were made. */
  readonly #made: NodeId[] = [];

  constructor(panels: DesignerPanels, hand: Keyboard, { nodes }: IvrDocument) {
    this.#panels = panels;
    this.#hand = hand;
    this.#nodes = nodes;
  }

  async write(menu: MenuNode): Promise<void> {
    const { outline } = this.#panels;
    const group = (name: string): Locator => outline.getByRole('group', { name, exact: true });
    await this.#open(menu);
    await this.#fill(outline, 'Description', menu.description);
    await this.#prompt('Callers hear', menu.recording);
    await this.#fill(outline, 'Then wait for a key', String(menu.timeout));
    for (const [place, { key, to }] of menu.keys.entries()) {
      await this.#hand.use(outline.getByRole('button', { name: 'Add a key' }));
      await expect(outline.getByRole('textbox', { name: `Key ${place + 1} in order` })).toBeFocused();
      await this.#hand.type(key);
      const field = outline.getByRole('combobox', { name: `Where key ${key} leads` });
      await this.#lead(field, outline.getByRole('row').nth(place + 1), to);
    }
    await this.#prompt('After a wrong key', menu.invalid_recording);
    const wrong = group('Wrong key');
    await this.#fill(wrong, 'Then repeat the menu up to', String(menu.incorrect_count));
    await this.#lead(wrong.getByLabel('Too many wrong keys lead to'), wrong, menu.invalid_destination);
    await this.#prompt('Before a retry', menu.timeout_retry_recording);
    const silence = group('Timeout');
    await this.#fill(silence, 'Then repeat the menu up to', String(menu.timeout_tries));
    await this.#prompt('After the last timeout', menu.timeout_recording);
    await this.#lead(silence.getByLabel('Then the timeout leads to'), silence, menu.timeout_destination);
  }

  /** Opens a menu; one of the menus is in the order of Tab, and the arrows lead to the others. */
  async #open({ name }: MenuNode): Promise<void> {
    const { outline } = this.#panels;
    const toggle = this.#panels.outlined(name);
    await this.#hand.reach(outline.getByRole('heading', { level: 3 }).locator('button[tabindex="0"]'));
    await this.#hand.press('Home');
    for (let presses = 0; !(await isFocused(toggle)); presses += 1) {
      if (presses > 20) throw new Error(`The arrows do not lead to ${name}.`);
      await this.#hand.press('ArrowDown');
    }
    await this.#hand.press('ArrowRight');
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  }

  async #fill(within: Locator, label: string, text: string): Promise<void> {
    await this.#hand.fill(within.getByLabel(label, { exact: true }), text);
  }

  /** A field without a prompt begins as a spoken text; a recording is chosen as its kind first. */
  async #prompt(label: string, prompt: string | null): Promise<void> {
    const { outline } = this.#panels;
    if (prompt?.startsWith('recording||') === true) {
      const kind = outline.getByRole('combobox', { name: `${label}: kind`, exact: true });
      await this.#hand.reach(kind);
      await this.#hand.type('Recording');
    }
    await this.#fill(outline, label, idOf(prompt));
  }

  /** Chooses where an exit leads: what is there already by its name, or a new destination, whose id is typed below. */
  async #lead(field: Locator, around: Locator, to: NodeId | null): Promise<void> {
    const node = to === null ? undefined : this.#nodes[to];
    if (node === undefined) return;
    await this.#hand.reach(field);
    if (node.kind === 'hours' || node.kind === 'message') throw new Error('not drawn by keyboard yet');
    const isThere = node.kind === 'menu' || this.#made.includes(node.id);
    const isFirstEnd =
      node.kind === 'end' &&
      node.type === 'hangup' &&
      !this.#made.some((id) => wordsOf(this.#nodes[id]!) === wordsOf(node));
    const words = isThere || isFirstEnd ? wordsOf(node) : `New: ${typeWord(node)}`;
    await this.#hand.type(words);
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    if (isThere)
      for (let before = this.#alikeBefore(node); before > 0; before -= 1) await this.#hand.press('ArrowDown');
    await this.#hand.press('Enter');
    await expect(field).toHaveAttribute('aria-expanded', 'false');
    if (isThere) return;
    this.#made.push(node.id);
    if (node.type !== 'hangup')
      await this.#hand.fill(around.getByRole('combobox', { name: /: id$/ }), node.ref);
  }

  /** How many of those that stand before it in the list are called the same. */
  #alikeBefore(node: DraftNode): number {
    const before = this.#made.slice(0, Math.max(0, this.#made.indexOf(node.id)));
    return before.filter((id) => wordsOf(this.#nodes[id]!) === wordsOf(node)).length;
  }
}

async function writeScenario(
  { scenarios }: DesignerPanels,
  hand: Keyboard,
  {
    document,
    scenario: { name, inputs, expected },
  }: { readonly document: IvrDocument; readonly scenario: Scenario },
): Promise<void> {
  await hand.use(scenarios.getByRole('button', { name: 'Add a scenario' }));
  await hand.press('ControlOrMeta+a');
  await hand.type(name);
  const row = scenarios.getByRole('listitem', { name, exact: true });
  await hand.fill(row.getByLabel('Keys, and - for timeout'), inputs.join(' '));
  const select = row.getByLabel('Expected result');
  await hand.reach(select);
  // A list of the browser's own takes what is typed for the beginning of an entry.
  const words =
    expected.kind === 'menu' ? menuWords(document, expected.menu) : destinationWords(expected.destination);
  await hand.type(words);
  await expect(select.locator('option:checked')).toContainText(words);
}

function wordsOf(node: DraftNode): string {
  if (node.kind === 'hours') return 'Opening hours';
  if (node.kind !== 'end') return node.name;
  return node.type === 'hangup' ? 'Hang up' : `${typeWord(node)} ${node.ref}`;
}

function typeWord({ type }: { readonly type: string }): string {
  return destinationTypes.find((one) => one.type === type)!.word;
}

function destinationWords(destination: string): string {
  const [type = '', ref = ''] = destination.split('||');
  return ref === '' ? typeWord({ type }) : `${typeWord({ type })} ${ref}`;
}

function menuWords({ nodes }: IvrDocument, menu: NodeId): string {
  return wordsOf(nodes[menu]!);
}

function idOf(prompt: string | null): string {
  return prompt?.split('||')[1] ?? '';
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement);
}
