import { Page, PageHead } from '../ui/page.tsx';
import { ShowcaseButtons } from './showcase-buttons.tsx';
import { ShowcaseCharts } from './showcase-charts.tsx';
import { ShowcaseFields } from './showcase-fields.tsx';
import { ShowcaseForms } from './showcase-forms.tsx';
import { ShowcaseLayers } from './showcase-layers.tsx';
import { ShowcasePictures } from './showcase-pictures.tsx';
import { ShowcaseRows } from './showcase-rows.tsx';
import { ShowcaseSmallParts } from './showcase-small-parts.tsx';

/** Every shared part in each of its states, to look at while building. Not linked from the sidebar. */
export function ShowcasePage() {
  return (
    <Page width="wide">
      <PageHead title="States" sub="Every part in every condition. Switch the theme with the moon." />
      <div className="grid grid-cols-1 gap-10 *:border-line *:not-first:border-t *:not-first:pt-7">
        <ShowcaseButtons />
        <ShowcaseFields />
        <ShowcasePictures />
        <ShowcaseForms />
        <ShowcaseRows />
        <ShowcaseCharts />
        <ShowcaseSmallParts />
        <ShowcaseLayers />
      </div>
    </Page>
  );
}
