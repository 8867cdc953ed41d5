/** What files have of a client certificate. `names` are those of the files. */
export type Pem = { readonly names: readonly string[] } & (
  | { readonly kind: 'both'; readonly certificate: string; readonly key: string }
  | { readonly kind: 'noPem' | 'noCertificate' | 'noKey' }
);

const block = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/**
 * Finds a certificate, with those between it and its root, and the first private key in the texts of files, whatever stands
 * around them (`openssl pkcs12` writes bag attributes there).
 */
export function pemOf(files: readonly { readonly name: string; readonly text: string }[]): Pem {
  const names = files.map(({ name }) => name);
  const blocks = files.flatMap(({ text }) => [...text.matchAll(block)]);
  const of = (label: RegExp): string[] =>
    blocks.filter(([, what = '']) => label.test(what)).map(([all]) => all);
  const certificates = of(/^(?:TRUSTED |X509 )?CERTIFICATE$/);
  const [key] = of(/PRIVATE KEY$/);
  if (key !== undefined && certificates.length > 0) {
    return { kind: 'both', names, certificate: `${certificates.join('\n')}\n`, key: `${key}\n` };
  }
  if (key === undefined && certificates.length === 0) return { kind: 'noPem', names };
  return { kind: key === undefined ? 'noKey' : 'noCertificate', names };
}
