/** Company networks: why a proxy or a certificate keeps a call from its service, what to set, and the way that a call took. */
import type {
  CertificateFileProblem,
  ClientCertificateProblem,
  NetworkStatus,
  ProxySource,
  TakenWay,
} from '../../contract/service/network.ts';
import type { ProxyAddressProblem } from '../../contract/service/proxy-address.ts';
import type { NetworkFailure } from '../../contract/credential/rotation-trouble.ts';
import { countWords } from '../count.ts';

const networkFailures: Readonly<Record<NetworkFailure['code'], true>> = {
  not_trusted: true,
  proxy_failed: true,
  proxy_invalid: true,
  client_certificate: true,
};

/** Whether a failure is one of this file, so that its text says what to set up: waiting does not help. */
export function isAboutNetwork(failure: { readonly code: string }): failure is NetworkFailure {
  return Object.hasOwn(networkFailures, failure.code);
}

/** Why there was no connection, and what to do: sentences. `service` is an origin. */
export function networkFailureText(service: string, failure: NetworkFailure): string {
  switch (failure.code) {
    case 'not_trusted':
      return notTrustedText(service, failure);
    case 'proxy_failed':
      return proxyFailedText(service, failure);
    case 'proxy_invalid':
      return `${service} was not asked: ${sourceText(failure.source)} is not the address of a proxy. ${proxyAddressText(failure.problem)}`;
    case 'client_certificate':
      return clientCertificateText(service, failure);
  }
}

function notTrustedText(
  service: string,
  { systemCode, issuer, file }: Extract<NetworkFailure, { code: 'not_trusted' }>,
): string {
  const begin = `${service} cannot be trusted:`;
  const by = issuer === undefined ? '' : ` by “${issuer}”`;
  const fileText = file === undefined ? '' : ` ${certificateFileText(file)}`;
  if (systemCode.includes('HAS_EXPIRED')) {
    return `${begin} its certificate, issued${by || ' by its authority'}, or one above it has expired (${systemCode}). Check the clock of this machine; otherwise whoever runs the service has to renew it.`;
  }
  if (systemCode.includes('NOT_YET_VALID')) {
    return `${begin} its certificate is not valid yet (${systemCode}). Check the clock of this machine.`;
  }
  if (/ALTNAME_INVALID|HOSTNAME_MISMATCH/.test(systemCode)) {
    return `${begin} its certificate${issuer === undefined ? '' : `, issued${by},`} is for another name (${systemCode}). Check the address, or ask who runs the service for a certificate with this name.`;
  }
  if (/SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:GET_ISSUER|VERIFY)|INVALID_CA/.test(systemCode)) {
    const unknown = issuer === undefined ? 'an authority' : `“${issuer}”`;
    return (
      `${begin} its certificate does not verify (${systemCode}). It was issued by ${unknown}, which this machine does not trust. ` +
      `If that is your company, ask for the certificate of ${issuer === undefined ? 'that authority' : unknown} as a file and name it in the setting “certificates” ` +
      `or in NODE_EXTRA_CA_CERTS.${fileText}`
    );
  }
  if (/WRONG_VERSION_NUMBER|EPROTO|PACKET_LENGTH/.test(systemCode)) {
    return `${begin} what answers there speaks no TLS (${systemCode}). Check the port and https in the address.`;
  }
  return `${begin} its certificate does not verify (${systemCode}). Whoever runs the service, or the proxy before it, has to replace the certificate${by === '' ? '' : `, which was issued${by}`}.${fileText}`;
}

/** A file of certificates that is not used. */
export function certificateFileText({ file, code }: CertificateFileProblem): string {
  switch (code) {
    case 'missing':
      return `The file in the setting “certificates” (${file}) does not exist.`;
    case 'unreadable':
      return `The file in the setting “certificates” (${file}) cannot be read by this account.`;
    case 'no_certificate':
      return `The file in the setting “certificates” (${file}) has no certificate. It takes PEM, with one or more certificates, or DER.`;
  }
}

function proxyFailedText(
  service: string,
  { proxy, source, problem }: Extract<NetworkFailure, { code: 'proxy_failed' }>,
): string {
  const begin = `${service} could not be reached: the proxy ${proxy} (${sourceText(source)})`;
  switch (problem.code) {
    case 'unreachable':
      return `${begin} ${unreachable[problem.systemCode] ?? `cannot be reached (${problem.systemCode})`}. Check its address, and whether this machine is in the network of the proxy.`;
    case 'not_trusted':
      return `${begin} cannot be trusted: its certificate${problem.issuer === null ? '' : `, issued by “${problem.issuer}”,`} does not verify (${problem.systemCode}). Ask for the certificate of its authority as a file and name it in the setting “certificates”.`;
    case 'login_needed':
      return `${begin} refuses (407): it wants a user name and a password. ${loginAdvice(problem.schemes, source)}`;
    case 'login_refused':
      return `${begin} refuses (407): it does not accept the user name or the password. ${loginAdvice(problem.schemes, source)}`;
    case 'login_unreadable':
      return `${begin} was not asked, because its password could not be read from the vault. Unlock the vault.`;
    case 'refused':
      return `${begin} refuses the connection (${problem.status}). ${refusedAdvice(problem.status)}`;
    case 'no_proxy':
      return `${begin} does not answer like a proxy. Check its address and port.`;
    case 'closed':
      return `${begin} closed the connection without an answer. Check its address and port, and whether it lets this machine in.`;
    case 'too_slow':
      return `${begin} gave no connection within ${problem.limitMs / 1000} s.`;
  }
}

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not answer: nothing listens there',
  ENOTFOUND: 'cannot be found: its name is not known',
  EAI_AGAIN: 'cannot be found: its name cannot be looked up now',
  EHOSTUNREACH: 'cannot be reached: there is no route to it',
  ENETUNREACH: 'cannot be reached: there is no network',
};

function refusedAdvice(status: number): string {
  if (status === 403) return 'Ask who runs the proxy to allow this service.';
  if (status >= 500) return 'It cannot reach the service: check base_url, or try again later.';
  return 'Check whether this is the address of a proxy.';
}

/** The schemes that need more than a name and a password, and a library of the system. */
function loginAdvice(schemes: readonly string[], source: ProxySource): string {
  if (schemes.length > 0 && !schemes.includes('basic')) {
    return `It accepts only ${schemes.join(' and ')}, which Rotavox does not speak: use a local proxy that does, such as cntlm or px, or ask for one without a sign-in.`;
  }
  return source === 'setting' || source === 'desktop'
    ? 'Set them with the proxy in the settings: they are kept in the vault.'
    : `Put them into ${source}, or set the proxy in the settings, which keep its password in the vault.`;
}

function clientCertificateText(
  service: string,
  { problem, systemCode }: Extract<NetworkFailure, { code: 'client_certificate' }>,
): string {
  switch (problem) {
    case 'needed':
      return `${service} asks for a client certificate (${systemCode}). Give the credential one, with its key.`;
    case 'perhaps_needed':
      return `${service} ended the connection before it answered (${systemCode}). It asks for a client certificate, most likely: give the credential one, with its key.`;
    case 'refused':
      return `${service} does not accept the client certificate of the credential (${systemCode}). Give it another one.`;
    case 'unusable':
      return `${service} was not asked: the client certificate of the credential and its key cannot be used (${systemCode}). Give it another one.`;
  }
}

/** Why a client certificate and its key cannot be used, where they are entered. */
export function clientCertificateProblemText(problem: ClientCertificateProblem): string {
  switch (problem) {
    case 'no_certificate':
      return 'The client certificate cannot be read. Give it in PEM: a text that begins with BEGIN CERTIFICATE.';
    case 'no_key':
      return 'The key of the client certificate cannot be read. Give it in PEM: a text that begins with BEGIN PRIVATE KEY.';
    case 'other_key':
      return 'The key does not belong to the client certificate. Give the key with which the certificate was requested.';
    case 'passphrase_needed':
      return 'The key of the client certificate is encrypted. Give its passphrase, too.';
    case 'wrong_passphrase':
      return 'The passphrase of the key of the client certificate is wrong.';
    case 'too_weak':
      return 'The client certificate or its key is too weak to be used. Ask for a new one.';
  }
}

/** Where the address of a proxy comes from. */
export function sourceText(source: ProxySource): string {
  if (source === 'setting') return 'the setting “proxy”';
  return source === 'desktop' ? 'the settings of this computer' : source;
}

/** What is wrong with the address of a proxy. */
export function proxyAddressText(problem: ProxyAddressProblem): string {
  switch (problem) {
    case 'not_an_address':
      return 'It must be like http://proxy.example.com:8080.';
    case 'socks':
      return 'SOCKS is not supported: use the address of an HTTP proxy.';
    case 'scheme':
      return 'It must begin with http:// or https://.';
    case 'path':
      return 'It has a path. A PAC file is read by the desktop app, with “system”; elsewhere name the proxy itself, like http://proxy.example.com:8080.';
  }
}

/** What calls to other machines do, in a line. */
export function proxyStateText({
  setting,
  used,
  source,
  has_login: hasLogin,
  problem,
}: NetworkStatus['proxy']): string {
  if (problem !== null) return `cannot be used. ${problem}`;
  if (used === null) return setting === 'off' ? 'off' : 'none; the desktop app asks the desktop';
  const by = source === null || source === 'setting' ? '' : `, from ${source}`;
  return `${used}${by}${hasLogin ? ', with a password' : ''}`;
}

/** Whom calls to other machines trust, in a line. */
export function trustText({ file, count, extra, problem }: NetworkStatus['certificates']): string {
  const more = [
    ...(extra ? ['NODE_EXTRA_CA_CERTS'] : []),
    ...(file === null || problem !== null ? [] : [`${countWords(count, 'certificate')} of ${file}`]),
  ];
  const trusted = ['those of the system', ...more].join(', ');
  return problem === null ? trusted : `${trusted}. ${problem}`;
}

/** A login for no proxy. */
export const noProxyText = 'No proxy is set, so there is none to sign in to. Set its address first.';

/** The way that a call took, as a sentence. */
export function takenWayText({
  proxy,
  source,
  issuer,
  asks_for_certificate: asksForCertificate,
  has_client_certificate: hasClientCertificate,
}: TakenWay): string {
  const way =
    proxy === null
      ? 'directly'
      : `through the proxy ${proxy}${source === null ? '' : ` (${sourceText(source)})`}`;
  const certificate = issuer === null ? '' : `, certificate issued by “${issuer}”`;
  const client = hasClientCertificate ? ', with the client certificate' : '';
  const missing =
    asksForCertificate && !hasClientCertificate
      ? ' The service asked for a client certificate, and the credential has none.'
      : '';
  return `Asked ${way}${certificate}${client}.${missing}`;
}
