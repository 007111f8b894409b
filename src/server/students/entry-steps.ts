import type { AcademicsStepReply } from '../../contract/students/academics.ts';
import type { FamilyStepReply } from '../../contract/students/students.ts';
import type { EntryState } from './queries.ts';

/** Whether the family step can be entered now; if not, where to continue. */
export function checkFamilyStep(state: EntryState | undefined): FamilyStepReply {
  if (state === undefined) {
    return { canProceed: false, redirectTo: 'base', message: 'Enter the base details of the student first.' };
  }
  if (!state.has_family) return { canProceed: true, message: '' };
  if (state.recorded_semesters < state.current_sem) {
    return {
      canProceed: false,
      redirectTo: 'academics',
      message: 'The family details are already there. Go on with the results.',
    };
  }
  return { canProceed: false, redirectTo: 'dashboard', message: 'This entry is already complete.' };
}

/** Whether results can be entered now, and of which semester. Lets an interrupted entry be continued. */
export function checkAcademicsStep(state: EntryState | undefined): AcademicsStepReply {
  const refused = { canProceed: false, redirectToDashboard: false, redirectToMain: false };
  if (state === undefined) {
    return { ...refused, redirectToMain: true, message: 'Enter the base details of the student first.' };
  }
  if (!state.has_family) return { ...refused, message: 'Enter the family details of the student first.' };
  if (state.recorded_semesters >= state.current_sem) {
    return {
      ...refused,
      redirectToDashboard: true,
      message: 'All semesters of this student have been recorded.',
    };
  }
  return { ...refused, canProceed: true, message: '', nextSemester: state.recorded_semesters + 1 };
}
