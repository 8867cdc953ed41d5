/** `npm run schema`: writes the JSON Schema of provider files, as editors use it, from the schema that the program checks with. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { providerFileSchema } from '../../src/contract/credential/provider-file.ts';

const file = new URL('../../resources/providers/provider.schema.json', import.meta.url).pathname;
writeFileSync(file, JSON.stringify(providerFileSchema()));
execFileSync('oxfmt', [file], { stdio: 'inherit' });
