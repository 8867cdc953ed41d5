import { describe, expect, it } from 'vitest';
import { extensionKind } from '../../../src/core/change-directory.ts';
import { previewColumns } from '../../../src/core/directory-file/preview-columns.ts';

describe('the columns of a file, before it is imported', () => {
  it('are those that the headings tell, with their first values', () => {
    const csv = 'Number,FirstName,LastName,\n\n101,Ada,Lovelace,x\n102,Store,,\n103,,,\n104,Late,Comer,\n';
    expect(previewColumns(extensionKind, csv, {})).toEqual({
      headings: ['Number', 'FirstName', 'LastName', ''],
      fields: [
        { field: 'id', places: [0], samples: ['101', '102', '103'] },
        { field: 'name', places: [1, 2], samples: ['Ada Lovelace', 'Store'] },
      ],
    });
  });

  it('are those that a person chose; a field whose column is not known has none', () => {
    const csv = 'Durchwahl;Person\n101;Ada';
    expect(previewColumns(extensionKind, csv, { name: [2] })?.fields).toEqual([
      { field: 'id', places: [], samples: [] },
      { field: 'name', places: [1], samples: ['Ada'] },
    ]);
  });

  it.each(['', '\n\n', ';;\n'])('are none of %j', (csv) => {
    expect(previewColumns(extensionKind, csv, {})).toBeNull();
  });
});
