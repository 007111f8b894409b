import { Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { ErrorSummary } from '../forms/messages/error-summary.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink, IconButton } from '../ui/button.tsx';
import { DateField } from '../ui/fields/date-field.tsx';
import { NumberField, SelectField, TextAreaField, TextField } from '../ui/fields/input-fields.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { PictureField } from '../ui/fields/picture/picture-field.tsx';
import { RECORD_STEPS, Stepper } from '../ui/page/stepper.tsx';
import { Row, Sample, ShowcaseSection } from './showcase-section.tsx';

const VARIANTS = ['primary', 'secondary', 'quiet', 'danger', 'danger-quiet'] as const;

export function ShowcaseButtons() {
  return (
    <ShowcaseSection title="Buttons">
      <Row>
        {VARIANTS.map((variant) => (
          <Sample key={variant} name={variant}>
            <Button variant={variant}>Update Entry</Button>
          </Sample>
        ))}
        <Sample name="Processing">
          <Button variant="primary" processing>
            Update Entry
          </Button>
        </Sample>
        <Sample name="Disabled">
          <Button disabled>Update Entry</Button>
        </Sample>
        <Sample name="With icon">
          <Button variant="danger-quiet">
            <Trash2 />
            Delete
          </Button>
        </Sample>
        <Sample name="Small">
          <Button size="sm">Cancel</Button>
        </Sample>
        <Sample name="Large">
          <Button size="lg" variant="primary">
            Sign In
          </Button>
        </Sample>
        <Sample name="Link">
          <ButtonLink to="/">Home</ButtonLink>
        </Sample>
        <Sample name="Icon">
          <IconButton label="Close">
            <X />
          </IconButton>
        </Sample>
      </Row>
    </ShowcaseSection>
  );
}

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

export function ShowcasePictures() {
  const [file, setFile] = useState<File | null>(null);
  return (
    <ShowcaseSection title="Pictures">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,380px),1fr))] items-start gap-4">
        <PictureField
          label="Picture"
          name="sample_picture"
          subject="picture"
          file={file}
          onFile={setFile}
          picture={null}
          onRemove={() => setFile(null)}
        />
        <PictureField
          label="Error, with a hint"
          name="sample_refused_picture"
          subject="picture"
          file={null}
          onFile={() => undefined}
          picture={null}
          onRemove={() => undefined}
          hint={<p>portrait.jpg is not kept with a draft. Select it again.</p>}
          error="The picture must be at most 5 MiB."
        />
      </div>
    </ShowcaseSection>
  );
}

const LABELS = { sample_empty: 'Error', sample_taken: 'Error, with a value' };
const NONE = {};

export function ShowcaseForms() {
  const [errors, setErrors] = useState<Partial<Record<string, string>>>(NONE);
  return (
    <ShowcaseSection title="Forms">
      <div className="grid max-w-(--form-max) grid-cols-[minmax(0,1fr)] gap-5">
        <Stepper steps={RECORD_STEPS} current="base" />
        <Stepper steps={RECORD_STEPS} current="family" />
        <Stepper steps={RECORD_STEPS} current="academics" />
        <div>
          <ErrorSummary errors={errors} labels={LABELS} />
          <Button onClick={() => setErrors({ sample_empty: 'Required', sample_taken: 'Already taken' })}>
            Show the errors
          </Button>
        </div>
        <Alert>The server could not be reached. What you typed is kept. Try again.</Alert>
        <Alert tone="warn">Loading was cancelled.</Alert>
      </div>
    </ShowcaseSection>
  );
}
