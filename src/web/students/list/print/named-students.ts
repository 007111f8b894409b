import { EMPTY_SELECTION, type ListSelection } from '../model/selection.ts';

/** The selected students, as the browser's history holds them; without either, all that match. */
export interface NamedStudents {
  ids?: readonly string[];
  except?: readonly string[];
}

export function toNamedStudents(selection: ListSelection): NamedStudents {
  if (selection.kind === 'all') return { except: [...selection.except] };
  return selection.ids.size === 0 ? {} : { ids: [...selection.ids] };
}

export function toSelection({ ids, except }: NamedStudents): ListSelection {
  if (ids !== undefined) return { kind: 'some', ids: new Set(ids) };
  return except === undefined ? EMPTY_SELECTION : { kind: 'all', except: new Set(except) };
}
