import type { SheetCategory } from '../../../contract/marksheets/sheets.ts';
import { inHundredths } from '../../../domain/hundredths.ts';
import { displayErrorText } from '../../forms/messages/error-texts.ts';

/** A component as it is typed. */
export interface ComponentValues {
  component_id?: number;
  name: string;
  max: string;
  bonus: boolean;
}

/** A category as it is typed. */
export interface CategoryValues {
  category_id?: number;
  name: string;
  weight: string;
  /** Empty for all. */
  best_of: string;
  components: ComponentValues[];
}

/** A category with one component: the usual case, and named once. */
export const singleCategory = (name: string, max: number, weight: number): CategoryValues => ({
  name,
  weight: String(weight),
  best_of: '',
  components: [{ name, max: String(max), bonus: false }],
});

const THEORY: readonly CategoryValues[] = [
  singleCategory('Quizzes', 40, 10),
  singleCategory('Assignments', 30, 10),
  singleCategory('OHT 1', 30, 15),
  singleCategory('OHT 2', 30, 15),
  singleCategory('ESE', 100, 50),
];
const THEORY_SHARE = 0.75;

/** Usual set-ups; with a lab the theory is three quarters. */
export const TEMPLATES: readonly { name: string; categories: readonly CategoryValues[] }[] = [
  { name: 'Theory', categories: THEORY },
  {
    name: 'Theory with lab',
    categories: [
      ...THEORY.map((one) => ({ ...one, weight: String(THEORY_SHARE * Number(one.weight)) })),
      singleCategory('Lab', 50, 25),
    ],
  },
];

export const toCategoryValues = ({ category_id, name, weight, best_of, components }: SheetCategory) => ({
  category_id,
  name,
  weight: String(weight),
  best_of: String(best_of ?? ''),
  components: components.map(({ component_id, max, bonus, ...component }) => ({
    ...component,
    component_id,
    max: String(max),
    bonus: bonus === true,
  })),
});

/** The set-up of another sheet, for a new one. */
export const copyCategories = (categories: readonly SheetCategory[]): CategoryValues[] =>
  categories.map((category) => {
    const { name, weight, best_of, components } = toCategoryValues(category);
    return {
      name,
      weight,
      best_of,
      components: components.map((one) => ({ name: one.name, max: one.max, bonus: one.bonus })),
    };
  });

const toNumber = (typed: string) => (typed.trim() === '' ? null : Number(typed));

/** The categories as they are sent; empty numbers as null, so that the server says which field is missing. */
export const toCategoriesBody = (categories: readonly CategoryValues[]) =>
  categories.map(({ weight, best_of, components, ...category }) => ({
    ...category,
    weight: toNumber(weight),
    best_of: toNumber(best_of),
    components: components.map(({ max, bonus, ...component }) => ({
      ...component,
      // Named once where there is only one.
      ...(components.length === 1 && { name: category.name }),
      max: toNumber(max),
      bonus,
    })),
  }));

/** The categories of a form, which holds texts only; none if the text is not of {@link writeCategories}. */
export const readCategories = (text: string): CategoryValues[] => parseCategories(text) ?? [];

/** Whether the draft of a form can be shown: an earlier version of the application may have written it in another way. */
export const hasReadableCategories = ({ categories }: Readonly<Record<string, string>>): boolean =>
  categories === undefined || parseCategories(categories) !== undefined;

function parseCategories(text: string): CategoryValues[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isCategory) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const isCategory = (value: unknown): value is CategoryValues =>
  hasParts(value, {
    category_id: isIdOrMissing,
    name: isText,
    weight: isText,
    best_of: isText,
    components: (components) => Array.isArray(components) && components.every(isComponent),
  });

const isComponent = (value: unknown): value is ComponentValues =>
  hasParts(value, {
    component_id: isIdOrMissing,
    name: isText,
    max: isText,
    bonus: (bonus) => typeof bonus === 'boolean',
  });

const hasParts = (value: unknown, parts: Readonly<Record<string, (part: unknown) => boolean>>) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(parts).every(([name, isRight]) => isRight(Reflect.get(value, name)));

const isText = (part: unknown) => typeof part === 'string';
const isIdOrMissing = (part: unknown) => part === undefined || typeof part === 'number';

export const writeCategories = (categories: readonly CategoryValues[]) => JSON.stringify(categories);

/** `The weights add up to 85 %: 15 % are missing.` */
export function weightsText(categories: readonly CategoryValues[]): { text: string; isRight: boolean } {
  const sum = categories.reduce((total, { weight }) => total + inHundredths(Number(weight) || 0), 0);
  const off = Math.abs(10_000 - sum) / 100;
  const text = `The weights add up to ${sum / 100} %`;
  if (sum === 10_000) return { text: `${text}.`, isRight: true };
  return { text: `${text}: ${off} % ${sum < 10_000 ? 'missing' : 'too much'}.`, isRight: false };
}

/** The labels of all fields of the categories, by the paths that the server names in its errors. */
export function categoryLabels(categories: readonly CategoryValues[]): Record<string, string> {
  const labels: Record<string, string> = { categories: 'Assessments' };
  for (const [i, { name, components }] of categories.entries()) {
    const category = name.trim() || `Category ${i + 1}`;
    labels[`categories.${i}.name`] = `Name of category ${i + 1}`;
    labels[`categories.${i}.weight`] = `Weight of ${category}`;
    labels[`categories.${i}.best_of`] = `Best of ${category}`;
    for (const [j, component] of components.entries()) {
      const which =
        components.length === 1 ? category : component.name.trim() || `component ${j + 1} of ${category}`;
      labels[`categories.${i}.components.${j}.name`] = `Name of component ${j + 1} of ${category}`;
      labels[`categories.${i}.components.${j}.max`] = `Full marks of ${which}`;
    }
  }
  return labels;
}

/** The server names fields by their keys; here they have labels of their own. */
export function setupErrorText(field: string, text: string): string {
  const shown = displayErrorText(field, text);
  if (field === 'categories')
    return shown.replace(/^The categories must have weights/, 'The assessments must have weights');
  return shown
    .replace(/^The max /, 'The full marks ')
    .replace(/^The components must have at least one\.$/, 'A category must have at least one component.')
    .replace(/^The best of /, 'The number that counts ');
}
