import { ReplayKeys } from '../../src/store/replay-keys.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { describeReplayKeysSuite } from './replay-keys-suite.ts';

describeReplayKeysSuite('the file of replay keys', () => {
  const folder = makeFolder();
  return { open: (clock) => new ReplayKeys(folder, clock) };
});
