/** `npm run schema`: writes the JSON Schema of provider files, as editors use it, from the schema that the program checks with. */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { providerFileSchema } from '../../src/contract/provider-file.ts';

const file = new URL('../../resources/providers/provider.schema.json', import.meta.url).pathname;
const text = JSON.stringify(providerFileSchema());
writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
