import type { Academic } from '../../../contract/students/academics.ts';
import { useProvisionalSemesters } from './grading/provisional.tsx';
import { totalCredits } from './subject-result.tsx';
import { SubjectsTable } from './subjects-table.tsx';

/** All semesters with their subjects, on paper only: on screen they are in a drawer. */
export function PrintedResults({ studentId, results }: { studentId: string; results: readonly Academic[] }) {
  const provisional = useProvisionalSemesters(studentId);
  if (results.length === 0) return null;
  return (
    <section className="print-only mt-6">
      <h2 className="pb-2">Results</h2>
      {results.map((result) => (
        <section key={result.academic_id} className="unbroken pb-5">
          <h3 className="pb-1.5 font-semibold">
            Semester {result.semester}: SGPA {result.sgpa.toFixed(2)}, CGPA {result.cgpa.toFixed(2)},{' '}
            {totalCredits(result)} credit hours
            {provisional.includes(result.semester) && ', provisional'}
          </h3>
          <SubjectsTable result={result} />
        </section>
      ))}
    </section>
  );
}
