import { expect } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Asterisk, startAsterisk } from '../../tools/asterisk.ts';
import { phonesConf, SipPhone } from '../../tools/sip-phone.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { Mouse } from '../pages/mouse.ts';
import { fileVault } from './credential-fixtures.ts';
import { test as base } from './designer-fixtures.ts';

interface Fixtures {
  /** As its owner has it, with two phones and nothing of Rotavox: the support of telephones is on the second. */
  asterisk: Asterisk;
  caller: SipPhone;
  support: SipPhone;
}

const test = base.extend<Fixtures>({
  asterisk: async ({}, use) => {
    const asterisk = await startAsterisk({
      pjsip: phonesConf(['100', '101']),
      modules: ['chan_bridge_media', 'func_dialplan'],
      extensions: `[from-internal]
exten => telephone-urgent,1,Dial(PJSIP/101,30)
#include extensions_custom.conf
`,
      files: { 'extensions_custom.conf': '' },
    });
    await use(asterisk);
    await asterisk.close();
  },
  caller: async ({ asterisk }, use) => {
    const phone = await SipPhone.start({ asterisk, number: '100' });
    await use(phone);
    await phone.close();
  },
  support: async ({ asterisk }, use) => {
    const phone = await SipPhone.start({ asterisk, number: '101', answers: true });
    await use(phone);
    await phone.close();
  },
});

test.use({ vault: fileVault, viewport: { width: 1440, height: 900 } });

test(
  'a template is published, connected with Asterisk and called with at most 17 actions of the mouse, and the caller is seen in it',
  { tag: '@long' },
  async ({ designer, panels, owner, asterisk, caller, support }) => {
    test.slow(); // from nothing to a call
    const { page } = designer;
    // Beside what is entered into the files of Asterisk.
    const mouse = new Mouse(page);
    await page.goto(`${owner.baseUrl}/ivr`);
    await mouse.click(page.getByRole('button', { name: 'New menu' }));
    await mouse.click(designer.newMenu.getByRole('button', { name: /^Support queue/ }));
    for (const [place, name] of ['Support', 'Telephone support', 'Internet support'].entries()) {
      await mouse.open(designer.card(name));
      await expect(panels.inspector.getByLabel('Name', { exact: true })).toHaveValue(name);
      const buffer = Buffer.from(wavFile(1_000, place));
      const file = { name: `${name} greeting.wav`, mimeType: 'audio/wav', buffer };
      await panels.inspector.locator('input[type=file]').first().setInputFiles(file);
      await expect(panels.inspector).toContainText(`${name} greeting, 0:01`);
    }
    await designer.isSaved();
    const draft = page.url();
    await mouse.click(panels.button('Publish'));
    await mouse.click(panels.dialog.getByRole('button', { name: 'Publish', exact: true }));
    await expect(panels.dialog).toContainText('Published as version 1');
    await mouse.click(panels.button('Connect Asterisk…'));
    await mouse.click(page.getByRole('button', { name: 'Connect a telephone system…' }));

    // What the window says, in the files of Asterisk. Only the port is that of this Asterisk.
    const add = async (file: string, lines: string): Promise<void> => {
      const before = await readFile(join(asterisk.folder, 'etc', file), 'utf8');
      await asterisk.configure(file, `${before}${lines}\n`);
    };
    const enter = async (commands: string): Promise<void> => {
      for (const command of commands.split('\n'))
        expect(await asterisk.console(command)).toMatch(/reloaded(?: successfully)?\./);
    };
    const step = (name: RegExp) => page.getByRole('region', { name });
    const { url } = asterisk;
    await expect(step(/^1\./).locator('pre')).toHaveCount(3);
    const [user, server, load] = await step(/^1\./).locator('pre').allInnerTexts();
    // This Asterisk has a section [general] there already, with that line.
    await add('ari.conf', user!.replace('[general]\nenabled = yes\n', ''));
    await add('http.conf', server!.replace('8088', new URL(url).port));
    await enter(load!);
    const address = step(/^2\./).getByLabel('Address');
    await mouse.click(address);
    await address.selectText();
    await mouse.type(url);
    await mouse.click(panels.button('Connect and test'));
    await expect(step(/^2\./)).toContainText('is ready: all 7 checks pass.');

    const handOver = step(/^3\./);
    await mouse.choose(handOver.getByLabel('Phone menu'), 'Support');
    await expect(handOver.locator('pre').first()).toContainText(/rotavox_support_[0-9a-f]{8}_calls/);
    const [exported, reload] = await handOver.locator('code:not(pre *)').allInnerTexts();
    execFileSync('sh', ['-c', exported!], { cwd: join(asterisk.folder, 'etc') });
    const [menu, number] = await handOver.locator('pre').allInnerTexts();
    await add('extensions_custom.conf', number!);
    await add('extensions.conf', menu!);
    await enter(reload!);
    await mouse.click(panels.button('Finish'));
    // The three sounds are dropped onto their menus.
    expect(mouse.count + 3).toBeLessThanOrEqual(17);

    await page.goto(draft);
    caller.dial('700');
    await expect(panels.button('1 caller in “Support” now')).toBeVisible();
    caller.press('1');
    await expect(panels.button('1 caller in “Telephone support” now')).toBeVisible();
    caller.press('1');
    await support.next('CALL_ESTABLISHED');
    await expect(panels.button(/^1 caller in/)).toHaveCount(0);
    await caller.hangUp();

    await page.goto(`${owner.baseUrl}/calls`);
    await page
      .getByRole('list', { name: /^Call records/ })
      .getByRole('link', { name: /100/ })
      .click();
    await expect(page).toHaveTitle(/100/);
    await expect(page.getByRole('list', { name: 'What happened, in order' })).toContainText(
      'The call reached queue or department telephone-urgent.',
    );
  },
);
