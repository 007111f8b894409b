import type { StudentCreated } from '../../contract/students.ts';
import { ApiError, call } from '../api.ts';
import { pictureTooLarge } from '../ui/picture-file.ts';
import type { StudentValues } from './student-values.ts';

interface StudentToSend {
  method: 'POST' | 'PUT';
  path: string;
  values: StudentValues;
  /** The portrait, where one was chosen. It goes before the one that is named in text. */
  file: File | null;
  idempotencyKey?: string;
  ifMatch?: string | undefined;
}

/** Saves a base record: a new one as a form, an edit as a form when there is a file to send and as JSON otherwise. */
export async function sendStudent({
  method,
  path,
  values,
  file,
  ...options
}: StudentToSend): Promise<StudentCreated> {
  const { img_file: _, ...texts } = values;
  if (file === null && method === 'PUT') return call(method, path, { ...options, body: texts });
  try {
    return await call(method, path, { ...options, body: formOf(texts, file) });
  } catch (error) {
    throw file !== null && error instanceof ApiError ? atTheFile(error) : error;
  }
}

function formOf(texts: Omit<StudentValues, 'img_file'>, file: File | null): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  if (file !== null) form.set('img', file);
  return form;
}

/** What is said of the portrait belongs to the file that was sent, not to the text field beside it. */
function atTheFile(error: ApiError): ApiError {
  const { status, message, errors } = error;
  if (status === 413) {
    return new ApiError(422, message, { errors: { img_file: [pictureTooLarge('student portrait')] } });
  }
  const { img, ...others } = errors;
  return img === undefined ? error : new ApiError(status, message, { errors: { ...others, img_file: img } });
}
