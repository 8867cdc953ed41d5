import { openRecordingFiles } from '../../src/store/open-recording-files.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { describeRecordingSuite } from './recording-files-suite.ts';

describeRecordingSuite('the folder of recordings', () => {
  const folder = makeFolder();
  return { open: (state) => openRecordingFiles(folder, state) };
});
