import { Check, CircleAlert, Minus } from 'lucide-react';
import { GRADE_LETTERS } from '../../domain/grade-scale.ts';
import { GradeBox, Tag } from '../ui/small-parts.tsx';
import { Row, Sample, ShowcaseSection } from './showcase-parts.tsx';

export function ShowcaseSmallParts() {
  return (
    <ShowcaseSection title="Small parts">
      <Row>
        {GRADE_LETTERS.map((letter) => (
          <Sample key={letter} name={letter === 'F' ? 'Fail' : 'Grade'}>
            <GradeBox letter={letter} />
          </Sample>
        ))}
        <Sample name="Check">
          <Tag tone="ok" icon={<Check strokeWidth={2.25} aria-hidden="true" />}>
            Ready
          </Tag>
        </Sample>
        <Sample name="Check">
          <Tag tone="warn" icon={<Minus strokeWidth={2.25} aria-hidden="true" />}>
            Already in the list
          </Tag>
        </Sample>
        <Sample name="Check">
          <Tag tone="danger" icon={<CircleAlert strokeWidth={2.25} aria-hidden="true" />}>
            Required
          </Tag>
        </Sample>
        <Sample name="Neutral">
          <Tag>You</Tag>
        </Sample>
      </Row>
    </ShowcaseSection>
  );
}
