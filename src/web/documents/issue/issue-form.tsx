import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileBadge, FileSearch } from 'lucide-react';
import { useState } from 'react';
import type {
  DocumentBatch,
  DocumentsInput,
  DocumentsPreview,
} from '../../../contract/documents/documents.ts';
import { DOCUMENT_KINDS, DOCUMENT_TITLES, type DocumentKind } from '../../../domain/documents/kinds.ts';
import { SEMESTER_COUNT } from '../../../domain/student.ts';
import { Form } from '../../forms/form.tsx';
import { keepErrorText } from '../../forms/messages/error-texts.ts';
import { hasReason } from '../../forms/reason-field.tsx';
import { useTask } from '../../forms/use-task.ts';
import { refusalText } from '../../lib/api.ts';
import { callAddress } from '../../lib/call.ts';
import { oneOf } from '../../lib/one-of.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type DocumentStudents, documentsText } from '../document-labels.ts';
import { issuePreviewQuery, issuingInstitutionQuery } from '../document-queries.ts';
import { HeldPaper } from './held-panel.tsx';
import { RefusedStudents } from './refused-students.tsx';

interface IssueFormProps {
  students: DocumentStudents;
  studentName: string | undefined;
  initialSemester: number | undefined;
  /** Sends what is to be issued. */
  send: (body: DocumentsInput) => Promise<DocumentBatch>;
  issuing: ReturnType<typeof useTask<DocumentBatch, DocumentsInput>>;
  onCancel: () => void;
}

const SEMESTERS = Array.from({ length: SEMESTER_COUNT }, (_, i) => ({
  value: String(i + 1),
  label: `Semester ${i + 1}`,
}));

/** The choice of the document, and the students who get none with the reasons. */
export function IssueForm({
  students,
  studentName,
  initialSemester,
  send,
  issuing,
  onCancel,
}: IssueFormProps) {
  const [kind, setKind] = useState<DocumentKind>('transcript');
  const [semester, setSemester] = useState(initialSemester === undefined ? '' : String(initialSemester));
  const [wantsOfficial, setOfficial] = useState(true);
  const [purpose, setPurpose] = useState('');
  const [to, setTo] = useState('');
  const [portrait, setPortrait] = useState(false);
  const [isPreviewSaved, setIsPreviewSaved] = useState(false);

  const institution = useQuery(issuingInstitutionQuery);
  const isUnnamed = institution.data !== undefined && institution.data.name === null;
  const official = wantsOfficial && !isUnnamed;

  const isComplete = kind === 'transcript' || semester !== '';
  const choice = { kind, ...(kind === 'result-card' && { semester: Number(semester) }), ...students };
  const preview = useQuery(issuePreviewQuery(isComplete ? { ...choice, official } : undefined));
  const count = preview.data?.students ?? 0;
  /** The only student, where a hold blocks the paper. */
  const held = studentName === undefined ? undefined : preview.data?.refused.find(({ holds }) => holds);
  const [overrideReason, setOverrideReason] = useState<string>();
  const override = held === undefined ? undefined : overrideReason;
  const canIssue = count > 0 || (override !== undefined && hasReason(override));

  const body = { ...choice, purpose, to, portrait, ...(override !== undefined && { override }) };
  const previewing = useTask({
    run: async () => {
      setIsPreviewSaved(false);
      const { batch_id } = await send({ ...body, official: false });
      // Saved, since the content security policy keeps PDFs out of tabs.
      const address = callAddress('GET /api/documents/batches/:batch_id.pdf', { params: { batch_id } });
      setIsPreviewSaved(await saveFile(address, `preview-${students.ids?.[0]}.pdf`));
    },
    failure: 'The preview could not be made. Try again.',
    rewrite: keepErrorText,
  });
  const problem = issuing.problem ?? previewing.problem;

  return (
    <Form
      onSubmit={() => {
        if (!canIssue) return;
        previewing.reset();
        issuing.start({ ...body, official });
      }}
      className="flex min-h-0 flex-auto flex-col"
    >
      <div className="grid min-h-0 flex-auto content-start gap-4 overflow-y-auto px-5 pt-0.5 pb-4">
        {studentName !== undefined && (
          <p className="text-fg-2">
            <bdi>{studentName}</bdi>, {students.ids?.[0]}
          </p>
        )}
        {problem !== undefined && <Alert>{problem}</Alert>}
        {held && (
          <HeldPaper
            held={held}
            override={override}
            error={issuing.errors.override}
            onOverride={setOverrideReason}
          />
        )}
        <div className="grid gap-4 xs:grid-cols-2">
          <SelectField
            label="Document"
            name="document-kind"
            value={kind}
            onChange={(value) => setKind(oneOf(DOCUMENT_KINDS, value) ?? 'transcript')}
            options={DOCUMENT_KINDS.map((value) => ({ value, label: DOCUMENT_TITLES[value] }))}
          />
          {kind === 'result-card' && (
            <SelectField
              label="Semester"
              name="document-semester"
              value={semester}
              onChange={setSemester}
              placeholder={initialSemester === undefined ? 'Select …' : undefined}
              options={SEMESTERS}
              required
            />
          )}
        </div>
        <fieldset className="grid gap-2 xs:grid-cols-2">
          <legend className="sr-only">Official or not</legend>
          <OfficialChoice
            name="Official"
            text={
              held && official ? 'Blocked by the hold' : 'Serial, code to verify it, entry in the register'
            }
            isChosen={official}
            isDisabled={isUnnamed}
            onChoose={() => setOfficial(true)}
          />
          <OfficialChoice
            name="Unofficial"
            text="Watermark; may show provisional results"
            isChosen={!official}
            onChoose={() => setOfficial(false)}
          />
        </fieldset>
        {isUnnamed && <NameFirst />}
        {official && (
          <div className="grid gap-4 xs:grid-cols-2">
            <TextField
              label="Purpose (optional)"
              name="document-purpose"
              value={purpose}
              onChange={setPurpose}
              maxLength={255}
              placeholder="Visa, employment, own use"
            />
            <TextField
              label="Recipient (optional)"
              name="document-recipient"
              value={to}
              onChange={setTo}
              maxLength={255}
              placeholder="Embassy, employer"
            />
            <p className="col-span-full -mt-2 text-fg-3 text-label">
              Purpose and recipient stand in the register, not on the document.
            </p>
          </div>
        )}
        <CheckBox isChecked={portrait} onChange={setPortrait}>
          Show the portrait
        </CheckBox>
        <div role="status">
          {isPreviewSaved && <p className="text-fg-2">The preview has been saved. Nothing was issued.</p>}
          {isComplete && (
            <WhoGetsOne
              kind={kind}
              official={official}
              isOne={studentName !== undefined}
              isHeld={held !== undefined}
              preview={preview.data}
              problem={
                preview.error === null ? undefined : refusalText(preview.error, 'Nothing could be read.')
              }
            />
          )}
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-line border-t bg-sunken px-5 py-3 max-xs:*:grow">
        {studentName !== undefined && !held && (
          <Button
            variant="quiet"
            className="me-auto"
            processing={previewing.isRunning}
            disabled={count === 0}
            onClick={() => {
              issuing.reset();
              previewing.start();
            }}
          >
            <FileSearch />
            Save preview
          </Button>
        )}
        {held && !canIssue && (
          <p className="me-auto self-center text-fg-3 text-label">
            Nothing can be issued while the hold is active.
          </p>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" processing={issuing.isRunning} disabled={!canIssue}>
          <FileBadge />
          {official ? 'Issue' : 'Make'}{' '}
          {studentName !== undefined || count === 0 ? '' : documentsText(kind, count)}
        </Button>
      </div>
    </Form>
  );
}

interface OfficialChoiceProps {
  name: string;
  text: string;
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose: () => void;
}

const SettingsLink = () => (
  <Link to="/settings" className="link inline-flex min-h-6 items-center">
    Open the settings
  </Link>
);

/** Why there are no official documents yet, and where that is mended. */
function NameFirst() {
  const isAdmin = useCurrentUser()?.role === 'admin';
  return (
    <Alert tone="warn">
      {isAdmin ? (
        <>
          Official documents need the name of the institution. <SettingsLink />
        </>
      ) : (
        'Official documents need the name of the institution. An administrator enters it in the settings.'
      )}
    </Alert>
  );
}

function OfficialChoice({ name, text, isChosen, isDisabled = false, onChoose }: OfficialChoiceProps) {
  const id = `document-${name.toLowerCase()}`;
  return (
    <label className="flex cursor-pointer gap-2.5 rounded-control border border-line-2 px-3.5 py-2.5 has-checked:border-ink has-disabled:cursor-not-allowed has-checked:bg-ink-soft has-disabled:bg-press">
      <input
        type="radio"
        name="document-official"
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        aria-labelledby={id}
        aria-describedby={`${id}-text`}
        className="mt-0.5 size-4.5 shrink-0 accent-ink"
      />
      <span className="min-w-0">
        <span id={id} className="block font-[560]">
          {name}
        </span>
        <span id={`${id}-text`} className="block text-fg-2 text-label">
          {text}
        </span>
      </span>
    </label>
  );
}

interface WhoGetsOneProps {
  kind: DocumentKind;
  official: boolean;
  isOne: boolean;
  /** What keeps the only student from it stands above. */
  isHeld: boolean;
  preview: DocumentsPreview | undefined;
  problem: string | undefined;
}

function WhoGetsOne({ kind, official, isOne, isHeld, preview, problem }: WhoGetsOneProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  if (problem !== undefined) return <Alert>{problem}</Alert>;
  if (preview === undefined) return <Skeleton width={180} />;
  const [first] = preview.refused;
  const isProvisional = official && preview.refused.some(({ reason }) => reason.includes('provisional'));
  return (
    <div className="grid gap-3">
      {isOne
        ? first &&
          !isHeld && (
            <Alert tone="warn">
              {first.reason} {isProvisional && 'An unofficial document can show them.'}
            </Alert>
          )
        : preview.students > 0 && (
            <p>{documentsText(kind, preview.students, official)}, in the order of the IDs.</p>
          )}
      {!isOne && <RefusedStudents refused={preview.refused} />}
      {preview.warnings.map(({ rule, text }) => (
        <Alert key={rule} tone="warn">
          {text} {rule === 'address' && isAdmin && <SettingsLink />}
        </Alert>
      ))}
      {!isOne && isProvisional && (
        <p className="text-fg-2">Unofficial documents can show provisional results.</p>
      )}
    </div>
  );
}
