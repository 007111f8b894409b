import type { DecimalMark } from '../../../domain/columns/cells.ts';
import { QuestionField } from './question-field.tsx';

interface DecimalQuestionProps {
  /** Such as `67,5`. */
  text: string;
  value: DecimalMark | undefined;
  onChange: (decimal: DecimalMark) => void;
  error?: string | undefined;
}

/** Whether a comma separates two marks or is a decimal comma. */
export function DecimalQuestion({ text, value, onChange, error }: DecimalQuestionProps) {
  const [whole = '', part = ''] = text.split(',');
  return (
    <QuestionField
      question={`Is ${text} one mark or two?`}
      name="decimal"
      answers={[
        { value: 'comma', label: `One: ${whole}.${part}`, samples: [] },
        { value: 'point', label: `Two: ${whole} and ${part}`, samples: [] },
      ]}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === 'comma' ? 'comma' : 'point')}
      error={error}
    />
  );
}
