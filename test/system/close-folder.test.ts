import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AccessSystem, closeFolder } from '../../src/system/close-folder.ts';
import { folderOpenText } from '../../src/text/service/store-text.ts';

const sid = 'S-1-5-21-3623811015-3361044348-30300820-1013';
const folder = 'D:\\Rotavox data';

const ours = `(A;OICI;FA;;;${sid})`;
/** Of a folder that was just made on a drive: everybody may read it. */
const inherited = 'D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)';

/**
 * A Windows with an account, and the programs that were run there, without their folder. `rights`: what icacls saves of the folder; null:
 * it saves nothing.
 */
function windows({
  account = `"büro\\s-1-5\\ada","${sid}"\r\n`,
  fails = '',
  rights = inherited,
}: { account?: string; fails?: string; rights?: string | null } = {}) {
  const ran: string[][] = [];
  const system: AccessSystem = {
    platform: 'win32',
    env: { USERPROFILE: 'C:\\Users\\ada', APPDATA: 'E:\\Roaming\\ada', LOCALAPPDATA: '' },
    run(program, args) {
      const name = /(\w+)\.exe$/.exec(program)?.[1] ?? program;
      const [, option, file = ''] = args;
      if (option === '/save') {
        if (rights !== null) writeFileSync(file, `Rotavox data\r\n${rights}\r\n`, 'utf16le');
        return '';
      }
      ran.push([name, ...args]);
      if (name === fails) throw Object.assign(new Error('It failed'), { status: 5 });
      return name === 'whoami' ? account : '';
    },
  };
  return { ran, system };
}

const asked = ['whoami', '/user', '/fo', 'csv', '/nh'];
const closing = ['icacls', folder, '/inheritance:r', '/grant:r', `*${sid}:(OI)(CI)F`];
const removing = (...others: readonly string[]) => ['icacls', folder, '/remove', ...others];

describe('a data folder on Windows', () => {
  it('is closed to other accounts by the number of its own, which no language changes', () => {
    const { ran, system } = windows();
    expect(closeFolder(folder, system)).toEqual({ kind: 'closed' });
    expect(ran).toEqual([asked, closing]);
  });

  it.each([
    ['by itself', `D:PAI${ours}`],
    ['with the system and administrators', `D:P${ours}(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`],
    ['by what it inherits', `D:AI${ours}(A;OICIID;FR;;;BU)`],
    ['without a list', 'D:NO_ACCESS_CONTROL'],
  ])('loses no rights of others where it has none: %s', (_how, rights) => {
    const { ran, system } = windows({ rights });
    expect(closeFolder(folder, system)).toEqual({ kind: 'closed' });
    expect(ran).toEqual([asked, closing]);
  });

  const neighbour = 'S-1-5-21-3623811015-3361044348-30300820-1014';
  it.each([
    ['another account', `D:PAI${ours}(A;OICI;FR;;;${neighbour})`, [`*${neighbour}`]],
    ['everybody', `D:PAI(A;;FR;;;WD)${ours}`, ['*S-1-1-0']],
    [
      'two, of whom one is refused something',
      `D:PAI(D;;WD;;;BG)${ours}(A;OICI;FR;;;BU)(A;;FW;;;BU)`,
      ['*S-1-5-32-546', '*S-1-5-32-545'],
    ],
    ['those of whom something is known', `D:PAI${ours}(XA;;FR;;;S-1-1-0;(@User.Title=="PM"))`, ['*S-1-1-0']],
  ])('is taken from %s, without a moment in which it is open', (_whom, rights, others) => {
    const { ran, system } = windows({ rights });
    expect(closeFolder(folder, system)).toEqual({ kind: 'closed' });
    expect(ran).toEqual([asked, closing, removing(...others)]);
  });

  it.each([
    ['whom each computer knows as another', `D:PAI${ours}(A;OICI;FR;;;DU)`, 'rights of DU'],
    ['nobody knows whom', null, 'ENOENT'],
  ])('is not called closed where it was opened to somebody %s', (_whom, rights, reason) => {
    expect(closeFolder(folder, windows({ rights }).system)).toMatchObject({ kind: 'failed', reason });
  });

  it.each([
    ['the first administrator, whose number is saved in short', sid.replace(/\d+$/, '500'), 'LA'],
    ['the system', 'S-1-5-18', 'SY'],
    ['a service of the network', 'S-1-5-20', 'NS'],
  ])('is that of %s', (_who, account, short) => {
    const { ran, system } = windows({
      account: `"ada","${account}"\r\n`,
      rights: `D:PAI(A;OICI;FA;;;${short})`,
    });
    expect(closeFolder(folder, system)).toEqual({ kind: 'closed' });
    expect(ran).toHaveLength(2);
  });

  it.each(['c:\\users\\ADA\\data', 'E:\\Roaming\\ada\\Rotavox\\data', 'C:\\Users\\ada'])(
    'inherits that in the personal folders: %s',
    (personal) => {
      const { ran, system } = windows();
      expect(closeFolder(personal, system)).toEqual({ kind: 'not_needed' });
      expect(ran).toEqual([]);
    },
  );

  it.each(['C:\\Users\\adam\\data', 'C:\\Users', 'D:\\', '\\\\server\\share\\data'])(
    'does not inherit it elsewhere: %s',
    (other) => {
      expect(closeFolder(other, windows().system)).toEqual({ kind: 'closed' });
    },
  );

  it('that cannot be closed is named, with a command for a console of either kind', () => {
    const failed = closeFolder(folder, windows({ fails: 'icacls' }).system);
    expect(failed).toEqual({ kind: 'failed', folder, program: 'icacls', reason: 'exit code 5', sid });
    if (failed.kind !== 'failed') return;
    const told = folderOpenText(failed);
    expect(told).toContain('icacls failed with exit code 5');
    expect(told).not.toContain('/reset');
    expect(told).toContain(`icacls "${folder}" /inheritance:r /grant:r "*${sid}:(OI)(CI)F"`);
    expect(told).not.toContain('chmod');
  });

  it.each([
    ['fails', { fails: 'whoami' }, 'exit code 5'],
    ['prints something else', { account: 'S-1-5-18 is no line, "ada"\r\n' }, 'no SID'],
  ])('is named without a command where whoami %s', (_how, how, reason) => {
    const failed = closeFolder(folder, windows(how).system);
    expect(failed).toEqual({ kind: 'failed', folder, program: 'whoami', reason, sid: null });
    if (failed.kind === 'failed') expect(folderOpenText(failed)).not.toContain('/grant');
  });
});

it.each(['linux', 'darwin'] as const)('the mode of a folder says enough on %s', (platform) => {
  const { ran, system } = windows();
  expect(closeFolder('/data', { ...system, platform })).toEqual({ kind: 'not_needed' });
  expect(ran).toEqual([]);
});
