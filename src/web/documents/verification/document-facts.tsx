import type { ReactNode } from 'react';
import type { Verification } from '../../../contract/documents/verification.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { formatCount, formatDate, formatGradePoints } from '../../lib/format.ts';

/** The facts on the document. A revoked one has neither name nor results. */
export function DocumentFacts({ verification }: { verification: Verification }) {
  const { student_name, student_id, programme, credits, cgpa, sgpas } = verification;
  return (
    <dl className="verify-facts">
      {student_name !== null && (
        <Fact name="Name" size="large">
          <bdi>{student_name}</bdi>
        </Fact>
      )}
      {student_id !== null && <Fact name="CMS ID">{student_id}</Fact>}
      <Fact name="Document" size="large">
        {DOCUMENT_TITLES[verification.kind]}
      </Fact>
      <Fact name="Serial">
        <span className="whitespace-nowrap font-mono text-body">{verification.serial}</span>
      </Fact>
      {programme !== null && (
        <Fact name="Degree" size="full">
          {programme}{' '}
          <small>
            {semestersText(verification)}
            {verification.provisional && ', provisional: the degree is in progress'}
          </small>
        </Fact>
      )}
      {credits !== null && <Fact name="Credits">{formatCount(credits)}</Fact>}
      {cgpa !== null && (
        <Fact name="CGPA">
          {formatGradePoints(cgpa)} <small>of 4.00</small>
        </Fact>
      )}
      <Fact name="Issued">{formatDate(verification.issued_on)}</Fact>
      {sgpas.length > 0 && (
        <Fact name="SGPA of each semester" size="full">
          <span className="verify-sgpas">
            {sgpas.map(({ semester, sgpa }) => (
              <span key={semester}>
                <small>
                  <span className="sr-only">Semester </span>
                  {semester}
                  <span className="sr-only">:</span>
                </small>{' '}
                {formatGradePoints(sgpa)}
              </span>
            ))}
          </span>
        </Fact>
      )}
    </dl>
  );
}

function semestersText({ kind, semester }: Verification): string {
  if (semester === null) return '';
  return kind === 'result-card' || semester === 1 ? `semester ${semester}` : `semesters 1 to ${semester}`;
}

interface FactProps {
  name: string;
  size?: 'small' | 'large' | 'full';
  children: ReactNode;
}

function Fact({ name, size = 'small', children }: FactProps) {
  return (
    <div data-size={size}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
