import { SearchField } from '../ui/search-field.tsx';

interface StudentsSearchProps {
  query: string;
  onQuery: (query: string) => void;
  onLeave?: () => void;
}

export function StudentsSearch(props: StudentsSearchProps) {
  return <SearchField label="Search students" placeholder="Search name, ID, father or phone" {...props} />;
}
