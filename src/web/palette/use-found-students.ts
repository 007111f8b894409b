import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StudentPage } from '../../contract/student-list.ts';
import { askedWords, searchText } from '../../domain/search-text.ts';
import { call } from '../api.ts';

/** Students shown of those that are found. */
const MOST_STUDENTS = 8;
const TYPING_PAUSE = 120;
/** An answer is good for so long when the same is typed again. */
const KEPT = 30_000;

export const readStudents = (q: string, limit: number, signal: AbortSignal) =>
  call<StudentPage>('GET', `/api/students?${new URLSearchParams({ q, limit: String(limit) })}`, { signal });

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}

/** The students that `query` finds. While the answer is under way, those of the one before that it still fits. */
export function useFoundStudents(query: string) {
  const text = query.trim();
  const words = askedWords(text);
  const asked = useSettled(words.length === 0 ? '' : text);
  const answer = useQuery({
    queryKey: ['students', 'palette', asked],
    queryFn: ({ signal }) => readStudents(asked, MOST_STUDENTS, signal),
    enabled: asked !== '',
    staleTime: KEPT,
    placeholderData: keepPreviousData,
  });
  const isSearching = words.length > 0 && (asked !== text || answer.isPlaceholderData || answer.isPending);
  const page = words.length === 0 ? undefined : answer.data;
  const students = page?.students ?? [];
  return {
    students: isSearching ? students.filter((student) => fits(student, words)) : students,
    /** There are more than are shown. */
    hasMore: !isSearching && page !== undefined && page.next_cursor !== null,
    isSearching,
    error: isSearching ? null : answer.error,
    searchAgain: answer.refetch,
  };
}

function fits(student: Parameters<typeof searchText>[0], words: readonly string[]): boolean {
  const text = searchText(student);
  return words.every((word) => text.includes(` ${word}`));
}
