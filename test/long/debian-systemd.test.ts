/**
 * The program on a bare Debian whose process 1 is systemd: `rotavox service`, then two hosts of a team and their database, as the
 * instructions for operators say. Their commands are run as they are written there; their two machines are two addresses of one.
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { DebianRoot, type Ended } from './debian-root.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const resources = join(checkoutDir, 'resources/team');
const instructions = readFileSync(join(resources, 'README.md'), 'utf8');
const password = 'a-password-of-the-database';

/** The blocks of a section of the instructions, in their order. */
function blocks(section: string, language: string): string[] {
  const [, text = ''] = instructions.split(`\n## ${section}\n`);
  const [here = ''] = text.split('\n## ');
  const found = [...here.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, 'g'))];
  return found.map(([, block = '']) => block.replaceAll(/^ {3}/gm, ''));
}

/** The one block that has these words. */
function blockWith(words: string, section: string, language = 'sh'): string {
  const [found, ...others] = blocks(section, language).filter((block) => block.includes(words));
  if (found === undefined || others.length > 0) throw new Error(`Not one block of ${section} has ${words}`);
  return found;
}

/** Names and addresses of the instructions, certificates, and a database server that is reached from them. */
const prepare = `
# It stays when the service is removed; a new machine has none.
! id rotavox >/dev/null 2>&1 || userdel rotavox
for address in 10.0.0.11 10.0.0.12; do
  ip address add $address/32 dev lo
  echo "$address rotavox.example.com" >>/etc/hosts
done
echo 127.0.0.1 db.example.com >>/etc/hosts
certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=$1" \\
    -addext "subjectAltName=DNS:$1" -keyout "$2/key.pem" -out "$2/cert.pem" 2>/dev/null
}
certificate rotavox.example.com .
server=$(echo /etc/postgresql/*/main)
certificate db.example.com "$server"
chown postgres "$server/key.pem"
cp "$server/cert.pem" /etc/ssl/certs/database-ca.pem
printf "ssl_cert_file = '%s'\\nssl_key_file = '%s'\\n" "$server/cert.pem" "$server/key.pem" >>"$server/postgresql.conf"
sed -i '/127.0.0.1\\/32/d' "$server/pg_hba.conf"
`;

/** The second machine: the same unit under another name, with another data folder and file of variables. */
const secondUnit = `
umask 077
sed 's/rotavox-team/rotavox-team-2/; s/team\\.env/team-2.env/' /etc/systemd/system/rotavox-team.service >/etc/systemd/system/rotavox-team-2.service
sed 's/10\\.0\\.0\\.11/10.0.0.12/' /etc/rotavox/team.env >/etc/rotavox/team-2.env
`;

/** Kills a host while it has a call that it has not answered. */
const killInACall = (unit: string): string => `
systemctl kill --signal=STOP ${unit}
until ss -Htnp state established | grep -q '"curl"'; do sleep 0.05; done
systemctl kill --signal=KILL ${unit}
`;

/** Rotates until there is a file "stop", and writes each token that it got. It rests a moment between two, and leaves a core to the others. */
const loop = (rotate: string): string => `
export CURL_CA_BUNDLE=/root/cert.pem
${rotate}
TOKEN=$(tail -n 1 chain)
while ! [ -e stop ]; do
  reply=$(rotate "$TOKEN") || { echo "lost after $TOKEN" >>failures; exit 1; }
  TOKEN=$(printf %s "$reply" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')
  echo "$TOKEN" >>chain
  sleep 0.2
done
`;

let root: DebianRoot;
beforeAll(async () => {
  if (!isRoot) return;
  root = await DebianRoot.boot();
  return () => root.close();
});

/** With the sandbox and the credentials that systemd gives. */
describe.skipIf(!isRoot)('rotavox service under systemd', () => {
  const dataDir = '/var/lib/rotavox/data';

  it('runs for the machine with an account of its own, survives a kill, and is removed without its data', async () => {
    const installed = await root.run('rotavox', 'service', 'install', '--system');
    expect(installed).toMatchObject({ code: 0, stdout: '' });
    expect(installed.stderr).toContain('starts when the machine starts');
    const shown = await root.run('systemctl', 'show', 'rotavox', '--property=User,ActiveState,UnitFileState');
    expect(shown.stdout.split('\n').sort().join(' ').trim()).toBe(
      'ActiveState=active UnitFileState=enabled User=rotavox',
    );

    const issue = ['token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'nightly'];
    expect(await root.run('rotavox', '--data-dir', dataDir, ...issue)).toMatchObject({ code: 0 });
    const token = (await root.run('rotavox', '--data-dir', dataDir, 'get', 'nightly')).stdout;
    expect(token).toMatch(/^rvx_/);

    await root.run('systemctl', 'kill', '--signal=KILL', 'rotavox');
    await expect
      .poll(async () => (await root.run('rotavox', '--data-dir', dataDir, 'get', 'nightly')).stdout, {
        timeout: 60_000,
      })
      .toBe(token);
    const again = await root.run('rotavox', 'service', 'install', '--system');
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('already installed');

    expect(await root.run('rotavox', 'service', 'uninstall', '--system')).toMatchObject({ code: 0 });
    expect((await root.run('systemctl', 'is-active', 'rotavox')).stdout).toBe('inactive\n');
    expect(existsSync(join(root.folder, 'etc/systemd/system/rotavox.service'))).toBe(false);
    expect(existsSync(join(root.folder, dataDir, 'vault.json'))).toBe(true);
  });

  it('runs for an ordinary account, and refuses what only root may do', async () => {
    await root.run('useradd', '--create-home', 'alice');
    await root.run('loginctl', 'enable-linger', 'alice');
    const uid = (await root.run('id', '--user', 'alice')).stdout.trim();
    await expect
      .poll(() => root.run('systemctl', 'is-active', `user@${uid}`), { timeout: 60_000 })
      .toMatchObject({ stdout: 'active\n' });
    const asAlice = (...command: string[]): Promise<Ended> =>
      root.run(
        'runuser',
        '-u',
        'alice',
        '--',
        'env',
        'HOME=/home/alice',
        `XDG_RUNTIME_DIR=/run/user/${uid}`,
        ...command,
      );

    const refused = await asAlice('rotavox', 'service', 'install', '--system');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('installed by root');
    const afterSu = await asAlice('env', '--unset=XDG_RUNTIME_DIR', 'rotavox', 'service', 'install');
    expect(afterSu.stderr).toContain('after su or sudo');

    const installed = await asAlice('rotavox', 'service', 'install');
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.stderr).toContain('/home/alice/.config/Rotavox/data');
    expect(installed.stderr).toContain('starts when the machine starts');
    expect((await asAlice('rotavox', 'service', 'status')).stdout).toMatch(/Running\s+yes/);
    expect(await asAlice('rotavox', 'status')).toMatchObject({ code: 0 });
    expect(await asAlice('rotavox', 'service', 'uninstall')).toMatchObject({ code: 0 });
    expect(await asAlice('rotavox', 'status')).toMatchObject({ code: 3 });
  });
});

describe.skipIf(!isRoot)('a team on Debian, by its instructions', () => {
  beforeAll(() => {
    const names = ['backup.sh', 'restore.sh', 'rotavox-team.service', 'team.env.example'];
    for (const name of names) cpSync(join(resources, name), join(root.folder, 'root', name));
  });

  /** Runs lines of the shell in root's folder, all of which have to succeed, and returns what they print. */
  async function shell(lines: string): Promise<string> {
    const { code, stdout, stderr } = await root.run('bash', '-ec', `cd\n${lines}`);
    if (code !== 0) throw new Error(`${lines}\nended with ${code}: ${stdout}${stderr}`);
    return stdout;
  }
  const asAdministrator = (sql: string): Promise<string> =>
    shell(`cd / && runuser -u postgres -- psql -v ON_ERROR_STOP=1 <<'SQL'\n${sql}\nSQL`);
  const lengthOf = async (): Promise<number> => Number(await shell('wc -l <chain'));
  const rotatesOn = async (): Promise<void> => {
    const before = await lengthOf();
    await expect.poll(lengthOf, { timeout: 60_000, interval: 300 }).toBeGreaterThan(before + 3);
  };
  const isReady = (address: string): Promise<unknown> =>
    expect
      .poll(
        async () =>
          (
            await root.run(
              'curl',
              '-sk',
              '-o',
              '/dev/null',
              '-w',
              '%{http_code}',
              `https://${address}:7682/v1/ready`,
            )
          ).stdout,
        { timeout: 60_000, interval: 300 },
      )
      .toBe('200');
  const dataOf = { 'rotavox-team': '/var/lib/rotavox-team', 'rotavox-team-2': '/var/lib/rotavox-team-2' };
  type Unit = keyof typeof dataOf;
  const rotavox = (unit: Unit, words: string): Promise<string> =>
    shell(`rotavox --data-dir ${dataOf[unit]} ${words}`);
  const isLeader = async (address: string): Promise<boolean> =>
    (await shell(`curl -sk https://${address}:7682/v1/health || true`)).includes('"leader"');
  const leaderNow = async (): Promise<readonly [Unit, Unit]> => {
    const first = await isLeader('10.0.0.11');
    return first ? ['rotavox-team', 'rotavox-team-2'] : ['rotavox-team-2', 'rotavox-team'];
  };

  it('is installed, loses nothing when its leader is killed, and goes on from a backup in another database', async () => {
    await shell(prepare);
    const makeDatabase = blockWith('create role', 'Two hosts', 'sql').replace('…', password);
    await asAdministrator(makeDatabase);
    const access = blockWith('hostssl', 'Two hosts', 'text').trim();
    const here = access
      .replace('10.0.0.0/24', '127.0.0.0/8')
      .replace('rotavox rotavox', 'rotavox,rotavox2 rotavox');
    await shell(`echo '${here}' >>/etc/postgresql/*/main/pg_hba.conf; systemctl restart postgresql`);
    await shell(blockWith('openssl rand -base64', 'Two hosts'));
    const [install = '', start = '', use = ''] = blocks('Under systemd', 'sh');
    await shell(install);
    await shell(
      `sed -i 's/change-me/${password}/; s#^ROTAVOX_JOURNAL=.*#&\\&sslrootcert=/etc/ssl/certs/database-ca.pem#' /etc/rotavox/team.env`,
    );
    await shell(secondUnit);
    await shell(start);
    await shell(start.replaceAll('rotavox-team', 'rotavox-team-2'));
    await Promise.all([isReady('10.0.0.11'), isReady('10.0.0.12')]);
    expect(await shell('stat -c %U "/proc/$(systemctl show --property=MainPID --value rotavox-team)"')).toBe(
      'rotavox\n',
    );
    expect(await shell('find /etc/rotavox /var/lib/rotavox-team -perm /077')).toBe('');
    expect(await shell('journalctl --unit rotavox-team')).toMatch(/ rotavox\[\d+\]: .*"ready"/);
    expect(await shell('systemd-analyze verify --man=no rotavox-team.service 2>&1')).toBe('');

    const used = await shell(use);
    const [key = ''] = /rvx_\S+|rvo_\S+/.exec(used) ?? [];
    expect(key, used).not.toBe('');
    const example = blockWith('portal/tokens', 'Two hosts');
    const ca = 'export CURL_CA_BUNDLE=/root/cert.pem';
    const issued = JSON.parse(await shell(`${ca} KEY=${key}\n${example}`)) as { access_token: string };
    writeFileSync(join(root.folder, 'root/chain'), `${issued.access_token}\n`);
    writeFileSync(join(root.folder, 'root/loop.sh'), loop(blockWith('rotate()', 'Two hosts')));
    await shell('systemd-run --quiet --unit=loop --working-directory=/root bash loop.sh');
    await rotatesOn();

    for (const signal of ['KILL', 'TERM']) {
      const [leader, other] = await leaderNow();
      await shell(signal === 'KILL' ? killInACall(leader) : `systemctl stop ${leader}`);
      await rotatesOn();
      expect(await leaderNow()).toEqual([other, leader]);
      if (signal === 'TERM') await shell(`systemctl start ${leader}`);
      await Promise.all([isReady('10.0.0.11'), isReady('10.0.0.12')]);
      await rotatesOn();
    }
    expect(await rotavox('rotavox-team', 'history --verify')).toContain('The journal is intact');

    await shell(`umask 077; echo 'db.example.com:*:*:rotavox:${password}' >.pgpass`);
    const [backup = '', restore = '', verify = ''] = blocks('Backup and restore', 'sh');
    const backedUp = await lengthOf();
    await shell(backup);
    await rotatesOn();
    await shell(
      'touch stop; until ! systemctl is-active --quiet loop; do sleep 0.1; done; ! [ -e failures ]',
    );
    const chain = (await shell('cat chain')).trim().split('\n');
    expect(new Set(chain).size).toBe(chain.length);
    expect(chain.every((token) => token !== '')).toBe(true);
    const active = (): Promise<string> =>
      shell(`for token in $(tail -n +${backedUp} chain); do
        [ "$(curl -sk -o /dev/null -w '%{http_code}' https://10.0.0.12:7682/v1/auth/token -H "Authorization: Bearer $token")" != 200 ] || echo $token
      done`);
    expect(await active()).toBe(`${chain.at(-1)}\n`);

    await shell('systemctl stop rotavox-team rotavox-team-2');
    await asAdministrator(
      makeDatabase.replace(/^create role.*\n/, '').replaceAll(/database rotavox\b/g, 'database rotavox2'),
    );
    await shell(restore);
    await shell(
      `sed -i 's#/rotavox?#/rotavox2?#' /etc/rotavox/team*.env; systemctl start rotavox-team rotavox-team-2`,
    );
    await Promise.all([isReady('10.0.0.11'), isReady('10.0.0.12')]);
    expect(await rotavox('rotavox-team', verify.replace('rotavox ', ''))).toContain('The journal is intact');
    const [restored = '', ...others] = (await active()).trim().split('\n');
    expect(others).toEqual([]);
    expect(chain).toContain(restored);
    writeFileSync(join(root.folder, 'root/chain'), `${restored}\n`);
    await shell('rm stop; systemd-run --quiet --unit=again --working-directory=/root bash loop.sh');
    await rotatesOn();
    await shell(
      'touch stop; until ! systemctl is-active --quiet again; do sleep 0.1; done; ! [ -e failures ]',
    );
  });
});
