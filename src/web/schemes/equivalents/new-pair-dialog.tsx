import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { EquivalentPair, EquivalentPreview } from '../../../contract/schemes/equivalents.ts';
import { coursesQuery, formatCourse } from '../../courses/course-queries.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { ApiError } from '../../lib/api.ts';
import { call, findPreview } from '../../lib/call.ts';
import { ComboboxField } from '../../ui/fields/combobox-field.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { makeCatalogue } from '../draft/catalogue.ts';
import { invalidateAudits, parseBatches } from '../scheme-queries.ts';
import { PairEffect } from './pair-effect.tsx';

const KEY = 'POST /api/equivalents';

/** Lets two courses count as one, after it has been seen whose figures that changes. */
export function NewPairDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const { data: courses } = useQuery(coursesQuery);
  const catalogue = useMemo(() => makeCatalogue(courses ?? [], []), [courses]);
  const idempotencyKey = useIdempotencyKey();
  /** The effect of the pair that was asked for last. */
  const [seen, setSeen] = useState<{ pair: string; preview: EquivalentPreview }>();

  const find = (text: string) =>
    courses?.find((course) => formatCourse(course) === text.trim())?.course_id ?? catalogue.find(text);
  const toPair = (values: Record<'course_id' | 'other_id' | 'degrees', string>): EquivalentPair => {
    const [course_id, other_id] = [find(values.course_id), find(values.other_id)];
    if (course_id === undefined) throw unknownCourse('course_id');
    if (other_id === undefined) throw unknownCourse('other_id');
    return { course_id, other_id, degrees: parseBatches(values.degrees) };
  };
  const previewOf = (values: Parameters<typeof toPair>[0]) => {
    const isKnown = find(values.course_id) !== undefined && find(values.other_id) !== undefined;
    return isKnown && seen?.pair === JSON.stringify(toPair(values)) ? seen.preview : undefined;
  };
  const offer = (text: string) =>
    catalogue
      .search(text)
      .map((course) => ({ value: String(course.course_id), label: formatCourse(course) }));
  const titleOf = (id: string) => {
    const course = courses?.find(({ course_id }) => String(course_id) === id);
    return course === undefined ? id : formatCourse(course);
  };

  return (
    <FormDialog
      title="New pair of equivalents"
      isLarge
      fields={{ course_id: '', other_id: '', degrees: '' }}
      action={(values) => (previewOf(values) === undefined ? 'Preview the effect' : 'Add the pair')}
      failure="The pair could not be added. Try again."
      run={async (values): Promise<{ message?: string }> => {
        const pair = toPair(values);
        const preview = previewOf(values);
        if (preview === undefined) {
          const found = await call('POST /api/equivalents/preview', { body: pair, hasOverlay: false });
          setSeen({ pair: JSON.stringify(pair), preview: found });
          return {};
        }
        const body = { ...pair, fingerprint: preview.fingerprint };
        return call(KEY, { body, idempotencyKey: idempotencyKey(body) });
      }}
      closesAfter={({ message }) => message !== undefined}
      onDone={({ message }) => {
        if (message !== undefined) invalidateAudits(queries);
      }}
      onError={(error, _, values) => {
        const preview = findPreview(error, KEY);
        if (preview) setSeen({ pair: JSON.stringify(toPair(values)), preview });
      }}
      onClose={onClose}
    >
      {({ field, change, values }) => {
        const preview = previewOf(values);
        return (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <ComboboxField
                {...field('course_id')}
                label="Course"
                placeholder="Code, ID or name"
                required
                opensOnTyping
                options={offer(values.course_id)}
                onChoose={(id) => change({ course_id: titleOf(id) })}
              />
              <ComboboxField
                {...field('other_id')}
                label="Counts as"
                placeholder="Code, ID or name"
                required
                opensOnTyping
                options={offer(values.other_id)}
                onChoose={(id) => change({ other_id: titleOf(id) })}
              />
            </div>
            <TextField
              {...field('degrees')}
              label="Batches"
              placeholder="45, 46"
              hint="With commas. Empty: all batches."
              className="sm:w-1/2"
            />
            {preview && <PairEffect preview={preview} />}
          </>
        );
      }}
    </FormDialog>
  );
}

const NO_COURSE = 'Type the code of a course of the catalogue.';
const unknownCourse = (field: string) => new ApiError(422, NO_COURSE, { errors: { [field]: [NO_COURSE] } });
