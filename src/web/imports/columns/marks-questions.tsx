import type { Import } from '../../../contract/imports.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { DecimalQuestion } from '../../ui/fields/decimal-question.tsx';
import { QuestionField } from '../../ui/fields/question-field.tsx';
import { assignField, type ColumnChoices, columnLetter } from './column-choices.ts';

interface MarksQuestionsProps {
  item: Import;
  choices: ColumnChoices;
  onChange: (choices: ColumnChoices) => void;
}

/** The open questions of a file with marks: which column has them, the meaning of its commas, and the marks of absent students. */
export function MarksQuestions({ item, choices, onChange }: MarksQuestionsProps) {
  if (item.kind !== 'marks') return null;
  const candidates = item.columns.filter(({ may_have_marks }) => may_have_marks);
  const at = choices.fields.indexOf('marks');
  const absent = item.columns[at]?.absent ?? [];
  if (candidates.length === 0 && item.decimal_sample === null && absent.length === 0) return null;
  return (
    <div className="grid max-w-160 gap-3">
      {candidates.length > 0 && (
        <QuestionField
          question="Which column has the marks?"
          name="columns"
          answers={candidates.map(({ index, heading, samples }) => ({
            value: String(index),
            label: heading === '' ? `Column ${columnLetter(index)}` : heading,
            samples,
          }))}
          value={String(at)}
          onChange={(index) => onChange(assignField(choices, Number(index), 'marks'))}
        />
      )}
      {item.decimal_sample !== null && (
        <DecimalQuestion
          text={item.decimal_sample}
          value={choices.decimal}
          onChange={(decimal) => onChange({ ...choices, decimal })}
        />
      )}
      {absent.length > 0 && (
        <CheckBox
          name="absent"
          isChecked={choices.absent === 'leave_out'}
          onChange={(isChecked) => onChange({ ...choices, absent: isChecked ? 'leave_out' : 'refuse' })}
          className="text-label"
        >
          {`Some rows say ${absent.join(' or ')}: leave them out`}
        </CheckBox>
      )}
    </div>
  );
}
