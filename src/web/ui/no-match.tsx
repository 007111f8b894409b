import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface NoMatchProps {
  title: string;
  /** What is searched. */
  text: string;
  /** What clearing takes off. */
  action?: string;
  onClear: () => void;
}

/** In place of a list whose search finds nothing. */
export function NoMatch({ title, text, action = 'Clear search', onClear }: NoMatchProps) {
  const clear = () => {
    onClear();
    // The button goes with this notice.
    document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
  };
  return (
    <div className="rounded-panel border border-line">
      <EmptyState title={title} text={text} action={<Button onClick={clear}>{action}</Button>} />
    </div>
  );
}
