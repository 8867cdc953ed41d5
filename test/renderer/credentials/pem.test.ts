import { describe, expect, it } from 'vitest';
import { pemOf } from '../../../src/renderer/credentials/client-certificate-fields.tsx';

const block = (label: string, body = 'QUJD'): string =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
const file = (text: string, name = 'client.pem') => ({ name, text });
const kindOf = (...texts: readonly string[]): string => pemOf(texts.map((text) => file(text))).kind;

describe('the files of a client certificate', () => {
  it('may be one or several, in any order, with the certificates up to the root', () => {
    const [leaf, between] = [block('CERTIFICATE', 'bGVhZg=='), block('CERTIFICATE', 'YmV0d2Vlbg==')];
    const key = block('PRIVATE KEY');
    const found = { kind: 'both', certificate: `${leaf}\n${between}\n`, key: `${key}\n` };
    expect(pemOf([file(`${leaf}\n${between}\n${key}`)])).toMatchObject(found);
    expect(pemOf([file(key, 'k'), file(`${leaf}\n${between}`, 'c')])).toMatchObject({
      ...found,
      names: ['k', 'c'],
    });
  });

  it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'])(
    'may have a %s',
    (label) => {
      expect(kindOf(block('CERTIFICATE') + block(label))).toBe('both');
    },
  );

  // What `openssl pkcs12 -in client.p12` writes; an EC key of `openssl ecparam -genkey` begins with its parameters.
  it('may have other text around what counts, and lines that end as in Windows', () => {
    const text = `Bag Attributes\n    friendlyName: me\n${block('CERTIFICATE')}\nKey Attributes\n${block('EC PARAMETERS')}\n${block('EC PRIVATE KEY')}\n`;
    for (const one of [text, text.replaceAll('\n', '\r\n')]) {
      const found = pemOf([file(one)]);
      expect(found.kind === 'both' && found.certificate + found.key).not.toMatch(/Bag|Attributes|PARAMETERS/);
    }
  });

  it.each([
    ['noKey', block('CERTIFICATE')],
    ['noKey', block('CERTIFICATE') + block('PUBLIC KEY')],
    ['noCertificate', block('PRIVATE KEY')],
    ['noCertificate', block('CERTIFICATE REQUEST') + block('PRIVATE KEY')],
    ['noPem', '0\u0082\u000b\u0000'],
    ['noPem', '-----BEGIN CERTIFICATE-----\ncut off'],
    ['noPem', ''],
  ])('are told as %s: %j', (kind, text) => {
    expect(kindOf(text)).toBe(kind);
  });
});
