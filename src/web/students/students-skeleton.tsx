import { Skeleton } from '../ui/small-parts.tsx';
import type { StudentOrder } from './student-order.ts';
import { StudentsColumns, StudentsTableHead } from './students-table-head.tsx';

/** Widths of names as they usually are, so that the page hardly moves when they come. */
const NAME_WIDTHS = [132, 108, 150, 96, 118, 124, 138, 112, 84, 92, 212, 88];

/** The list while it loads: same heads, same rows, bars instead of texts. */
export function StudentsSkeleton({ order }: { order: StudentOrder }) {
  return (
    <div className="tbl-box" aria-hidden="true" inert>
      <table className="tbl table-fixed max-md:block">
        <StudentsColumns />
        <StudentsTableHead order={order} onOrder={() => undefined} />
        <tbody className="max-md:block">
          {NAME_WIDTHS.map((width) => (
            <tr
              key={width}
              className="max-md:flex max-md:min-h-15.5 max-md:items-center max-md:border-line max-md:border-b"
            >
              <td className="max-md:hidden">
                <Skeleton width={52} />
              </td>
              <td className="max-md:h-auto max-md:border-0 max-md:p-0 max-md:px-4">
                <Skeleton width={width} />
              </td>
              <td className="max-md:hidden">
                <Skeleton width={74} />
              </td>
              <td className="max-lg:hidden">
                <Skeleton width={60} />
              </td>
              <td className="num max-xl:hidden">
                <Skeleton width={32} />
              </td>
              <td className="num max-xl:hidden">
                <Skeleton width={32} />
              </td>
              <td className="max-md:hidden" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
