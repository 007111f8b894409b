import { Stepper } from '../ui/page/stepper.tsx';

const STEPS = [
  ['file', 'File'],
  ['columns', 'Columns'],
  ['preview', 'Preview'],
  ['import', 'Import'],
] as const;

/** How far an import has come. */
export function ImportSteps({ current }: { current: (typeof STEPS)[number][0] | 'done' }) {
  return <Stepper steps={STEPS} current={current} />;
}
