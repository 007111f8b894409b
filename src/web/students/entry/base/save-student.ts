import type { StudentCreated } from '../../../../contract/students/students.ts';
import { ApiError, call } from '../../../lib/api.ts';
import { pictureTooLargeText } from '../../../ui/fields/picture/picture-validation.ts';
import type { StudentValues } from './student-values.ts';

interface SaveStudentOptions {
  method: 'POST' | 'PUT';
  path: string;
  values: StudentValues;
  /** The selected portrait. It takes precedence over the one named in the text field. */
  file: File | null;
  idempotencyKey?: string;
  ifMatch?: string | undefined;
}

/** Saves a base record. A new one, or one with a file, is sent as a multipart form, otherwise as JSON. */
export async function saveStudent({
  method,
  path,
  values,
  file,
  ...options
}: SaveStudentOptions): Promise<StudentCreated> {
  const { img_file: _, ...texts } = values;
  if (file === null && method === 'PUT') return call(method, path, { ...options, body: texts });
  try {
    return await call(method, path, { ...options, body: toFormData(texts, file) });
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
