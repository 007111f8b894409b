import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface NoMatchProps {
  title: string;
  /** What is searched. */
  text: string;
  onClear: () => void;
}

/** In place of a list whose search finds nothing. */
export function NoMatch({ title, text, onClear }: NoMatchProps) {
  const clear = () => {
    onClear();
    // The button goes with this notice.
    document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
  };
  return (
    <div className="rounded-panel border border-line">
      <EmptyState title={title} text={text} action={<Button onClick={clear}>Clear search</Button>} />
    </div>
  );
}
