import { calendarDate } from '../../../domain/age.ts';
import { HOLD_BLOCKS, HOLD_KINDS } from '../../../domain/holds.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { ReasonField } from '../../forms/reason-field.tsx';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { call } from '../../lib/call.ts';
import { oneOf } from '../../lib/one-of.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { DateField } from '../../ui/fields/date-field.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { BLOCK_NAMES, KIND_NAMES } from './hold-labels.tsx';
import { AFTER_HOLDS } from './hold-queries.ts';

/** The blocks of a field of text, which has them with commas. */
const readBlocks = (text: string) => HOLD_BLOCKS.filter((block) => text.split(',').includes(block));

interface PlaceHoldDialogProps {
  studentId: string;
  onClose: () => void;
}

/** Places a hold on a student. */
export function PlaceHoldDialog({ studentId, onClose }: PlaceHoldDialogProps) {
  const idempotencyKey = useIdempotencyKey();
  return (
    <FormDialog
      title="Place a hold"
      fields={{
        kind: 'fees',
        blocks: 'official-documents,certificate',
        from: calendarDate(new Date()),
        until: '',
        reason: '',
      }}
      action="Place hold"
      failure="The hold could not be placed. Try again."
      run={({ blocks, kind, until, ...texts }) => {
        const body = {
          ...texts,
          kind: oneOf(HOLD_KINDS, kind) ?? 'other',
          blocks: readBlocks(blocks),
          until: until || null,
        };
        return call('POST /api/students/:id/holds', {
          params: { id: studentId },
          body,
          idempotencyKey: idempotencyKey(body),
        });
      }}
      invalidates={AFTER_HOLDS}
      onClose={onClose}
    >
      {({ field, values, change }) => {
        const blocked = readBlocks(values.blocks);
        const { error } = field('blocks');
        return (
          <>
            <SelectField
              {...field('kind')}
              label="Kind"
              options={HOLD_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
            />
            <fieldset aria-describedby={error === undefined ? undefined : 'blocks-error'}>
              <legend className="mb-1 font-[540] text-label">Blocks</legend>
              <div className="grid xs:grid-cols-2">
                {HOLD_BLOCKS.map((block) => (
                  <CheckBox
                    key={block}
                    name="blocks"
                    isChecked={blocked.includes(block)}
                    onChange={(isChecked) =>
                      change({
                        blocks: HOLD_BLOCKS.filter((one) =>
                          one === block ? isChecked : blocked.includes(one),
                        ).join(','),
                      })
                    }
                  >
                    {BLOCK_NAMES[block]}
                  </CheckBox>
                ))}
              </div>
              {error !== undefined && (
                <p id="blocks-error" className="mt-1 text-danger-text text-label">
                  Choose at least one.
                </p>
              )}
            </fieldset>
            <div className="grid gap-4 xs:grid-cols-2">
              <DateField {...field('from')} label="From" required />
              <DateField {...field('until')} label="Until (optional)" />
            </div>
            <ReasonField
              {...field('reason')}
              hint="Whoever issues papers reads it, and the student in the own copy."
            />
          </>
        );
      }}
    </FormDialog>
  );
}
