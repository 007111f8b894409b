import type { StudentCreated } from '../../../../contract/students/students.ts';
import { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { pictureTooLargeText } from '../../../ui/fields/picture/picture-validation.ts';
import type { StudentValues } from './student-values.ts';

interface SaveStudentOptions {
  /** Whose record is replaced; without it a new one is entered. */
  studentId?: string;
  values: StudentValues;
  /** The selected portrait. It takes precedence over the one named in the text field. */
  file: File | null;
  idempotencyKey?: string;
  ifMatch?: string | undefined;
}

/** Saves a base record. A new one, or one with a file, is sent as a multipart form, otherwise as JSON. */
export async function saveStudent({
  studentId,
  values,
  file,
  ...options
}: SaveStudentOptions): Promise<StudentCreated> {
  const { img_file: _, ...texts } = values;
  const save = (body: typeof texts | FormData) =>
    studentId === undefined
      ? call('POST /api/students', { ...options, body })
      : call('PUT /api/students/:id', { ...options, params: { id: studentId }, body });
  if (file === null && studentId !== undefined) return save(texts);
  try {
    return await save(toFormData(texts, file));
  } catch (error) {
    throw file !== null && error instanceof ApiError ? moveToFileField(error) : error;
  }
}

function toFormData(texts: Omit<StudentValues, 'img_file'>, file: File | null): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  if (file !== null) form.set('img', file);
  return form;
}

/** The server reports errors of the portrait as `img`. With a file they belong to its field, not to the text field. */
function moveToFileField(error: ApiError): ApiError {
  const { status, message, errors } = error;
  if (status === 413) {
    return new ApiError(422, message, { errors: { img_file: [pictureTooLargeText('student portrait')] } });
  }
  const { img, ...others } = errors;
  return img === undefined ? error : new ApiError(status, message, { errors: { ...others, img_file: img } });
}
