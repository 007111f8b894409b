import { useState } from 'react';
import { DateField, NumberField, SelectField, TextAreaField, TextField } from '../ui/fields.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { ShowcaseSection } from './showcase-parts.tsx';

const SYNDICATES = ['A', 'B', 'C'].map((value) => ({ value, label: `Syndicate ${value}` }));
const LONG = 'Robotics: Kinematics, Dynamics, Motion Planning and Control of Serial Manipulators';

const START = {
  rest: '',
  filled: 'Hunzai',
  empty: '',
  taken: '409318',
  role: 'Admin',
  marks: '954',
  syndicate: 'A',
  dob: '2005-03-14',
  long: LONG,
  secret: 'not my password',
  reason: '',
};

export function ShowcaseFields() {
  const [values, setValues] = useState(START);
  const field = (name: keyof typeof START) => ({
    name: `sample_${name}`,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  return (
    <ShowcaseSection title="Fields">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,210px),1fr))] items-start gap-4">
        <TextField label="Rest" {...field('rest')} placeholder="name@example.edu" />
        <TextField label="Filled, with a hint" {...field('filled')} hint="As written on the CNIC." />
        <TextField label="Error" {...field('empty')} required error="Required" />
        <TextField label="Error, with a value" {...field('taken')} required error="Already taken" />
        <TextField label="Read only" {...field('role')} readOnly />
        <NumberField label="With unit" {...field('marks')} suffix="/1100" min={100} max={1100} step={0.01} />
        <SelectField
          label="Select"
          {...field('syndicate')}
          options={SYNDICATES}
          placeholder="Select syndicate"
        />
        <DateField label="Date" {...field('dob')} />
        <TextField label="Long value" {...field('long')} />
        <PasswordField label="Password" {...field('secret')} autoComplete="off" />
        <TextAreaField label="Text" {...field('reason')} />
      </div>
    </ShowcaseSection>
  );
}
