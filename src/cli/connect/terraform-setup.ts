import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CheckLine } from '../../contract/credential/tool-command.ts';
import { terraformProgram } from '../../contract/credential/connected-tools.ts';
import { checkText, connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import {
  type AddSetting,
  anotherThan,
  asBytes,
  askProgram,
  asText,
  homeFolder,
  linkTarget,
  type OtherProgram,
  readBytes,
  type ToolSetup,
  type WantedSetting,
} from './tool-setting.ts';
import { isUsableAt } from './usable-place.ts';

/** What Terraform calls our program: what follows `terraform-credentials-`. */
const helperName = 'rotavox';
const block = `credentials_helper "${helperName}" {}`;

/** Terraform and OpenTofu: they have one helper for all hosts, which is asked where their files have no token. */
// see decisions/connections.md
export const terraformSetup: ToolSetup = {
  tool: 'terraform',
  usualScheme: 'bearer',
  isShared: true,
  mark: () => block,
  require(place) {
    const { origin } = place;
    if (process.platform === 'win32')
      return Promise.reject(new CommandFailure(exitCodes.failed, connectProblem.notOnWindows('terraform')));
    if (!isUsableAt('terraform', place)) return Promise.reject(wrongUsage(connectProblem.terraformUrl));
    const token = fileWithToken(hostOf(origin));
    if (token === null) return Promise.resolve();
    const said = connectProblem.terraformToken(token, hostOf(origin));
    return Promise.reject(new CommandFailure(exitCodes.failed, said));
  },
  usualUser: () => Promise.resolve('-'),
  file: configFile,
  plan(_place, how) {
    const other = otherProgram(how.launcher);
    if (other === null) return Promise.resolve(planTerraform(how));
    const said = connectProblem.otherRotavox('terraform', other);
    return Promise.reject(new CommandFailure(exitCodes.failed, said));
  },
  othersBefore: () => Promise.resolve([]),
  link(launcher) {
    const link = pluginPath();
    mkdirSync(dirname(link), { recursive: true });
    if (existsSync(link)) return null;
    // One of a data folder that is gone.
    if (linkTarget(link) !== null) rmSync(link);
    symlinkSync(launcher, link);
    return link;
  },
  unlink(launcher) {
    const link = pluginPath();
    if (linkTarget(link) === launcher) rmSync(link);
  },
  checkPlace: ({ origin }, launcher) => Promise.resolve(checkTerraform(hostOf(origin), launcher)),
  ask: ({ origin }) =>
    askProgram(pluginPath(), ['get', hostOf(origin)], {
      read: (answer) => ('token' in answer ? answer.token : undefined),
    }),
};

/** How Terraform calls a host, with its port. */
function hostOf(origin: string): string {
  return new URL(origin).host;
}

function checkTerraform(host: string, launcher: string): CheckLine[] {
  const helpers = helpersOf(readText(configFile()));
  const isAsked = helpers.length === 1 && helpers[0]?.name === helperName;
  const token = fileWithToken(host);
  return [
    checkLink(launcher),
    isAsked ? checkText.asked('terraform') : checkText.notAsked('terraform'),
    ...(token === null ? [] : [checkText.failed(connectProblem.terraformToken(token, host))]),
  ];
}

function checkLink(launcher: string): CheckLine {
  const link = pluginPath();
  const other = otherProgram(launcher);
  if (other !== null) return checkText.failed(connectProblem.otherRotavox('terraform', other));
  return existsSync(link) ? checkText.linked(link) : checkText.notLinked(link, launcher);
}

/** What is in the place of the link to our program; null for nothing. */
function otherProgram(launcher: string): OtherProgram | null {
  return existsSync(pluginPath()) ? anotherThan(launcher, pluginPath()) : null;
}

/** The block at the end, or in the place of another helper. It is there already where another host is connected. */
function planTerraform({ mayReplace }: WantedSetting): AddSetting {
  return (bytes, file) => {
    const content = asText(bytes);
    const [other, ...more] = helpersOf(content);
    if (other === undefined) {
      const text = `${content !== '' && !content.endsWith('\n') ? '\n' : ''}${block}\n`;
      return { text, before: '', becomes: bytes + asBytes(text) };
    }
    if (other.name === helperName) return { text: other.block ?? block, before: '', becomes: bytes };
    if (other.hasArguments)
      throw new CommandFailure(
        exitCodes.failed,
        connectProblem.helperArguments(file, 'all hosts', other.name),
      );
    if (!mayReplace)
      throw new CommandFailure(exitCodes.failed, connectProblem.otherHelper(file, 'all hosts', other.name));
    if (more.length > 0 || other.block === null)
      throw new CommandFailure(exitCodes.failed, connectProblem.terraformFormat(file, block));
    const at = content.indexOf(other.block);
    const becomes = content.slice(0, at) + block + content.slice(at + other.block.length);
    return { text: block, before: other.block, becomes: asBytes(becomes) };
  };
}

interface Helper {
  readonly name: string;
  /** As it is written; null where its end cannot be told. */
  readonly block: string | null;
  readonly hasArguments: boolean;
}

/** The helpers of a configuration. Its language is HCL: a block begins a line, and that of a helper has no block in it. */
function helpersOf(content: string): readonly Helper[] {
  return [...content.matchAll(/^[ \t]*credentials_helper[ \t]+"([^"\n]+)"/gm)].map((found) => {
    const [start, name = ''] = found;
    const rest = content.slice(found.index + start.length);
    const [braces] = /^[ \t]*\{[^{}]*\}/.exec(rest) ?? [];
    const hasArguments = /\{\s*[^\s}]/.test(braces ?? '');
    return { name, block: braces === undefined ? null : start + braces, hasArguments };
  });
}

/** A file that has a token for a host, which Terraform uses before it asks a helper. The token is not read further. */
function fileWithToken(host: string): string | null {
  const config = configFile();
  const blocks = [...readText(config).matchAll(/^[ \t]*credentials[ \t]+"([^"\n]+)"/gm)];
  if (blocks.some(([, named]) => named?.toLowerCase() === host)) return config;
  const own = join(homeFolder(), '.terraform.d', 'credentials.tfrc.json');
  try {
    const { credentials } = JSON.parse(readText(own)) as { credentials?: Readonly<Record<string, unknown>> };
    return credentials?.[host] === undefined ? null : own;
  } catch {
    return null; // no JSON: Terraform does not read it either
  }
}

/** The file with the settings of the account. */
function configFile(): string {
  const named = commandIo().env['TF_CLI_CONFIG_FILE'] ?? '';
  return named === '' ? join(homeFolder(), '.terraformrc') : named;
}

/** Where Terraform and OpenTofu look for helpers. */
function pluginPath(): string {
  return join(homeFolder(), '.terraform.d', 'plugins', terraformProgram);
}

function readText(file: string): string {
  return asText(readBytes(file) ?? '');
}
