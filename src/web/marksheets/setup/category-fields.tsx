import { Plus, X } from 'lucide-react';
import type { FieldErrors } from '../../forms/use-draft-form.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { FieldError, fieldId } from '../../ui/fields/field.tsx';
import { NumberField, TextField } from '../../ui/fields/input-fields.tsx';
import {
  type CategoryValues,
  type ComponentValues,
  readCategories,
  singleCategory,
  weightsText,
  writeCategories,
} from './setup-values.ts';

interface CategoryFieldsProps {
  /** The text of the form's field, see `readCategories`. */
  value: string;
  onChange: (value: string) => void;
  errors: FieldErrors;
}

/** The categories with their weights, each of one component or of several. */
export function CategoryFields({ value, onChange, errors }: CategoryFieldsProps) {
  const categories = readCategories(value);
  const error = errors.categories;
  const sum = weightsText(categories);
  const change = (next: readonly CategoryValues[]) => onChange(writeCategories(next));
  return (
    <fieldset
      id={fieldId('categories')}
      tabIndex={-1}
      aria-describedby={error === undefined ? undefined : 'categories-error'}
      className="min-w-0"
    >
      <legend className="sr-only">Assessments</legend>
      <ol className="overflow-clip rounded-panel border border-line">
        {categories.map((category, i) => (
          <CategoryItem
            // biome-ignore lint/suspicious/noArrayIndexKey: a new category has nothing else; its fields are controlled.
            key={i}
            index={i}
            category={category}
            errors={errors}
            onChange={(next) => change(categories.with(i, next))}
            onRemove={
              categories.length > 1
                ? () => {
                    change(categories.toSpliced(i, 1));
                    // The pressed button disappears.
                    document.getElementById(fieldId('categories'))?.focus();
                  }
                : undefined
            }
          />
        ))}
        <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-sunken px-4 py-2.5">
          <Button size="sm" onClick={() => change([...categories, { ...singleCategory('', 0, 0), ...NEW }])}>
            <Plus />
            Add category
          </Button>
          <span
            role="status"
            className={classNames('text-label', sum.isRight ? 'text-fg-2' : 'font-[560] text-warn')}
          >
            {sum.text}
          </span>
        </li>
      </ol>
      {error !== undefined && (
        <div className="mt-1.5">
          <FieldError id="categories-error">{error}</FieldError>
        </div>
      )}
    </fieldset>
  );
}

const NEW = { weight: '', components: [{ name: '', max: '', bonus: false }] };

interface CategoryItemProps {
  index: number;
  category: CategoryValues;
  errors: FieldErrors;
  onChange: (category: CategoryValues) => void;
  onRemove: (() => void) | undefined;
}

function CategoryItem({ index, category, errors, onChange, onRemove }: CategoryItemProps) {
  const { name, weight, best_of, components } = category;
  const path = `categories.${index}`;
  const isSingle = components.length === 1;
  const [only] = components;
  const changeComponent = (j: number, component: ComponentValues) =>
    onChange({ ...category, components: components.with(j, component) });
  const add = () => {
    const first = isSingle && only ? { ...only, name: `${name} 1`.trim() } : undefined;
    const next = {
      name: `${name} ${components.length + 1}`.trim(),
      max: components.at(-1)?.max ?? '',
      bonus: false,
    };
    onChange({ ...category, components: [...(first ? [first] : components), next] });
  };
  const remove = (j: number) => onChange({ ...category, components: components.toSpliced(j, 1) });
  const label = name.trim() || `category ${index + 1}`;
  return (
    <li className="border-line border-b px-4 py-3.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-2.5">
        <div className="grid grid-cols-2 gap-x-3 gap-y-2.5 sm:grid-cols-[minmax(0,1fr)_110px_110px]">
          <TextField
            name={`${path}.name`}
            label={`Category ${index + 1}`}
            value={name}
            onChange={(to) => onChange({ ...category, name: to })}
            error={errors[`${path}.name`]}
            required
            className="max-sm:col-span-2"
          />
          {isSingle && only ? (
            <MaxField
              path={`${path}.components.0`}
              component={only}
              errors={errors}
              onChange={(to) => changeComponent(0, to)}
            />
          ) : (
            <NumberField
              name={`${path}.best_of`}
              label="Best"
              value={best_of}
              onChange={(to) => onChange({ ...category, best_of: to })}
              error={errors[`${path}.best_of`]}
              min={1}
              max={components.length}
              suffix={`of ${components.length}`}
              placeholder="all"
            />
          )}
          <NumberField
            name={`${path}.weight`}
            label="Weight"
            value={weight}
            onChange={(to) => onChange({ ...category, weight: to })}
            error={errors[`${path}.weight`]}
            min={0}
            max={100}
            step={0.01}
            suffix="%"
            required
          />
        </div>
        <IconButton
          label={`Remove ${label}`}
          className={classNames('mt-7', onRemove === undefined && 'invisible')}
          onClick={onRemove}
        >
          <X />
        </IconButton>
      </div>
      {!isSingle && (
        <ul className="mt-2.5 grid gap-2 border-line-2 border-s-2 ps-3">
          {components.map((component, j) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a new component has nothing else; its fields are controlled.
              key={j}
              className="grid grid-cols-[minmax(0,1fr)_92px_auto] items-start gap-x-3"
            >
              <TextField
                name={`${path}.components.${j}.name`}
                label={`Component ${j + 1}`}
                value={component.name}
                onChange={(to) => changeComponent(j, { ...component, name: to })}
                error={errors[`${path}.components.${j}.name`]}
              />
              <MaxField
                path={`${path}.components.${j}`}
                component={component}
                errors={errors}
                onChange={(to) => changeComponent(j, to)}
              />
              <IconButton
                label={`Remove ${component.name.trim() || `component ${j + 1} of ${label}`}`}
                className="mt-7"
                onClick={() => remove(j)}
              >
                <X />
              </IconButton>
              <BonusBox component={component} onChange={(to) => changeComponent(j, to)} />
            </li>
          ))}
        </ul>
      )}
      {errors[`${path}.components`] !== undefined && <FieldError>{errors[`${path}.components`]}</FieldError>}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4">
        <Button size="sm" variant="quiet" className="-ms-2.5" onClick={add}>
          <Plus />
          {isSingle ? 'Split into components' : 'Add component'}
        </Button>
        {isSingle && only && <BonusBox component={only} onChange={(to) => changeComponent(0, to)} />}
      </div>
    </li>
  );
}

interface ComponentFieldProps {
  component: ComponentValues;
  onChange: (component: ComponentValues) => void;
}

function MaxField({
  path,
  component,
  errors,
  onChange,
}: ComponentFieldProps & { path: string; errors: FieldErrors }) {
  return (
    <NumberField
      name={`${path}.max`}
      label="Full marks"
      value={component.max}
      onChange={(max) => onChange({ ...component, max })}
      error={errors[`${path}.max`]}
      min={0}
      max={1000}
      step={0.01}
      required
    />
  );
}

function BonusBox({ component, onChange }: ComponentFieldProps) {
  return (
    <CheckBox
      isChecked={component.bonus}
      onChange={(bonus) => onChange({ ...component, bonus })}
      className="col-span-full text-fg-2 text-label"
    >
      Bonus marks allowed
    </CheckBox>
  );
}
