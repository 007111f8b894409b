import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SYNDICATES } from '../../../domain/student.ts';
import { type DraftForm, fieldProps } from '../../forms/use-draft-form.ts';
import { call } from '../../lib/call.ts';
import { formatStudentCount } from '../../lib/format.ts';
import { DEPARTMENT_OPTIONS, SEMESTER_OPTIONS, toBatchOptions } from '../../reports/class-options.ts';
import { classesQuery } from '../../reports/reports-queries.ts';
import { fullName } from '../../students/student-format.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { FieldError, fieldId } from '../../ui/fields/field.tsx';
import { SelectField, TextAreaField } from '../../ui/fields/input-fields.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { LABELS, readIds, readSyndicates, type SheetField } from './sheet-form-values.ts';

/** The class of a sheet, and its students: those of the class, or of pasted IDs. */
export function ClassChoice({ form }: { form: DraftForm<SheetField> }) {
  const { department, degree, by } = form.values;
  const classes = useQuery(classesQuery).data ?? [];
  const degrees = new Set([
    ...classes.filter((one) => one.department === department).map((one) => one.degree),
    // A restored draft may name a class that has no students any more.
    ...(degree === '' ? [] : [degree]),
  ]);
  return (
    <>
      <SelectField
        {...fieldProps(form, 'department')}
        label={LABELS.department}
        placeholder="Select a department"
        options={DEPARTMENT_OPTIONS}
        required
        className="xs:col-span-6"
      />
      <SelectField
        {...fieldProps(form, 'degree')}
        label={LABELS.degree}
        placeholder="Select a batch"
        options={toBatchOptions(degrees)}
        required
        className="xs:col-span-3"
      />
      <SelectField
        {...fieldProps(form, 'semester')}
        label={LABELS.semester}
        placeholder="Select"
        options={SEMESTER_OPTIONS}
        required
        className="xs:col-span-3"
      />
      <div>
        <SegmentedControl
          label="Students"
          value={by === 'ids' ? 'ids' : 'class'}
          options={[
            { value: 'class', label: 'All of the class' },
            { value: 'ids', label: 'Pasted CMS IDs' },
          ]}
          onChange={(to) => form.setValue('by', to)}
        />
      </div>
      <SyndicateBoxes form={form} />
      {by === 'ids' ? (
        <TextAreaField
          {...fieldProps(form, 'ids')}
          label={LABELS.ids}
          rows={5}
          hint={`${formatStudentCount(readIds(form.values.ids).length)}. Paste a column of a spreadsheet, or IDs with spaces or commas between them.`}
        />
      ) : (
        <FoundStudents form={form} />
      )}
    </>
  );
}

function SyndicateBoxes({ form }: { form: DraftForm<SheetField> }) {
  const chosen = readSyndicates(form.values.syn);
  const error = form.errors.syn;
  return (
    <fieldset id={fieldId('syn')} tabIndex={-1} className="min-w-0">
      <legend className="mb-1 font-[540] text-label">{LABELS.syn}</legend>
      <div className="flex flex-wrap gap-x-5">
        {SYNDICATES.map((syn) => (
          <CheckBox
            key={syn}
            isChecked={chosen.includes(syn)}
            onChange={(isChecked) =>
              form.setValue(
                'syn',
                SYNDICATES.filter((one) => (one === syn ? isChecked : chosen.includes(one))).join(','),
              )
            }
          >
            {syn}
          </CheckBox>
        ))}
        <span className="self-center text-fg-3 text-label">
          {chosen.length === 0 && 'None selected: all of them.'}
        </span>
      </div>
      {error !== undefined && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

const NAMES_SHOWN = 5;
/** More than a batch has; the largest page. */
const READ_AT_MOST = 500;

/** The students who will be in the class list. Their semester is proposed for the sheet. */
function FoundStudents({ form }: { form: DraftForm<SheetField> }) {
  const { department, degree, syn, semester } = form.values;
  const query = useQuery({
    queryKey: ['students', 'of-class', department, degree],
    queryFn: ({ signal }) =>
      call('GET /api/students', {
        query: { department, degree, status: 'active', limit: READ_AT_MOST },
        signal,
      }),
    enabled: department !== '' && degree !== '',
  });
  const syndicates = readSyndicates(syn);
  const found = (query.data?.students ?? []).filter(
    (student) => syndicates.length === 0 || syndicates.includes(student.syn),
  );
  const usual = found[0]?.current_sem;
  const { setValue } = form;
  useEffect(() => {
    if (semester === '' && usual !== undefined) setValue('semester', String(usual));
  }, [semester, usual, setValue]);
  if (query.data === undefined) return null;
  const more = found.length - NAMES_SHOWN;
  return (
    <div role="status">
      <p className="text-label">
        <b className="font-[620]">
          {formatStudentCount(found.length)}
          {query.data.next_cursor !== null && ' or more'}
        </b>{' '}
        <span className="text-fg-3">
          {found.length === 0 ? 'Students can be added later.' : 'active in this class.'}
        </span>
      </p>
      {found.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {found.slice(0, NAMES_SHOWN).map((student) => (
            <li
              key={student.id}
              className="wrap-anywhere rounded-chip border border-line-2 px-2 py-0.5 text-fg-2 text-label"
            >
              {fullName(student)}
            </li>
          ))}
          {more > 0 && <li className="px-2 py-0.5 text-fg-3 text-label">{`and ${more} more`}</li>}
        </ul>
      )}
    </div>
  );
}
