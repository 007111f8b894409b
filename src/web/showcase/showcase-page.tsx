import { Page, PageHeader } from '../ui/page/page.tsx';
import { ShowcaseBadges, ShowcaseCharts, ShowcaseRows } from './showcase-data.tsx';
import { ShowcaseButtons, ShowcaseFields, ShowcaseForms, ShowcasePictures } from './showcase-forms.tsx';
import { ShowcaseOverlays } from './showcase-overlays.tsx';

/** All shared components in all their states, for development. Not linked from the sidebar. */
export function ShowcasePage() {
  return (
    <Page width="wide">
      <PageHeader title="States" sub="Every part in every condition. Switch the theme with the moon." />
      <div className="grid grid-cols-1 gap-10 *:border-line *:not-first:border-t *:not-first:pt-7">
        <ShowcaseButtons />
        <ShowcaseFields />
        <ShowcasePictures />
        <ShowcaseForms />
        <ShowcaseRows />
        <ShowcaseCharts />
        <ShowcaseBadges />
        <ShowcaseOverlays />
      </div>
    </Page>
  );
}
