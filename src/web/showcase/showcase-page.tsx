import { Page, PageHead } from '../ui/page.tsx';

export function ShowcasePage() {
  return (
    <Page width="wide">
      <PageHead title="States" sub="Every part in every condition." />
    </Page>
  );
}
