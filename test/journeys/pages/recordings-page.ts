import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** An audio file to be uploaded. */
export interface AudioFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** The recordings, with the dialogs over them. */
export class RecordingsPage extends WindowPage {
  readonly rows: Locator;
  readonly search: Locator;
  readonly first: Locator;
  readonly uploads: Locator;
  readonly dialog: Locator;
  readonly record: Locator;
  readonly stop: Locator;
  readonly name: Locator;
  readonly level: Locator;

  constructor(page: Page) {
    super(page);
    this.rows = page.getByRole('list', { name: 'Recordings' }).locator(':scope > li');
    this.search = page.getByRole('searchbox', { name: 'Search recordings' });
    this.first = page.getByRole('region', { name: 'Add your first recording' });
    this.uploads = page.getByRole('region', { name: 'Uploads' });
    this.dialog = page.getByRole('dialog');
    this.record = this.dialog.getByRole('button', { name: 'Record', exact: true });
    this.stop = this.dialog.getByRole('button', { name: 'Stop' });
    this.name = this.dialog.getByRole('textbox', { name: 'Name' });
    this.level = this.dialog.getByRole('meter', { name: 'Level' });
  }

  async open(baseUrl: string, search = ''): Promise<void> {
    await this.page.goto(`${baseUrl}/recordings${search}`);
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText('Recordings');
  }

  /** Loads the page again, as one that may not use the microphone. */
  async forbidMicrophone(): Promise<void> {
    await this.page.route(this.page.url(), async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'permissions-policy': 'microphone=()' };
      await route.fulfill({ response, headers });
    });
    await this.page.reload();
  }

  row(name: string): Locator {
    return this.rows.filter({ has: this.page.getByRole('heading', { name, exact: true }) });
  }

  /** A button of a row. */
  press(name: string, what: 'Play' | 'Pause' | 'Trim…' | 'Speak again'): Locator {
    return this.page.getByRole('button', { name: `${what} ${name}`, exact: true });
  }

  /** The button of a row that opens the menu of everything else. */
  more(name: string): Locator {
    return this.page.getByRole('button', { name: `More for ${name}`, exact: true });
  }

  /** Chooses from that menu. */
  async chooseMore(name: string, what: 'Rename' | 'Match loudness…' | 'Download' | 'Remove…'): Promise<void> {
    await this.more(name).click();
    await this.page.getByRole('menuitem', { name: what }).click();
  }

  position(name: string): Locator {
    return this.page.getByRole('slider', { name: `Position in ${name}` });
  }

  waveform(within: Locator): Locator {
    return within.getByRole('img', { name: /^Waveform: / });
  }

  /** A button of the dialog. */
  choose(name: string): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  /** Chooses files in the dialog that the button opens. */
  async upload(...files: AudioFile[]): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.getByRole('button', { name: 'Upload…' }).click();
    await (await chooser).setFiles(files);
  }

  /** Drops a file somewhere on the page, as a file manager does. */
  async drop({ name, mimeType, buffer }: AudioFile): Promise<void> {
    const given = { name, mimeType, bytes: Array.from(buffer) };
    const transfer = await this.page.evaluateHandle(({ name: fileName, mimeType: type, bytes }) => {
      const made = new DataTransfer();
      made.items.add(new File([Uint8Array.from(bytes)], fileName, { type }));
      return made;
    }, given);
    await this.page.dispatchEvent('h1', 'dragenter', { dataTransfer: transfer });
    await expect(this.page.getByText('Drop to upload')).toBeVisible();
    await this.page.dispatchEvent('h1', 'drop', { dataTransfer: transfer });
    await expect(this.page.getByText('Drop to upload')).toBeHidden();
  }

  /** The audio file of a recording, as the window gets it. */
  async audioOf(id: string): Promise<Buffer> {
    const bytes = await this.page.evaluate(
      async (path) => {
        const answer = await fetch(path);
        return Array.from(new Uint8Array(await answer.arrayBuffer()));
      },
      `/portal/recordings/${encodeURIComponent(id)}/audio`,
    );
    return Buffer.from(bytes);
  }
}
