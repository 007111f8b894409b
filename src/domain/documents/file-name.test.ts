import { describe, expect, test } from 'vitest';
import { batchFileName, documentFileName } from './file-name.ts';

describe('the name of the file of a document', () => {
  test('says what it is, whose, and its serial', () => {
    expect(documentFileName('transcript', '2023345', '2026-000001')).toBe(
      'transcript-2023345-2026-000001.pdf',
    );
    expect(documentFileName('result-card', '2023345', null)).toBe('result-card-2023345-unofficial.pdf');
  });

  test('of several says which serials it has', () => {
    const batch = { kind: 'result-card' as const, batch_id: 7, student_id: null };
    const serials = { first_serial: '2026-000001', last_serial: '2026-000041' };
    expect(batchFileName({ ...batch, ...serials })).toBe('result-cards-2026-000001-to-2026-000041');
    expect(batchFileName({ ...batch, first_serial: null, last_serial: null })).toBe(
      'result-cards-unofficial-7',
    );
    expect(batchFileName({ ...batch, ...serials, student_id: '2023345' })).toBe(
      'result-card-2023345-2026-000001',
    );
  });
});
