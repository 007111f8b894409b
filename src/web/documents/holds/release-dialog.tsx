import type { Hold } from '../../../contract/students/holds.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { ReasonField } from '../../forms/reason-field.tsx';
import { call } from '../../lib/call.ts';
import { KIND_NAMES } from './hold-labels.tsx';
import { AFTER_HOLDS } from './hold-queries.ts';

interface ReleaseDialogProps {
  hold: Hold;
  /** Who is on hold, where it isn't said around it. */
  studentName?: string;
  onClose: () => void;
}

/** Releases a hold, with the reason. */
export function ReleaseDialog({ hold, studentName, onClose }: ReleaseDialogProps) {
  return (
    <FormDialog
      title={`Release the hold: ${KIND_NAMES[hold.kind].toLowerCase()}`}
      fields={{ reason: '' }}
      action="Release hold"
      failure="The hold could not be released. Try again."
      run={(body) =>
        call('POST /api/holds/:hold_id/release', {
          params: { hold_id: hold.hold_id },
          body,
          // The version is part of the reply, so no other call has to be made for it.
          ifMatch: `"b${hold.version}"`,
        })
      }
      invalidates={AFTER_HOLDS}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="wrap-anywhere text-pretty text-fg-2">
            {studentName !== undefined && (
              <>
                <bdi className="font-[560] text-fg">{studentName}</bdi>, {hold.student_id}.{' '}
              </>
            )}
            “{hold.reason}” {hold.by.name}. It blocks nothing any more, and can't be made active again.
          </p>
          <ReasonField {...field('reason')} hint="Stands beside the hold and in the history." />
        </>
      )}
    </FormDialog>
  );
}
