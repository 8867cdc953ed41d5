/** Calls a service once and prints the answer: for what only the environment of a process can set. */
import { readFileSync } from 'node:fs';
import { Outgoing } from '../../../src/network/outgoing.ts';
import { ServiceCaller } from '../../../src/providers/http/service-caller.ts';

const { baseUrl, trusted } = JSON.parse(process.argv[2] ?? '') as { baseUrl: string; trusted?: string };
const caller = new ServiceCaller(
  trusted === undefined ? {} : { outgoing: new Outgoing({ trusted: readFileSync(trusted, 'utf8') }) },
);
const heard = await caller.call({
  method: 'GET',
  baseUrl,
  path: '/v1/auth/token',
  token: 'rvx_of_this_test',
  timeLimitMs: 20_000,
});
// What a program without our protection would do: it shows that the environment took effect.
const careless = await fetch(`${baseUrl}/careless`).then(
  () => 'answered',
  () => 'refused',
);
await caller.close();
console.log(JSON.stringify({ heard, careless }));
