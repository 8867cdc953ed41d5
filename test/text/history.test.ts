import { expect, it } from 'vitest';
import { historyText } from '../../src/text/cli/cli-service.ts';
import { verificationText } from '../../src/text/window/history-text.ts';

it('says where the journal is that was verified, in files or in a database', () => {
  const intact = { status: 'intact', verified_to: 7, head: '' } as const;
  expect(historyText.intact({ ...intact, segments: 2 })).toContain('7 events in 2 files,');
  expect(historyText.intact({ ...intact, segments: 0 })).toContain('7 events in the database,');
  expect(historyText.intact({ ...intact, verified_to: 1, segments: 1 })).toContain('1 event in 1 file,');
  expect(verificationText.verified(7, 1)).toContain('the chain, in 1 file.');
  expect(verificationText.verified(7, 0)).toContain('the chain, in the database.');
});

it('names the backup that helps against damage: of the data folder, or of the database', () => {
  expect(verificationText.remedy('/data/journal/000001.jsonl')).toContain('backup of the data folder');
  const remedy = verificationText.remedy('postgres://rotavox@db.example.com/rotavox');
  expect(remedy).not.toContain('file');
  expect(remedy).toContain('a new database');
});
