/** A process that holds the lock of a folder until it is killed, and says when it has it or why not. */
import { HostError } from '../../src/host/host-error.ts';
import { lockFolder } from '../../src/host/folder-lock.ts';

const [, , folder = ''] = process.argv;
try {
  lockFolder(folder).onLost(() => console.log('lost'));
  console.log('held');
  // What holds a folder keeps running.
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log(error instanceof HostError ? error.message : String(error));
}
