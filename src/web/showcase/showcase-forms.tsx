import { useState } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Steps } from '../ui/steps.tsx';
import { ShowcaseSection } from './showcase-parts.tsx';

const LABELS = { sample_empty: 'Error', sample_taken: 'Error, with a value' };
const NONE = {};

export function ShowcaseForms() {
  const [errors, setErrors] = useState<Partial<Record<string, string>>>(NONE);
  return (
    <ShowcaseSection title="Forms">
      <div className="grid max-w-(--form-max) grid-cols-[minmax(0,1fr)] gap-5">
        <Steps current="base" />
        <Steps current="family" />
        <Steps current="academics" />
        <div>
          <ErrorSummary errors={errors} labels={LABELS} />
          <Button onClick={() => setErrors({ sample_empty: 'Required', sample_taken: 'Already taken' })}>
            Show the errors
          </Button>
        </div>
        <Alert>The server could not be reached. Nothing was lost; try again.</Alert>
        <Alert tone="warn">Loading was cancelled.</Alert>
      </div>
    </ShowcaseSection>
  );
}
