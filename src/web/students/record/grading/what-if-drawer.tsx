import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { CgpaExplanation, PlanReply } from '../../../../contract/grading/grading.ts';
import { planCgpa } from '../../../../domain/grading/degree.ts';
import { average } from '../../../../domain/grading/gpa.ts';
import { countSubjects, sumCounted } from '../../../../domain/grading/repeat-policy.ts';
import { Button } from '../../../ui/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { TextField } from '../../../ui/fields/input-fields.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { cgpaQuery, planQuery } from './grading-queries.ts';
import { PlannedCourses } from './planned-courses.tsx';
import { PlannedSemesters } from './planned-semesters.tsx';
import { MAX_CREDITS_LEFT, POINTS_ERROR, planText, readNumber } from './what-if-text.ts';

interface WhatIfDrawerProps {
  studentId: string;
  studentName: string;
  onClose: () => void;
}

/** Plans for a CGPA: what a target needs, and what follows from expected averages or grades. Nothing is stored. */
export function WhatIfDrawer({ studentId, studentName, onClose }: WhatIfDrawerProps) {
  const [attempt, setAttempt] = useState(0);
  const cgpa = useQuery(cgpaQuery(studentId));
  const plan = useQuery(planQuery(studentId));
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title="What if?"
      sub={studentName}
      bodyLabel="Planning of the CGPA"
      actions={
        <Button variant="quiet" size="sm" onClick={() => setAttempt((count) => count + 1)}>
          <RotateCcw />
          Reset
        </Button>
      }
    >
      <LoadError query={cgpa} />
      {cgpa.error === null && <LoadError query={plan} />}
      {cgpa.data && plan.data && <Planning key={attempt} explanation={cgpa.data} plan={plan.data} />}
    </Drawer>
  );
}

const MODES = [
  { value: 'semesters', label: 'By semester' },
  { value: 'courses', label: 'By course' },
] as const;

function Planning({ explanation, plan }: { explanation: CgpaExplanation; plan: PlanReply }) {
  const [mode, setMode] = useState<(typeof MODES)[number]['value']>('semesters');
  const done = sumCounted(countSubjects(explanation.lines, explanation.repeat_policy));
  return (
    <div className="grid gap-6">
      <section aria-label="Target" className="grid gap-3 rounded-panel border border-line bg-sunken p-4">
        <p>
          <b className="block font-[620] text-figure tracking-[-0.02em]">
            {done.credits === 0 ? '--' : average(done).toFixed(2)}
          </b>
          <span className="font-medium text-caption text-fg-3">
            CGPA now, over {done.credits} credit hours
          </span>
        </p>
        <Target plan={plan} done={done} />
      </section>
      <section aria-label="Expected results" className="grid gap-4">
        <div>
          <SegmentedControl label="Plan" options={MODES} value={mode} onChange={setMode} />
        </div>
        {mode === 'semesters' ? (
          <PlannedSemesters explanation={explanation} done={done} creditsLeft={plan.credits_left} />
        ) : (
          <PlannedCourses explanation={explanation} />
        )}
      </section>
      <p className="text-fg-3 text-label">
        Nothing here is saved. By grading policy {explanation.policy_id}.
      </p>
    </div>
  );
}

function Target({ plan, done }: { plan: PlanReply; done: ReturnType<typeof sumCounted> }) {
  const [targetText, setTargetText] = useState(plan.target.toFixed(2));
  const [creditsText, setCreditsText] = useState(String(plan.credits_left));
  const target = readNumber(targetText, { max: 4, decimals: 2 });
  const credits = readNumber(creditsText, { max: MAX_CREDITS_LEFT, decimals: 0 });
  const reply =
    target === undefined || credits === undefined
      ? undefined
      : { target, credits_left: credits, ...planCgpa(done, target, credits) };
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-4 md:max-w-100">
        <TextField
          label="Target CGPA"
          name="target"
          value={targetText}
          onChange={setTargetText}
          error={target === undefined ? POINTS_ERROR : undefined}
        />
        <TextField
          label="Credit hours to come"
          name="credits-left"
          inputMode="numeric"
          value={creditsText}
          onChange={setCreditsText}
          error={credits === undefined ? `A whole number of 0 to ${MAX_CREDITS_LEFT}.` : undefined}
        />
      </div>
      <p role="status">
        {reply && (
          <>
            <b className="font-[560]">{planText(reply)}</b>{' '}
            {reply.possible && reply.needed !== 0 && (
              <span className="text-fg-2">The best possible CGPA is {reply.best_possible.toFixed(2)}.</span>
            )}
          </>
        )}
      </p>
    </>
  );
}
