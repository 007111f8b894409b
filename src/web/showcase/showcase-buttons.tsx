import { Trash2, X } from 'lucide-react';
import { Button, ButtonLink, IconButton } from '../ui/button.tsx';
import { Row, Sample, ShowcaseSection } from './showcase-parts.tsx';

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
            <Trash2 strokeWidth={1.75} aria-hidden="true" />
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
            <X strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </Sample>
      </Row>
    </ShowcaseSection>
  );
}
