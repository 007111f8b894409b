import type { ReactNode } from 'react';
import { FieldError, fieldId } from './field.tsx';

interface QuestionFieldProps {
  question: ReactNode;
  /** The first answer takes the focus from the error summary. */
  name: string;
  answers: readonly Answer[];
  /** Empty until one is chosen. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

interface Answer {
  value: string;
  label: string;
  /** Texts of the file, such as the first cells of a column. */
  samples: readonly string[];
}

/** A question that a file leaves open, with one of several answers. */
export function QuestionField({ question, name, answers, value, onChange, error }: QuestionFieldProps) {
  const isOpen = answers.every((answer) => answer.value !== value);
  const id = fieldId(name);
  return (
    <fieldset
      className={`min-w-0 rounded-control border ${isOpen ? 'border-warn-line bg-warn-soft' : 'border-line'}`}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="sr-only">{question}</legend>
      <p aria-hidden="true" className={`px-3 pt-2.5 font-[560] text-label ${isOpen ? 'text-warn' : ''}`}>
        {question}
      </p>
      <div className="grid px-3 pb-1.5">
        {answers.map((answer, at) => (
          <label
            key={answer.value}
            className="flex min-h-8 cursor-pointer items-baseline gap-2.5 py-1 pointer-coarse:min-h-11"
          >
            <input
              id={at === 0 ? id : undefined}
              type="radio"
              name={name}
              value={answer.value}
              checked={answer.value === value}
              onChange={() => onChange(answer.value)}
              className="size-4 shrink-0 translate-y-0.5 accent-ink"
            />
            <span className="wrap-anywhere min-w-0 max-w-1/2">{answer.label}</span>
            <span className="min-w-0 flex-1 truncate text-fg-2 text-label">{answer.samples.join(' · ')}</span>
          </label>
        ))}
      </div>
      {error && (
        <div className="px-3 pb-2.5">
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      )}
    </fieldset>
  );
}
