import type { FileChooser, Locator, Page } from '@playwright/test';

/** A person with a mouse, whose actions are counted: each click, drag and text that is typed. */
export class Mouse {
  readonly #page: Page;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.#count += 1;
    await target.click();
  }

  /** Opens what a double click opens. */
  async open(target: Locator): Promise<void> {
    this.#count += 1;
    await target.dblclick();
  }

  /** Chooses from a list. */
  async choose(target: Locator, option: string): Promise<void> {
    this.#count += 1;
    await target.selectOption(option);
  }

  /** Takes a file that the system asks for, by a double click. */
  async take(chooser: FileChooser, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
    this.#count += 1;
    await chooser.setFiles(file);
  }

  /** Types where the focus is, over what is selected there. */
  async type(text: string): Promise<void> {
    this.#count += 1;
    await this.#page.keyboard.type(text);
  }
}
