import type { ColumnChoice, ParsedMarks } from '../../../domain/marks.ts';
import { DecimalQuestion } from '../../ui/fields/decimal-question.tsx';
import { QuestionField } from '../../ui/fields/question-field.tsx';

interface MarksQuestionsProps {
  parsed: ParsedMarks;
  onColumn: (column: string) => void;
  onDecimal: (decimal: string) => void;
  /** Why a save was refused: a question is open. */
  error: string | undefined;
}

/** The questions that the text leaves open. Nothing is read before they are answered. */
export function MarksQuestions({ parsed, onColumn, onDecimal, error }: MarksQuestionsProps) {
  const { columnChoice, decimalChoice } = parsed;
  return (
    <>
      {decimalChoice !== null && (
        <DecimalQuestion
          text={decimalChoice.text}
          value={decimalChoice.chosen ?? undefined}
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

const columnAnswers = ({ candidates }: ColumnChoice) =>
  candidates.map(({ column, name, samples }) => ({
    value: String(column),
    label: name === '' ? `Column ${column}` : name,
    samples,
  }));
