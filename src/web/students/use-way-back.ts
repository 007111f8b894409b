import { useNavigate, useRouter } from '@tanstack/react-router';

/** Leads to where the person came from, or to the students where that is no page of the product. */
export function useWayBack() {
  const navigate = useNavigate();
  const { history } = useRouter();
  return () => {
    if (history.canGoBack() || hasPageBefore()) history.back();
    else void navigate({ to: '/students' });
  };
}

/** The router does not count the pages before a reload by address; browsers that can't tell whose pages count all. */
function hasPageBefore(): boolean {
  const { navigation }: { navigation?: Navigation } = window;
  return navigation?.canGoBack ?? window.history.length > 1;
}
