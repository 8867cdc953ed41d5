import type { Session } from 'electron';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, rootCertificates } from 'node:tls';

/** How long a host may take for its certificate, in milliseconds. */
const answerLimitMs = 10_000;

/**
 * Lets a session trust what `NODE_EXTRA_CA_CERTS` names, as the command line does, in addition to what the system trusts.
 *
 * Chromium does not read that file. A certificate that it does not know is accepted if Node accepts the same one in a
 * connection of its own, with every check of the name, the dates and the chain. Nothing else is ever accepted.
 */
export function trustExtraCertificates(session: Session, url: string, file: string | undefined): void {
  if (file === undefined || file === '' || !url.startsWith('https:')) return;
  const { hostname, port } = new URL(url);
  const accepted = new Set<string>();
  session.setCertificateVerifyProc((request, answer) => {
    const { errorCode, certificate } = request;
    if (errorCode === 0 || request.hostname !== hostname) {
      answer(useChromiums);
      return;
    }
    const fingerprint = new X509Certificate(certificate.data).fingerprint256;
    if (accepted.has(fingerprint)) {
      answer(trusted);
      return;
    }
    void fingerprintAt({ hostname, port: Number(port || 443), file }).then(
      (found) => {
        if (found === fingerprint) accepted.add(found);
        answer(found === fingerprint ? trusted : useChromiums);
      },
      () => answer(useChromiums), // Node does not trust it either
    );
  });
}

/** The answers of https://www.electronjs.org/docs/latest/api/session#sessetcertificateverifyprocproc */
const trusted = 0;
const useChromiums = -3;

/** The fingerprint of the certificate that a host shows, if Node trusts it. */
async function fingerprintAt({ hostname, port, file }: { hostname: string; port: number; file: string }) {
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    ...(/^[\d.[]/.test(hostname) ? {} : { servername: hostname }),
    ca: [...rootCertificates, readFileSync(file, 'utf8')],
    timeout: answerLimitMs,
  });
  socket.once('timeout', () => socket.destroy(new Error('timeout')));
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate()?.fingerprint256 ?? null;
  } finally {
    socket.destroy();
  }
}
