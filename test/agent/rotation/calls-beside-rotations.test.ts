import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { name, setUpRotation } from './rotation-setup.ts';

it('waits for a rotation also a moment after the token was replaced before', async () => {
  const { here, proxy } = await setUpRotation();
  const { requests } = here.agent;
  const callOnce = async () => {
    const access = await requests.accessFor(name);
    if (!access.ok) throw new Error(access.refusal.reason.code);
    access.value.settle();
  };
  // Each call keeps its token for a second; the second one is kept half a second longer.
  await callOnce();
  await wait(500);
  await requests.rotateNow(name);
  await callOnce();
  await wait(600);
  const asked = Promise.withResolvers<undefined>();
  proxy.onAnswered = () => asked.resolve(undefined);
  proxy.faults.push('hang');
  const rotating = requests.rotateNow(name);
  await asked.promise;
  await wait(600);
  let isOver = false;
  const access = requests.accessFor(name).finally(() => (isOver = true));
  await wait(100);
  expect(isOver).toBe(false);
  await proxy.close();
  await rotating;
  await access;
});
