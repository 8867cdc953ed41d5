import { openRecordingFiles } from '../../src/store/open-recording-files.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { describeRecordingSuite, describeReplayKeysSuite } from './recording-files-suite.ts';
import { ReplayKeys } from '../../src/store/replay-keys.ts';

describeRecordingSuite('the folder of recordings', () => {
  const folder = makeFolder();
  return { open: (state) => openRecordingFiles(folder, state) };
});

describeReplayKeysSuite('the file of replay keys', () => {
  const folder = makeFolder();
  return { open: (clock) => new ReplayKeys(folder, clock) };
});
