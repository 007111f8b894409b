import { userCalls } from './accounts/accounts.ts';
import { invitationCalls } from './accounts/invitations.ts';
import { passwordCalls } from './accounts/passwords.ts';
import { pictureCalls } from './accounts/pictures.ts';
import { registrationCalls } from './accounts/registration.ts';
import { sessionCalls } from './accounts/sessions.ts';
import { signInCalls } from './accounts/sign-in.ts';
import { courseCalls } from './courses.ts';
import { classDocumentCalls } from './documents/class-documents.ts';
import { documentCalls } from './documents/documents.ts';
import { ownCopyCalls } from './documents/own-copy.ts';
import { verificationCalls } from './documents/verification.ts';
import { gradingCalls } from './grading/grading.ts';
import { policyCalls } from './grading/policies.ts';
import { reportCalls } from './grading/reports.ts';
import { historyCalls } from './history.ts';
import { homeCalls } from './home.ts';
import { importCalls } from './import-calls.ts';
import { insightCalls } from './insights.ts';
import { institutionCalls } from './installation/institution.ts';
import { sampleDataCalls } from './installation/sample-data.ts';
import { serverCalls } from './installation/server.ts';
import { attendanceCalls, shortageCalls } from './marksheets/attendance.ts';
import { confirmationCalls } from './marksheets/confirmation.ts';
import { sheetGradingCalls } from './marksheets/grading.ts';
import { openingCalls } from './marksheets/openings.ts';
import { sheetRegistrationCalls } from './marksheets/registrations.ts';
import { sheetCalls } from './marksheets/sheet-calls.ts';
import { auditCalls } from './schemes/audit.ts';
import { equivalentCalls } from './schemes/equivalents.ts';
import { schemeCalls } from './schemes/schemes.ts';
import { academicCalls } from './students/academics.ts';
import { bulkCalls } from './students/bulk.ts';
import { exportCalls } from './students/export.ts';
import { idChangeCalls } from './students/former-ids.ts';
import { holdCalls } from './students/holds.ts';
import { viewCalls } from './students/saved-views.ts';
import { studentListCalls } from './students/student-list.ts';
import { studentCalls } from './students/students.ts';
import { termCalls } from './terms.ts';

/** Every call of the API. The server registers them group by group; the browser uses only the type of this object. */
export const allCalls = {
  ...academicCalls.calls,
  ...auditCalls.calls,
  ...bulkCalls.calls,
  ...classDocumentCalls.calls,
  ...confirmationCalls.calls,
  ...courseCalls.calls,
  ...documentCalls.calls,
  ...equivalentCalls.calls,
  ...exportCalls.calls,
  ...gradingCalls.calls,
  ...historyCalls.calls,
  ...holdCalls.calls,
  ...homeCalls.calls,
  ...idChangeCalls.calls,
  ...importCalls.calls,
  ...insightCalls.calls,
  ...institutionCalls.calls,
  ...invitationCalls.calls,
  ...openingCalls.calls,
  ...ownCopyCalls.calls,
  ...passwordCalls.calls,
  ...pictureCalls.calls,
  ...policyCalls.calls,
  ...registrationCalls.calls,
  ...reportCalls.calls,
  ...sampleDataCalls.calls,
  ...schemeCalls.calls,
  ...serverCalls.calls,
  ...sessionCalls.calls,
  ...sheetCalls.calls,
  ...sheetGradingCalls.calls,
  ...attendanceCalls.calls,
  ...shortageCalls.calls,
  ...sheetRegistrationCalls.calls,
  ...signInCalls.calls,
  ...studentCalls.calls,
  ...studentListCalls.calls,
  ...termCalls.calls,
  ...userCalls.calls,
  ...verificationCalls.calls,
  ...viewCalls.calls,
};
