import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Import } from '../../../contract/imports.ts';
import { keepErrorText } from '../../forms/messages/error-texts.ts';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { discardDraft } from '../../lib/drafts.ts';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { uploadedFile, uploadImport } from '../file/upload.ts';
import { importQuery } from '../import-queries.ts';
import { columnsDraft } from './column-choices.ts';

/** Another sheet of the workbook. Its rows are uploaded as a new import in place of this one. */
export function SheetChoice({ item }: { item: Import }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { start, isRunning, input, problem } = useTask({
    run: async ({ file, sheet }: { file: File; sheet: string }) => {
      const courseId = item.course_id === null ? undefined : String(item.course_id);
      const schemeId = item.scheme_id === undefined ? undefined : String(item.scheme_id);
      const next = await uploadImport({ kind: item.kind, courseId, schemeId, source: { file }, sheet });
      // This one would remain in the list until it is deleted after a day; failing to cancel it changes nothing else.
      const params = { import_id: item.import_id };
      void call('POST /api/imports/:import_id/cancel', { params, hasOverlay: false }).catch(() => undefined);
      discardDraft(columnsDraft(item.import_id));
      queries.setQueryData(importQuery(next.import_id).queryKey, next);
      await navigate({
        to: '/imports/$importId',
        params: { importId: String(next.import_id) },
        replace: true,
      });
    },
    failure: 'The sheet could not be read. Try again.',
    rewrite: keepErrorText,
  });
  const chosen = isRunning ? input?.sheet : undefined;
  const file = uploadedFile(item.import_id);
  if (item.sheets.length < 2) return null;
  if (file === undefined) {
    return (
      <p className="max-w-[44ch] self-center text-fg-2 text-label">
        {`This is the sheet ${item.sheet ?? ''} of ${item.sheets.length}. To read another one, `}
        <Link to="/imports/new" search={{ kind: item.kind }} className="link">
          choose the file again
        </Link>
        .
      </p>
    );
  }

  return (
    <SelectField
      label="Sheet"
      name="sheet"
      value={chosen ?? item.sheet ?? ''}
      options={item.sheets.map((sheet) => ({ value: sheet, label: sheet }))}
      onChange={(sheet) => sheet !== item.sheet && start({ file, sheet })}
      error={problem}
      hint={chosen === undefined ? undefined : `Reading ${chosen}`}
      className="w-60 max-w-full"
    />
  );
}
