import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { useState } from 'react';
import type { AuditQuery, AuditReply } from '../../../../contract/schemes/audit.ts';
import { DEPARTMENT_CODES } from '../../../../domain/student.ts';
import { Form } from '../../../forms/form.tsx';
import { departmentName } from '../../../lib/format.ts';
import { oneOf } from '../../../lib/one-of.ts';
import { useCurrentUser } from '../../../lib/session.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/fields/input-fields.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { TableSkeleton } from '../../../ui/skeleton.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { useStudentId } from '../../student-redirects.ts';
import { auditQuery } from './audit-queries.ts';
import { AuditRows } from './audit-rows.tsx';
import { CreditsBar } from './credits-bar.tsx';
import { TakeBackDialog } from './exception-dialog.tsx';
import { OutsideCredits } from './outside-credits.tsx';
import { verdictTexts } from './row-states.ts';

/** What a student has of the scheme of studies, and what is missing for the degree. */
export function SchemeTab() {
  const studentId = useStudentId();
  return <Audited key={studentId} studentId={studentId} />;
}

function Audited({ studentId }: { studentId: string }) {
  /** The class that the audit is asked for; undefined for the student's own. */
  const [asked, setAsked] = useState<Required<AuditQuery>>();
  const query = useQuery(auditQuery(studentId, asked));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {asked && (
        <Alert tone="warn">
          <p>
            As it would be in {asked.department}-{asked.degree}. Nothing is changed.
          </p>
          <Button size="sm" className="mt-2.5 text-fg" onClick={() => setAsked(undefined)}>
            Back to the own class
          </Button>
        </Alert>
      )}
      <LoadError query={query} />
      {query.data ? (
        <Audit studentId={studentId} audit={query.data} isOwn={asked === undefined} />
      ) : (
        query.isPending && <TableSkeleton />
      )}
      <OtherClass onAsk={setAsked} />
    </div>
  );
}

interface AuditProps {
  studentId: string;
  audit: AuditReply;
  /** Of the student's own class, so that exceptions can be made. */
  isOwn: boolean;
}

function Audit({ studentId, audit, isOwn }: AuditProps) {
  const { scheme, credits, rows, extra } = audit;
  const [verdict, parts] = verdictTexts(audit);
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-7 gap-y-3">
        <div>
          <p>
            <b className="font-[660] text-[1.75rem] leading-9">{credits.total}</b>{' '}
            <span className="font-[540] text-section">of {credits.required} credits</span>
          </p>
          {scheme && (
            <p className="text-fg-2 text-label">
              <Link
                to="/settings/schemes/$schemeId"
                params={{ schemeId: String(scheme.scheme_id) }}
                className="link link-quiet wrap-anywhere"
              >
                Scheme No. {scheme.number}, {scheme.name}
              </Link>
            </p>
          )}
        </div>
        <CreditsBar audit={audit} />
      </div>
      {scheme === null ? (
        <EmptyState
          title="No scheme is in force for this class."
          text="Until an administrator puts one in force, it is not known which rows are passed and which are lacking."
        />
      ) : (
        <>
          <p
            role="status"
            className="flex gap-2.5 rounded-panel border border-line bg-sunken px-3.5 py-2.75 leading-5.5"
          >
            <Info className="mt-1 size-4 shrink-0 text-fg-3" />
            <span>
              <b className="font-semibold">{verdict}</b> {parts}
            </span>
          </p>
          {rows.length > 0 && <AuditRows studentId={studentId} audit={audit} isOwn={isOwn} />}
          {extra.length > 0 && (
            <section aria-labelledby="extra-heading">
              <h2 id="extra-heading" className="mb-2">
                Passed courses that fill no row
              </h2>
              <ul>
                {extra.map(({ course_id, title, letter, credits: own, semester, slot }) => (
                  <li
                    key={`${course_id} ${semester} ${slot}`}
                    className="flex flex-wrap gap-x-3 border-line border-b py-2"
                  >
                    <span className="wrap-anywhere font-[560]">{title}</span>
                    <span className="text-fg-2">
                      {letter} in semester {semester}
                      {own !== null && `, ${own} credits`}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
      {isOwn && <UnusedExceptions studentId={studentId} audit={audit} />}
      {isOwn && <OutsideCredits studentId={studentId} audit={audit} />}
    </>
  );
}

/** Exceptions for rows that the scheme does not have. They hold again under a scheme that has them. */
function UnusedExceptions({ studentId, audit }: Pick<AuditProps, 'studentId' | 'audit'>) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [takenBack, setTakenBack] = useState<AuditReply['exceptions'][number]>();
  const unused = audit.exceptions.filter((one) => one.unused);
  if (unused.length === 0) return null;
  return (
    <section aria-labelledby="unused-heading">
      <h2 id="unused-heading" className="mb-2">
        Exceptions that wait
      </h2>
      <ul>
        {unused.map((one) => (
          <li
            key={one.exception_id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2"
          >
            <b className="font-[560]">{one.row}</b>
            <Tag tone="warn">The scheme has no such row</Tag>
            <span className="wrap-anywhere min-w-0 flex-1 text-fg-2">
              {one.course_id === null ? 'Waived' : 'Substituted'} by {one.by.name}: {one.reason}
            </span>
            {isAdmin && (
              <Button size="sm" onClick={() => setTakenBack(one)}>
                Take back
              </Button>
            )}
          </li>
        ))}
      </ul>
      {takenBack && (
        <TakeBackDialog studentId={studentId} exception={takenBack} onClose={() => setTakenBack(undefined)} />
      )}
    </section>
  );
}

const DEPARTMENTS = DEPARTMENT_CODES.map((value) => ({ value, label: departmentName(value) }));

/** Asks how it would be in another class, such as before a change of department. */
function OtherClass({ onAsk }: { onAsk: (ofClass: Required<AuditQuery>) => void }) {
  const [department, setDepartment] = useState('');
  const [degree, setDegree] = useState('');
  const chosen = oneOf(DEPARTMENT_CODES, department);
  return (
    <details className="screen-only rounded-panel border border-line px-4 py-2.5">
      <summary className="min-h-6 cursor-pointer font-[560]">How it would be in another class</summary>
      <Form
        className="mt-3 mb-1.5 flex flex-wrap items-end gap-3"
        onSubmit={() => {
          if (chosen !== undefined && degree.trim() !== '')
            onAsk({ department: chosen, degree: degree.trim() });
          window.scrollTo(0, 0);
        }}
      >
        <SelectField
          label="Department"
          name="audit_department"
          value={department}
          placeholder="Select a department"
          options={DEPARTMENTS}
          onChange={setDepartment}
          required
          className="max-xs:w-full"
        />
        <TextField
          label="Batch"
          name="audit_degree"
          value={degree}
          onChange={setDegree}
          maxLength={20}
          required
          className="w-28"
        />
        <Button type="submit" disabled={chosen === undefined || degree.trim() === ''}>
          Show the audit
        </Button>
      </Form>
    </details>
  );
}
