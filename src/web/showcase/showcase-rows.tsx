import { useState } from 'react';
import { type SortDirection, SortHead, TableBox } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Facts } from '../ui/facts.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { ShowcaseSection } from './showcase-parts.tsx';

const ROWS = [
  ['409318', 'Karim Hunzai', 921],
  ['408877', 'Hareem Lodhi', 990],
  [
    '404870',
    'Syed Muhammad Abdullah Makhdoom Gardezi-Bukhari ibn Mushtaq Hussain al-Mashhadi of Rahim Yar Khan',
    1031,
  ],
] as const;

export function ShowcaseRows() {
  const [direction, setDirection] = useState<SortDirection>('descending');
  const turn = () => setDirection(direction === 'ascending' ? 'descending' : 'ascending');
  return (
    <ShowcaseSection title="Rows">
      <TableBox className="mb-5">
        <table className="tbl tbl-link">
          <thead>
            <tr>
              <SortHead direction={direction} onSort={turn}>
                ID
              </SortHead>
              <SortHead direction={undefined} onSort={turn}>
                Name
              </SortHead>
              <SortHead direction={undefined} onSort={turn} isNumber>
                FSC
              </SortHead>
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([id, name, marks]) => (
              <tr key={id}>
                <td>{id}</td>
                <td className="strong">
                  <a href="#main">{name}</a>
                </td>
                <td className="num">{marks}</td>
              </tr>
            ))}
            <tr>
              <td>
                <Skeleton width={52} />
              </td>
              <td>
                <Skeleton width={160} />
              </td>
              <td className="num">
                <Skeleton width={34} />
              </td>
            </tr>
          </tbody>
        </table>
      </TableBox>
      <Facts
        items={[
          { title: 'CMS ID', value: '408877' },
          { title: 'Date of birth', value: '14 March 2005 (20 years)' },
          { title: 'Phone number', value: null },
        ]}
      />
      <EmptyState title="No courses have been created yet" text="What is created appears here." />
    </ShowcaseSection>
  );
}
