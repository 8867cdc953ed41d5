import { expect } from '@playwright/test';
import { readFileSync } from 'node:fs';
import type { IvrDocument } from '../../../src/contract/menu/ivr-draft.ts';
import { emptyDocument } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { halfWired, twoMenus } from '../../fixtures/ivr-documents.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import type { Owner } from '../owner.ts';
import { silentTone, wavFile } from '../browser/audio-files.ts';
import { DesignerPanels, showPanels } from '../pages/designer-panels.ts';
import { test as base } from '../browser/serve-host.ts';

const test = base.extend<{ panels: DesignerPanels }>({
  panels: async ({ page }, use) => {
    const panels = new DesignerPanels(page);
    await use(panels);
    panels.expectNoViolations();
  },
});

async function design(panels: DesignerPanels, owner: Owner, document: IvrDocument): Promise<string> {
  const { id } = await owner.ask('createDraft', { body: { document } });
  await panels.page.goto(`${owner.baseUrl}/ivr/drafts/${id}`);
  await showPanels(panels.page, 'Inspector', 'Problems');
  await expect(panels.inspector).toBeVisible();
  return id;
}

test('a problem leads to the field that mends it, and what is mended can be undone', async ({
  panels,
  owner,
}) => {
  await design(panels, owner, halfWired);
  await panels.problems.filter({ hasText: 'has no destination' }).click();
  const field = panels.inspector.getByRole('combobox', { name: 'Where key 1 leads' });
  await expect(field).toBeFocused();
  await panels.choose(field, 'Extension 101');
  await expect(field).toHaveValue('Extension 101');
  await expect(panels.tab(/Problems/)).not.toContainText(/error|to do/);
  await panels.button('Undo: choose where key 1 leads').click();
  const said = panels.page.getByRole('status').filter({ hasText: 'Undone: choose where key 1 leads' });
  await expect(said, 'for who sees no field change').toHaveCount(1);
  await expect(panels.tab(/Problems/)).toContainText('1 to do');
  await expect(field).toHaveValue('');
});

test('letters typed into one field are one step to undo, and half a number stays open', async ({
  panels,
  owner,
}) => {
  await design(panels, owner, twoMenus);
  await panels.problems.first().click();
  const seconds = panels.inspector.getByLabel('Then wait for a key');
  await seconds.fill('12 s');
  await expect(seconds).toHaveValue('12 s');
  await expect(seconds).toHaveAttribute('aria-invalid', 'true');
  await seconds.fill('12');
  await expect(seconds).not.toHaveAttribute('aria-invalid');
  const name = panels.inspector.getByLabel('Name', { exact: true });
  await name.click();
  await panels.typeOver('Front desk');
  await expect(panels.inspector.getByRole('heading', { level: 2 })).toHaveText('Front desk');
  await panels.button(/^Undo: change the name/).click();
  await expect(name).toHaveValue('Reception');
  await expect(seconds).toHaveValue('12');
});

test('the arrow keys in a list are one step to undo, and lose no id on their way', async ({
  panels,
  owner,
}) => {
  await design(panels, owner, twoMenus);
  const { keyboard } = panels.page;
  await panels.button('Outline').click();
  const kind = panels.outline.getByLabel('Kind').first();
  const id = panels.outline.getByLabel('Id', { exact: true });
  const [before, known] = [await kind.inputValue(), await id.first().inputValue()];
  await kind.focus();
  for (const key of ['End', 'ArrowUp', 'ArrowUp']) await keyboard.press(key);
  await expect(kind).toHaveValue('time_condition');
  await expect(id.first()).toHaveValue(known);
  await panels.button('Undo: change the kind of a destination').click();
  await expect(kind).toHaveValue(before);
  await expect(id.first()).toHaveValue(known);
  await expect(panels.button('Nothing to undo')).toBeVisible();

  await panels.tab(/Scenarios/).click();
  const expected = panels.scenarios.getByLabel('Expected result').first();
  const end = await expected.inputValue();
  await expected.focus();
  for (const key of ['End', 'ArrowUp']) await keyboard.press(key);
  await expect(expected).not.toHaveValue(end);
  await panels.button('Undo: change what a scenario expects').click();
  await expect(expected).toHaveValue(end);
  await expect(panels.button('Nothing to undo')).toBeVisible();
});

test('a menu is drawn, wired, proved and published in the outline with the keyboard alone', async ({
  panels,
  owner,
}) => {
  const { buffer } = wavFile('Any.wav', silentTone);
  // Its name has what is typed for each prompt, so that the list of recordings opens each time.
  await owner.ask('uploadRecording', { query: { name: 'Any 1234' }, body: new Uint8Array(buffer) });
  await design(panels, owner, emptyDocument('By keyboard'));
  const { keyboard } = panels.page;
  await panels.button('Outline').focus();
  await keyboard.press('Enter');
  await panels.tabTo(panels.outline.getByRole('button', { name: 'Add a menu' }));
  await keyboard.press('Enter');
  await expect(panels.outline.getByLabel('Name', { exact: true })).toBeFocused();
  await panels.typeOver('Reception');

  const fill = async (label: string, text: string): Promise<void> => {
    await panels.tabTo(panels.outline.getByRole('combobox', { name: `${label}: kind`, exact: true }));
    await keyboard.type('Recording');
    const field = panels.outline.getByRole('combobox', { name: label, exact: true });
    await panels.tabTo(field);
    await keyboard.type(text);
    await expect(field).toHaveValue(text);
  };
  await fill('Callers hear', '1');
  await panels.tabTo(panels.outline.getByRole('button', { name: 'Add a key' }));
  await keyboard.press('Enter');
  await expect(panels.outline.getByRole('textbox', { name: 'Key 1 in order' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.type('New: ext');
  await keyboard.press('Enter');
  const end = panels.outline.getByRole('table').getByRole('combobox', { name: 'Extension: id' });
  await panels.tabTo(end);
  await keyboard.type('101');
  await fill('After a wrong key', '2');
  await panels.tabTo(panels.outline.getByLabel('Too many wrong keys lead to'));
  await keyboard.type('Extension 101');
  await keyboard.press('Enter');
  await fill('Before a retry', '3');
  await fill('After the last timeout', '4');
  await panels.tabTo(panels.outline.getByLabel('Then the timeout leads to'));
  await keyboard.type('Hang up');
  await keyboard.press('Enter');
  await expect(panels.tab(/Problems/)).not.toContainText(/error|to do/);

  await panels.button('Publish').focus();
  await keyboard.press('Enter');
  await panels.tabTo(panels.dialog.getByRole('button', { name: 'Publish' }));
  await keyboard.press('Enter');
  await expect(panels.dialog.getByRole('status')).toContainText('Published');
  const { ivrs } = await owner.ask('portalListIvrs');
  expect(ivrs).toMatchObject([
    {
      name: 'Reception',
      recording: 'recording||1',
      option: ['1'],
      destination: ['extension||101'],
      invalid_recording: 'recording||2',
      timeout_retry_recording: 'recording||3',
      timeout_recording: 'recording||4',
      invalid_destination: 'extension||101',
      timeout_destination: 'hangup',
    },
  ]);
});

test('the outline goes from menu to menu with the arrows, moves keys, and removes a menu', async ({
  panels,
  owner,
}) => {
  await design(panels, owner, twoMenus);
  const { keyboard } = panels.page;
  await panels.button('Outline').click();
  await panels.outlined('Reception').focus();
  await keyboard.press('ArrowDown');
  await expect(panels.outlined('Opening')).toBeFocused();
  await keyboard.press('ArrowRight');
  const first = panels.outline.getByRole('textbox', { name: 'Key 1 in order' });
  await first.focus();
  await keyboard.press('Alt+ArrowDown');
  await expect(panels.outline.getByRole('textbox', { name: 'Key 2 in order' })).toBeFocused();
  await expect(first).toHaveValue('9');
  await panels.outlined('Opening').focus();
  await keyboard.press('Delete');
  await expect(panels.outlined('Reception')).toBeFocused();
  await expect(panels.outlined('Opening')).toHaveCount(0);
});

test('a call is played with the keyboard, saved as a scenario, and keeps what breaks it from being published', async ({
  panels,
  owner,
}) => {
  await design(panels, owner, twoMenus);
  const { keyboard } = panels.page;
  await panels.button('Play').click();
  await panels.phone.getByRole('button', { name: /^Steps/ }).click();
  await keyboard.press('7');
  await expect(panels.log.last()).toContainText('after a wrong key');
  await keyboard.press('2');
  await expect(panels.phone.getByText('Opening', { exact: true })).toBeVisible();
  await panels.phone.getByRole('button', { name: 'Skip prompt' }).click();
  await expect(panels.phone.getByText('5.0 s left')).toBeVisible();
  await panels.phone.getByRole('button', { name: 'Skip to timeout' }).click();
  await panels.key('1').click();
  await expect(panels.phone).toContainText('The call reached');
  await expect(panels.phone).toContainText('Extension 101');
  await panels.phone.getByLabel('Save as scenario').fill('Slow caller');
  await panels.phone.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panels.phone.getByText('Saved as “Slow caller”.')).toBeVisible();
  await panels.phone.getByRole('button', { name: 'Close the phone' }).click();

  await panels.tab(/Scenarios/).click();
  const row = panels.scenarios.getByRole('listitem', { name: 'Slow caller' });
  const inputs = row.getByLabel('Keys, and - for timeout');
  await expect(inputs).toHaveValue('7, 2, -, 1');
  await inputs.fill('2 x');
  await expect(row).toContainText('“x” is not valid');
  await inputs.fill('2-');
  await expect(row).toContainText('still waits in');
  await expect(panels.tab(/Scenarios/)).toContainText('1 of 2 fail');

  await panels.button('Publish').click();
  await expect(panels.dialog.getByRole('region', { name: 'Errors' })).toContainText('Slow caller');
  await expect(panels.dialog.getByRole('button', { name: 'Publish' })).toHaveCount(0);
  await panels.dialog.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Expect this result' }).click();
  await expect(row).toContainText('Passes');
  await row.getByRole('button', { name: 'Play “Slow caller”' }).click();
  await expect(panels.phone).toContainText('The caller presses 2.');
  await panels.phone.getByRole('button', { name: 'Close the phone' }).click();
  await expect(panels.phone).toHaveCount(0);
  // The button that had the focus is gone.
  await expect(panels.page.locator('[data-region="view"]')).toBeFocused();
});

test('a call flow that cannot be called lists its errors, and leads to their fields', async ({
  panels,
  owner,
}) => {
  await design(panels, owner, halfWired);
  await panels.button('Play').click();
  await panels.phone.getByRole('button', { name: /Key 1 of .* has no destination/ }).click();
  await expect(panels.inspector.getByRole('combobox', { name: 'Where key 1 leads' })).toBeFocused();
});

test('a menu is edited as JSON, judged as the service would, and undone', async ({ panels, owner }) => {
  await design(panels, owner, twoMenus);
  await panels.tab(/JSON/).click();
  await panels.json.getByRole('button', { name: 'Edit as JSON' }).click();
  const text = panels.json.getByRole('textbox');
  const body = JSON.parse(await text.inputValue()) as Record<string, unknown>;
  await text.fill(JSON.stringify({ ...body, timeout: 999 }, null, 2));
  await panels.json.getByRole('button', { name: 'Apply' }).click();
  await panels.json.getByRole('button', { name: /^timeout/ }).click();
  await expect(text).toBeFocused();
  await text.fill(JSON.stringify({ ...body, name: 'Front', invalid_destination: 'voicemail||7' }));
  await panels.json.getByRole('button', { name: 'Apply' }).click();
  await expect(panels.json.locator('pre')).toContainText('"invalid_destination": "voicemail||7"');
  await panels.button('Undo: edit a menu as JSON').click();
  await expect(panels.json.locator('pre')).toContainText('"name": "Reception"');
  await panels.json.getByRole('radio', { name: 'All requests' }).check();
  await expect(panels.json.getByRole('heading', { level: 3 })).toHaveText([
    /POST \/v1\/ivr/,
    /POST \/v1\/ivr/,
    /PUT/,
  ]);
});

test('a version is compared with the draft field by field and as a picture, and restored', async ({
  panels,
  owner,
}) => {
  const id = await design(panels, owner, twoMenus);
  await panels.button('Publish').click();
  await panels.dialog.getByRole('button', { name: 'Publish' }).click();
  const reply = panels.dialog.getByRole('region', { name: 'Requests and replies' });
  await reply.getByText('Reception').first().click();
  await expect(reply).toContainText('"Success": true');
  await panels.dialog.getByRole('button', { name: 'Close' }).click();

  const { revision, document } = await owner.ask('readDraft', { params: { id } });
  expect(revision).toBeGreaterThan(0);
  expect(document.name).toBe('Reception');
  await panels.problems.first().click();
  await panels.inspector.getByLabel('Then wait for a key').fill('9');
  const live = panels.page.getByText(/^Live: version/);
  await expect(live).toHaveText('Live: version 1 · the draft differs');
  await panels.button('Versions').click();
  await expect(
    panels.dialog.getByText('Callers have 9 seconds to press a key instead of 5 seconds.'),
  ).toBeVisible();
  await panels.dialog.getByText('As fields of the JSON').click();
  const row = panels.dialog.getByRole('row', { name: /timeout/ });
  await expect(row).toContainText('5');
  await expect(row).toContainText('9');
  await expect(panels.dialog.getByRole('img', { name: 'Picture of the call flow: Version 1' })).toBeVisible();
  await panels.dialog.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(panels.button('Undo: restore version 1')).toBeVisible();
  await panels.problems.first().click();
  await expect(panels.inspector.getByLabel('Then wait for a key')).toHaveValue('5');
  await expect(live).toHaveText('Live: version 1');

  // Another version is live while the restored one is in the draft, until that is published.
  await panels.inspector.getByLabel('Then wait for a key').fill('9');
  await panels.button('Publish').click();
  await panels.dialog.getByRole('button', { name: 'Publish' }).click();
  await panels.dialog.getByRole('button', { name: 'Close' }).click();
  await expect(live).toHaveText('Live: version 2');
  await panels.button('Versions').click();
  await panels.dialog.getByRole('button', { name: /^Version 1/ }).click();
  await panels.dialog.getByRole('button', { name: 'Restore version 1' }).click();
  const notice = panels.page.getByRole('alert').filter({ hasText: 'Version 1 is in the draft.' });
  await expect(notice).toContainText('Version 2 stays live until you publish.');
  await expect(live).toHaveText('Live: version 2 · the draft differs');
  await notice.getByRole('button', { name: 'Publish…' }).click();
  await panels.dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await panels.dialog.getByRole('button', { name: 'Close' }).click();
  await expect(live).toHaveText('Live: version 3');
  await expect(notice).toHaveCount(0);
});

test('the export for Asterisk has the audio of typed texts, before they are published', async ({
  panels,
  owner,
}) => {
  const [{ document }] = templates as [(typeof templates)[number]];
  await design(panels, owner, document);
  await panels.button('Export').click();
  await panels.dialog.getByRole('radio', { name: 'Asterisk', exact: true }).check({ force: true });
  await expect(panels.dialog.getByRole('status')).toHaveText('3 audio files are included.');
  expect((await owner.ask('listRecordings')).recordings).toEqual([]);
});

test('the call flow is exported in every format', async ({ panels, owner }) => {
  const { buffer } = wavFile('Welcome.wav', silentTone);
  await owner.ask('uploadRecording', { query: { id: '1', name: 'Welcome' }, body: new Uint8Array(buffer) });
  await design(panels, owner, twoMenus);
  await panels.button('Export').click();
  const save = async (format: string): Promise<{ name: string; content: Buffer }> => {
    await panels.dialog.getByRole('radio', { name: format, exact: true }).check({ force: true });
    const begun = panels.page.waitForEvent('download');
    await panels.dialog.getByRole('button', { name: /^Save/ }).click();
    const download = await begun;
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  expect(await save('Draft')).toMatchObject({ name: 'Reception.rotavox.json' });
  expect(String((await save('JSON')).content)).toContain('"id": "opening"');
  const asterisk = await save('Asterisk');
  // The name that its contexts start with: that of the menu, and a hash of its identity.
  expect(asterisk.name).toMatch(/^rotavox_reception_[0-9a-f]{8}\.zip$/);
  // The archive is stored as it is: the text of its files can be read in it.
  expect(String(asterisk.content)).toContain('WaitExten');
  expect(String(asterisk.content)).toContain('sounds/rotavox/recording_1.wav');
  // As many as the dialog says: what is not stored here is played from the telephone system, by its name.
  await expect(panels.dialog.getByRole('status')).toHaveText('1 audio file is included.');
  expect(new Set(String(asterisk.content).match(/sounds\/rotavox\/\w+\.wav/g)).size).toBe(1);
  expect(String(asterisk.content)).toContain('which has to have them:\n   2\n');
  expect(String(asterisk.content)).toContain('Background(2)');
  const audio = asterisk.content.subarray(asterisk.content.indexOf('RIFF'));
  expect({ channels: audio.readUInt16LE(22), rate: audio.readUInt32LE(24) }).toEqual({
    channels: 1,
    rate: 8_000,
  });
  expect(String((await save('FreeSWITCH')).content)).toContain('<menu');
  expect(String((await save('Graphviz')).content)).toContain('digraph');
  expect(String((await save('SVG')).content)).toContain('<svg');
  const { name, content } = await save('PNG');
  expect(name).toBe('Reception.png');
  expect(content.subarray(1, 4).toString()).toBe('PNG');
});

test('menus of elsewhere are imported: what cannot be read is told, a file is dropped or chosen, and drawn', async ({
  panels,
  owner,
}) => {
  const open = async (): Promise<void> => {
    await panels.page.goto(`${owner.baseUrl}/ivr`);
    await panels.button('Import…').click();
  };
  await open();
  const text = panels.dialog.getByLabel('Or paste it');
  const bring = panels.dialog.getByRole('button', { name: 'Import', exact: true });
  await text.fill('{"name": ');
  await expect(panels.dialog.getByRole('status')).toContainText('This cannot be imported');
  await expect(bring).toHaveCount(0);
  const choose = (name: string, content: string | Buffer) =>
    panels.dialog
      .getByLabel('JSON file')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  await choose('extensions.conf', '[office]\nexten => s,1,Answer()\n same => n,WaitExten(6)\n');
  await expect(panels.dialog.getByRole('status')).toContainText(
    'The text is an Asterisk dialplan, which cannot be imported. Draw it in the designer',
  );
  await choose('menu.json', Buffer.from(JSON.stringify({ ...ivrBody, name: 'B\xfcro' }), 'latin1'));
  await expect(panels.dialog.getByRole('status')).toContainText('Read as Windows-1252: menu.json');
  await expect(panels.dialog.getByRole('status')).toContainText('“Büro”: 1 menu');
  await text.fill(JSON.stringify({ ...ivrBody, description: undefined, colour: 'red' }));
  await expect(panels.dialog.getByRole('status')).toContainText(`“${ivrBody.name}”: 1 menu`);
  await expect(panels.dialog.getByRole('status')).toContainText('colour');
  await bring.click();
  await showPanels(panels.page, 'Inspector');
  await expect(panels.inspector.getByRole('heading', { name: ivrBody.name })).toBeVisible();

  await open();
  const buffer = Buffer.from(JSON.stringify({ format: 'rotavox-ivr', version: 1, document: twoMenus }));
  const file = { name: 'Reception.rotavox.json', mimeType: 'application/json', buffer };
  await panels.dialog.getByLabel('JSON file').setInputFiles(file);
  await expect(panels.dialog.getByRole('status')).toContainText('2 menus');
  await bring.click();
  await expect(panels.inspector).toBeVisible();
  const { drafts } = await owner.ask('listDrafts');
  expect(drafts.map(({ menus }) => menus).toSorted()).toEqual([1, 2]);
});
