/** Writes the licences of everything that is in a package: `node test/tools/collect-licences.ts`. A test sees to it that they are current. */
import { writeFileSync } from 'node:fs';
import { licencesFile, licencesText } from './licences/shipped-packages.ts';

writeFileSync(licencesFile, licencesText());
