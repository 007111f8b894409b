import { describe, expect, it } from 'vitest';
import { hasReadableCategories, readCategories, singleCategory, writeCategories } from './setup-values.ts';

describe('the categories of a form', () => {
  it('are read as they were written', () => {
    const categories = [
      { ...singleCategory('Quizzes', 40, 10), category_id: 3 },
      singleCategory('ESE', 100, 90),
    ];
    const text = writeCategories(categories);
    expect(hasReadableCategories({ categories: text })).toBe(true);
    expect(readCategories(text)).toEqual(categories);
  });

  const quizzes = singleCategory('Quizzes', 40, 10);
  it.each([
    ['no JSON', 'Quizzes'],
    ['no list', '{}'],
    ['a category without components', JSON.stringify([{ ...quizzes, components: undefined }])],
    ['a weight that is a number', JSON.stringify([{ ...quizzes, weight: 10 }])],
    ['a component without full marks', JSON.stringify([{ ...quizzes, components: [{ name: 'Quiz 1' }] }])],
  ])('are not read from a draft with %s', (_, categories) => {
    expect(hasReadableCategories({ title: 'Physics', categories })).toBe(false);
    expect(readCategories(categories)).toEqual([]);
  });

  it('can be missing in a draft', () => {
    expect(hasReadableCategories({ title: 'Physics' })).toBe(true);
  });
});
