import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type OidcServer, oidcMachine, Visitor } from '../fakes/oidc-server.ts';
import { startOidcServer } from '../fakes/start-oidc-server.ts';
import { type CliProcess, exitCodeOf, rotavox, spawnRotavox } from './rotavox.ts';
import { fileVault, type ServiceHere, serviceOfFile } from './service-here.ts';

let service: ServiceHere;
serviceOfFile((here) => void (service = here), fileVault);

function run(...args: string[]): CliProcess {
  const child = spawnRotavox(args, { dataDir: service.dataDir });
  child.stdin.end();
  return child;
}

/** What a command says until a line has this form. */
async function heard(child: CliProcess, form: RegExp): Promise<string> {
  for await (const line of createInterface({ input: child.stderr })) {
    const found = form.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('The command said nothing of this form.');
}

function addArgs(oidc: OidcServer, name: string): string[] {
  const inputs = [`issuer=${oidc.baseUrl}`, 'client_id=app', 'scope=openid offline_access'];
  return [
    ...['credential', 'add', name, '--provider', 'oauth2'],
    ...inputs.flatMap((input) => ['--input', input]),
  ];
}

async function gets(oidc: OidcServer, name: string): Promise<boolean> {
  const { code, stdout } = await service.cli('get', name);
  return code === 0 && (await oidc.isAccessAlive(stdout.trimEnd()));
}

describe('a sign-in from the command line', () => {
  it('adds a credential with a browser, and is done again with a code', { tags: ['long'] }, async () => {
    const oidc = await startOidcServer();
    const added = run(...addArgs(oidc, 'crm'), '--sign-in', 'browser');
    await new Visitor().visit(await heard(added, /(http:\S+)/));
    expect(await exitCodeOf(added)).toBe(0);
    expect(await gets(oidc, 'crm')).toBe(true);

    const again = run('credential', 'sign-in', 'crm', '--device');
    const printed = text(again.stdout);
    const page = await heard(again, /(http:\S+)/);
    const code = new URL(page).searchParams.get('user_code') ?? '';
    await new Visitor().enterCode(page, code);
    expect([await exitCodeOf(again), await printed]).toEqual([0, 'Signed in. “crm” has new tokens.\n']);
    expect(await gets(oidc, 'crm')).toBe(true);
    expect(await service.json('credential', 'show', 'crm')).toMatchObject({ generation: 2, state: 'fine' });
  });

  it('that is refused ends with the reason, and adds nothing', { tags: ['long'] }, async () => {
    const oidc = await startOidcServer();
    oidc.denies = true;
    const added = run(...addArgs(oidc, 'other'), '--sign-in', 'browser');
    let said = '';
    for await (const line of createInterface({ input: added.stderr })) {
      said += `${line}\n`;
      const url = /(http:\S+)/.exec(line)?.[1];
      if (url?.includes('/auth?') === true) await new Visitor().visit(url);
    }
    expect(await exitCodeOf(added)).toBe(1);
    expect(said).toContain('Ada does not want to.');
    expect((await service.cli('credential', 'show', 'other')).code).toBe(1);
  });

  it('is not needed for a client with a secret, which is read from stdin', async () => {
    const oidc = await startOidcServer();
    const args = ['credential', 'add', 'machine', '--provider', 'oauth2-client'];
    const inputs = [`issuer=${oidc.baseUrl}`, `client_id=${oidcMachine.id}`];
    const added = await rotavox([...args, ...inputs.flatMap((input) => ['--input', input])], {
      dataDir: service.dataDir,
      stdin: `${oidcMachine.secret}\n`,
    });
    expect(added.code, added.stderr).toBe(0);
    expect(await gets(oidc, 'machine')).toBe(true);
  });
});
