import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import type { DraftForm } from './form-field.ts';

interface StaleNoticeProps<Name extends string> {
  form: DraftForm<Name>;
  labels: Readonly<Record<Name, string>>;
  /** What somebody else has saved meanwhile; null while nobody has. */
  stored: Readonly<Record<Name, string>> | null;
}

/** Shows where another person's save differs from this form, and offers to take it over. */
export function StaleNotice<Name extends string>({ form, labels, stored }: StaleNoticeProps<Name>) {
  if (stored === null) return null;
  const differences = keysOf(labels).filter((name) => stored[name].trim() !== form.values[name].trim());
  if (differences.length === 0) return null;
  const takeOver = () => {
    const changes: Partial<Record<Name, string>> = {};
    for (const name of differences) changes[name] = stored[name];
    form.setValues(changes);
  };
  return (
    <Alert tone="warn" className="mb-5">
      <p>These fields differ from what is stored now. Saving again replaces it with this form.</p>
      <div className="mt-2 overflow-x-auto">
        <table className="w-full text-fg text-label [&_:is(th,td)]:py-1 [&_:is(th,td)]:pr-4 [&_:is(th,td)]:align-top">
          <thead className="text-fg-2">
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Stored now</th>
              <th scope="col">In this form</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((name) => (
              <tr key={name} className="border-warn-line border-t">
                <th scope="row">{labels[name]}</th>
                <td className="wrap-anywhere">{stored[name] || 'Empty'}</td>
                <td className="wrap-anywhere">{form.values[name] || 'Empty'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button size="sm" className="mt-2.5 text-fg" onClick={takeOver}>
        Take what is stored
      </Button>
    </Alert>
  );
}

function keysOf<Name extends string>(labels: Readonly<Record<Name, string>>): Name[] {
  const names: Name[] = [];
  for (const name in labels) names.push(name);
  return names;
}
