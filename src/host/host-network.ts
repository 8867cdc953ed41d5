import { z } from 'zod';
import { type NetworkStatus, ProxyLoginInput } from '../contract/service/network.ts';
import { type ProxyAddress, proxyName, readProxyAddress } from '../contract/service/proxy-address.ts';
import type { SettingsChange } from '../contract/service/settings.ts';
import type { Ledger } from '../core/ledger.ts';
import { chooseWay } from '../core/network/choose-way.ts';
import type { NetworkPort } from '../core/network/network-port.ts';
import { done, refused, type Result } from '../core/result.ts';
import { type Vault, VaultUnavailable } from '../core/vault.ts';
import { Outgoing } from '../network/outgoing.ts';
import { readCertificateFile } from '../network/trusted-roots.ts';
import { certificateFileText, proxyAddressText, sourceText } from '../text/service/network-text.ts';
import { proxyLoginEntry } from './vault-entries.ts';

/** A login is only for the proxy that it was given for: another one never gets it. */
const StoredLogin = ProxyLoginInput.extend({ proxy: z.string() });
type StoredLogin = z.infer<typeof StoredLogin>;

/** Any destination: which proxy is used may depend on it, and this one is no exception by accident. */
const anywhere = { protocol: 'https:', host: 'host.invalid', port: 443 } as const;

export interface HostNetworkParts {
  readonly ledger: Pick<Ledger, 'state'>;
  readonly vault: Vault;
  /** What the desktop says about an address. Default: there is no desktop. */
  readonly askDesktop?: ((url: string) => Promise<string>) | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Calls to other machines, as the settings, the environment and the desktop lead them; implements the port. */
export class HostNetwork implements NetworkPort {
  readonly outgoing: Outgoing;
  readonly #parts: HostNetworkParts;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  /** Undefined: not read yet. A keychain is not asked at each connection. */
  #login: StoredLogin | null | undefined;

  constructor(parts: HostNetworkParts) {
    this.#parts = parts;
    this.#environment = parts.environment ?? process.env;
    this.outgoing = new Outgoing({
      settings: () => parts.ledger.state.settings,
      environment: this.#environment,
      askDesktop: parts.askDesktop,
      loginFor: (proxy) => this.#loginFor(proxy),
    });
  }

  async status(): Promise<NetworkStatus> {
    const { settings } = this.#parts.ledger.state;
    const way = chooseWay(anywhere, settings, this.#environment);
    const proxy = way?.kind === 'proxy' ? way.proxy : null;
    const file = settings.certificates;
    const { certificates, problem } =
      file === null ? { certificates: [], problem: null } : readCertificateFile(file);
    return {
      proxy: {
        setting: settings.proxy,
        used: proxy === null ? null : proxyName(proxy),
        source: way?.kind === 'proxy' || way?.kind === 'invalid' ? way.source : null,
        has_login: proxy !== null && (proxy.login !== null || (await this.#hasLogin(proxy))),
        problem:
          way?.kind === 'invalid' ? `${sourceText(way.source)}: ${proxyAddressText(way.problem)}` : null,
      },
      certificates: {
        file,
        count: certificates.length,
        extra: (this.#environment['NODE_EXTRA_CA_CERTS'] ?? '') !== '',
        problem: problem === null ? null : certificateFileText(problem),
      },
    };
  }

  refusalOf({ certificates, proxy }: SettingsChange): ReturnType<NetworkPort['refusalOf']> {
    if (proxy !== undefined && proxy !== 'system' && proxy !== 'off') {
      const read = readProxyAddress(proxy);
      if (!read.ok) return { field: 'proxy', message: proxyAddressText(read.problem) };
    }
    if (certificates === undefined || certificates === null) return null;
    const { problem } = readCertificateFile(certificates);
    return problem === null ? null : { field: 'certificates', message: certificateFileText(problem) };
  }

  async setLogin(login: ProxyLoginInput | null): Promise<Result<null, 'no_proxy' | 'vault'>> {
    const way = chooseWay(anywhere, this.#parts.ledger.state.settings, this.#environment);
    if (login !== null && way?.kind !== 'proxy') return refused('no_proxy');
    const { vault } = this.#parts;
    try {
      if (login === null || way?.kind !== 'proxy') {
        await vault.remove(proxyLoginEntry);
        this.#login = null;
        return done(null);
      }
      const stored = { ...login, proxy: proxyName(way.proxy) };
      const text = JSON.stringify(stored);
      await vault.write(proxyLoginEntry, text);
      if ((await vault.read(proxyLoginEntry)) !== text) return refused('vault');
      this.#login = stored;
      return done(null);
    } catch (error) {
      if (error instanceof VaultUnavailable) return refused('vault');
      throw error;
    }
  }

  async #hasLogin(proxy: ProxyAddress): Promise<boolean> {
    try {
      return (await this.#loginFor(proxy)) !== null;
    } catch (error) {
      if (error instanceof VaultUnavailable) return false;
      throw error;
    }
  }

  async #loginFor(proxy: ProxyAddress): Promise<ProxyLoginInput | null> {
    this.#login ??= await this.#read();
    const { user, password, proxy: name } = this.#login ?? { user: '', password: '', proxy: '' };
    return name === proxyName(proxy) ? { user, password } : null;
  }

  async #read(): Promise<StoredLogin | null> {
    const text = await this.#parts.vault.read(proxyLoginEntry);
    if (text === null) return null;
    try {
      return StoredLogin.parse(JSON.parse(text));
    } catch {
      return null; // not written by this program: nothing in it can be relied on
    }
  }
}
