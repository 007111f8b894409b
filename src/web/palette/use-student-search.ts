import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { StudentListItem } from '../../contract/students/student-list.ts';
import { matchesWord, readQuery, searchText } from '../../domain/search-text.ts';
import { useSettledText } from '../lib/use-debounced.ts';
import { searchStudents } from '../students/student-queries.ts';

/** How many of the matching students are shown. */
const MAX_STUDENTS = 8;
const TYPING_PAUSE_MS = 120;
/** How long an answer is reused when the same text is typed again. */
const STALE_MS = 30_000;

/** The students that match `query`. While the answer loads: those of the previous answer that still match. */
export function useStudentSearch(query: string) {
  const text = query.trim();
  const asked = readQuery(text);
  const isEmpty = asked.words.length === 0 && asked.ofClass === undefined;
  const debouncedText = useSettledText(isEmpty ? '' : text, TYPING_PAUSE_MS);
  const answer = useQuery({
    queryKey: ['students', 'palette', debouncedText],
    queryFn: ({ signal }) => searchStudents(debouncedText, MAX_STUDENTS, signal),
    enabled: debouncedText !== '',
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
  const isSearching = !isEmpty && (debouncedText !== text || answer.isPlaceholderData || answer.isPending);
  const page = isEmpty ? undefined : answer.data;
  const students = page?.students ?? [];
  return {
    students: isSearching ? students.filter((student) => fits(student, asked)) : students,
    /** More students match than are shown. */
    hasMore: !isSearching && page !== undefined && page.next_cursor !== null,
    isSearching,
    error: isSearching ? null : answer.error,
    searchAgain: answer.refetch,
  };
}

function fits(student: StudentListItem, { words, ofClass }: ReturnType<typeof readQuery>): boolean {
  const text = searchText(student);
  const { department, degree, syn } = ofClass ?? student;
  return (
    words.every((word) => matchesWord(text, word)) &&
    student.department === department &&
    student.degree === degree &&
    (syn === undefined || student.syn === syn)
  );
}
