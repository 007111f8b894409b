/** An outlined histogram: what a course shows once it has marks. */
export function CoursesFigure() {
  return (
    <svg width="132" height="76" viewBox="0 0 132 76" fill="none" stroke="currentColor" aria-hidden="true">
      <rect x=".5" y=".5" width="131" height="75" rx="7.5" />
      <path d="M14 62.5h104M20 62V52h8v10M36 62V44h8v18M52 62V30h8v32M68 62V18h8v44M84 62V34h8v28M100 62V48h8v14" />
    </svg>
  );
}
