import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { saveServerFile } from '../../ui/save-file.ts';

const FORMATS = { pdf: '.pdf', json: '' } as const;
type Format = keyof typeof FORMATS;

/** All that is held about a student, as files to hand to them. For administrators. */
export function OwnCopy({ studentId }: { studentId: string }) {
  const [saving, setSaving] = useState<Format>();
  const save = async (format: Format) => {
    await saveServerFile(
      `/api/students/${encodeURIComponent(studentId)}/own-copy${FORMATS[format]}`,
      `copy-of-${studentId}.${format}`,
      'The copy has been saved. The history has an entry for it.',
      () => setSaving(format),
    );
    setSaving(undefined);
  };
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2">
      <p className="me-2 text-fg-2">The student's own copy, with all that is held about them:</p>
      <Button size="sm" processing={saving === 'pdf'} onClick={() => void save('pdf')}>
        <Download strokeWidth={1.75} aria-hidden="true" />
        Own copy as PDF
      </Button>
      <Button size="sm" processing={saving === 'json'} onClick={() => void save('json')}>
        <Download strokeWidth={1.75} aria-hidden="true" />
        Own copy as JSON
      </Button>
    </div>
  );
}
