import { type ChangeEvent, type KeyboardEvent, useState } from 'react';

/**
 * Fields for numbers that are taken together when one of them is left or Enter is pressed. What was typed ends with any change
 * of the numbers.
 *
 * @param shown the numbers as texts
 * @param take answers what is wrong with the typed numbers; an empty field or other text is NaN
 */
export function useNumberFields(
  shown: readonly string[],
  take: (numbers: readonly number[]) => string | undefined,
) {
  const untouched: { base: string; texts: readonly string[]; fault: string | undefined } = {
    base: shown.join(' '),
    texts: shown,
    fault: undefined,
  };
  const [stored, setTyped] = useState(untouched);
  const isOutdated = stored.base !== untouched.base;
  if (isOutdated) setTyped(untouched);
  const typed = isOutdated ? untouched : stored;

  const takeTyped = () => {
    const numbers = typed.texts.map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
    setTyped({ ...typed, fault: take(numbers) });
  };
  return {
    fault: typed.fault,
    fields: typed.texts.map((value, i) => ({
      type: 'number',
      inputMode: 'decimal' as const,
      step: 'any',
      value,
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        setTyped({ ...typed, texts: typed.texts.with(i, event.target.value) }),
      onBlur: takeTyped,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter') takeTyped();
      },
    })),
  };
}
