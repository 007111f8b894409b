import { binLabels } from '../../domain/statistics.ts';
import { type BinCount, toPercent, totalCount } from './axis.ts';

/** The values of a histogram as a table. */
export function BucketTable({ bins, caption }: { bins: readonly BinCount[]; caption: string }) {
  const labels = binLabels(bins.map(({ bin }) => bin));
  const all = totalCount(bins);
  const most = Math.max(...bins.map(({ count }) => count), 1);
  return (
    <div className="tbl-box">
      <table className="tbl tbl-compact">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Marks</th>
            <th scope="col" className="num">
              Students
            </th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {bins.map(({ bin, count }, i) => (
            <tr key={bin}>
              <td className="strong">{labels[i]}</td>
              <td className="num">{count}</td>
              <td className="w-[48%]">
                <span
                  aria-hidden="true"
                  className="me-1 inline-block h-1.5 rounded-[1px] bg-plot-1 align-middle"
                  style={{ width: `${(count / most) * 58}%` }}
                />
                <span className="text-fg-3 text-label">{toPercent(count, all)}%</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
