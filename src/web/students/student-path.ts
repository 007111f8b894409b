/** Address of a student's calls; an ID from the address bar can hold anything. */
export const studentPath = (studentId: string) => `/api/students/${encodeURIComponent(studentId)}`;
