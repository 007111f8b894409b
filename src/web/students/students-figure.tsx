/** An outlined table: what the list looks like once it has entries. */
export function StudentsFigure() {
  return (
    <svg width="132" height="76" viewBox="0 0 132 76" fill="none" stroke="currentColor" aria-hidden="true">
      <rect x=".5" y=".5" width="131" height="75" rx="7.5" />
      <path d="M0 18.5h132M0 37.5h132M0 56.5h132" />
      <path
        d="M12 9.5h16M40 9.5h28M92 9.5h28M12 28h16M40 28h36M92 28h20M12 47h16M40 47h24M92 47h24M12 66h16M40 66h32M92 66h18"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
}
