import type { ColumnChoice, DecimalChoice, ParsedMarks } from '../../../domain/marks.ts';
import { QuestionField } from '../../ui/fields/question-field.tsx';

interface MarksQuestionsProps {
  parsed: ParsedMarks;
  onColumn: (column: string) => void;
  onDecimal: (decimal: string) => void;
  /** Of a save that was refused because of an open question. */
  error: string | undefined;
}

/** What the text leaves open, in place: nothing is read before it is answered. */
export function MarksQuestions({ parsed, onColumn, onDecimal, error }: MarksQuestionsProps) {
  const { columnChoice, decimalChoice } = parsed;
  return (
    <>
      {decimalChoice !== null && (
        <QuestionField
          question={`Is ${decimalChoice.text} one mark or two?`}
          name="decimal"
          answers={decimalAnswers(decimalChoice)}
          value={decimalChoice.chosen ?? ''}
          onChange={onDecimal}
          error={decimalChoice.chosen === null ? error : undefined}
        />
      )}
      {columnChoice !== null && (
        <QuestionField
          question="Which column has the marks?"
          name="columns"
          answers={columnAnswers(columnChoice)}
          value={String(columnChoice.chosen ?? '')}
          onChange={onColumn}
          error={columnChoice.chosen === null ? error : undefined}
        />
      )}
    </>
  );
}

function decimalAnswers({ text }: DecimalChoice) {
  const [whole = '', part = ''] = text.split(',');
  return [
    { value: 'comma', label: `One: ${whole}.${part}`, samples: [] },
    { value: 'point', label: `Two: ${whole} and ${part}`, samples: [] },
  ];
}

const columnAnswers = ({ candidates }: ColumnChoice) =>
  candidates.map(({ column, name, samples }) => ({
    value: String(column),
    label: name === '' ? `Column ${column}` : name,
    samples,
  }));
