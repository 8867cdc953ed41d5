/** Where a client certificate is given in the windows. */
export const clientCertificateText = {
  label: 'The service asks for a client certificate',
  optionalHint: 'Some companies have this (mutual TLS).',
  choose: 'Choose files…',
  files: 'Files with the client certificate and its key',
  lead: 'The certificate and its key in PEM, as one file or as several. They are stored beside the token.',
  passphrase: 'Passphrase of the key',
  passphraseHint: 'Only if the key is encrypted.',
  chosen: (names: readonly string[]) => `Certificate and key found in ${names.join(', ')}.`,
  noCertificate: (names: readonly string[]) =>
    `There is no certificate in ${names.join(', ')}. Choose the file that begins with BEGIN CERTIFICATE together with that of the key.`,
  noKey: (names: readonly string[]) =>
    `There is no private key in ${names.join(', ')}. Choose the file of the key together with that of the certificate.`,
  noPem: (names: readonly string[]) =>
    `${names.join(', ')}: this is not PEM. Convert a .p12 or .pfx file first: openssl pkcs12 -in FILE -out client.pem (with -legacy where that does not know its encryption)`,
  missing: 'Choose the files of the certificate and its key.',
  /** On the page of a credential. */
  has: 'Client certificate',
  none: 'Client certificate: none',
  open: 'Client certificate…',
  heading: (name: string) => `Client certificate of ${name}`,
  save: 'Save',
  saving: 'Saving …',
  remove: 'Remove',
  removing: 'Removing …',
  cancel: 'Cancel',
} as const;
