import { readFileSync, writeFileSync } from 'node:fs';
import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** English, United States; Unicode: what Windows falls back to. */
const neutral = { lang: 1033, codepage: 1200 };

/**
 * Writes Node's executable for Windows with our name, version and icon, and without its signature.
 *
 * Whatever is changed in a signed program breaks its signature, and a broken one looks worse than none. Works on every
 * system. Throws an Error if the file is no program for Windows.
 */
export function brandExecutable(
  from: string,
  to: string,
  { icon, version }: { readonly icon: string; readonly version: string },
): void {
  const executable = NtExecutable.from(readFileSync(from), { ignoreCert: true });
  const resources = NtExecutableResource.from(executable);
  const [info = Resource.VersionInfo.createEmpty()] = Resource.VersionInfo.fromEntries(resources.entries);
  const [language = neutral] = info.getAllLanguagesForStringValues();
  info.setStringValues(language, {
    ProductName: 'Rotavox',
    CompanyName: 'Rotavox contributors',
    FileDescription: 'Rotavox command line',
    InternalName: 'rotavox',
    OriginalFilename: 'rotavox.exe',
    LegalCopyright: 'Copyright © Rotavox contributors; includes Node.js',
  });
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  info.setFileVersion(major, minor, patch, 0, language.lang);
  info.setProductVersion(major, minor, patch, 0, language.lang);
  info.outputToResourceEntries(resources.entries);
  const icons = Data.IconFile.from(readFileSync(icon)).icons.map(({ data }) => data);
  const [group] = Resource.IconGroupEntry.fromEntries(resources.entries);
  Resource.IconGroupEntry.replaceIconsForResource(
    resources.entries,
    group?.id ?? 1,
    group?.lang ?? neutral.lang,
    icons,
  );
  resources.outputResource(executable);
  writeFileSync(to, new Uint8Array(executable.generate()));
}
