import { courseCalls } from './courses.ts';
import { classDocumentCalls } from './documents/class-documents.ts';
import { insightCalls } from './insights.ts';
import { confirmationCalls } from './marksheets/confirmation.ts';
import { sheetGradingCalls } from './marksheets/grading.ts';
import { sheetCalls } from './marksheets/sheet-calls.ts';
import { sampleDataCalls } from './sample-data.ts';
import { termCalls } from './terms.ts';

/** Every call of the API. The server registers them group by group; the browser uses only the type of this object. */
export const allCalls = {
  ...classDocumentCalls.calls,
  ...confirmationCalls.calls,
  ...courseCalls.calls,
  ...insightCalls.calls,
  ...sampleDataCalls.calls,
  ...sheetCalls.calls,
  ...sheetGradingCalls.calls,
  ...termCalls.calls,
};
