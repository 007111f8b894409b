import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Home } from '../../contract/home.ts';
import { usersQuery } from '../accounts/account-queries.ts';
import { toListFilters } from '../insights/students-link.tsx';
import { departmentName, formatCount, formatDate, formatStudentCount, plural } from '../lib/format.ts';
import { Section } from './section.tsx';

/** A screen of the product, with the filters in its address. */
interface Target {
  to: string;
  search?: object;
}

/** Rows of a section; the link to all shows the others. */
const MAX_ROWS = 3;
const MS_PER_DAY = 24 * 3_600_000;
/** From this age on, something has been waiting for too long. */
const LATE_DAYS = 14;

/** One section for each kind of work, without the empty ones. */
export function Waiting({ home }: { home: Home }) {
  const { sent_back, to_confirm, ready_to_notify, own_drafts, to_approve, incomplete_entries } = home;
  const { holds_ending } = home;
  const withoutTeacher = useWithoutTeacher(home);
  const lists = [
    ...[sent_back, to_confirm, withoutTeacher, ready_to_notify],
    ...[own_drafts, to_approve, incomplete_entries, holds_ending],
  ];
  if (lists.every((list) => list === null || list.count === 0)) {
    return (
      <Section title="Waiting for you" count={0}>
        <p className="py-2.5 text-fg-2">
          Nothing is waiting. Mark sheets to confirm, drafts, classes to notify and entries to complete come
          here.
        </p>
      </Section>
    );
  }
  return (
    <>
      <Rows
        title="Mark sheets sent back to you"
        list={sent_back}
        of={(sheet) => ({
          key: sheet.sheet_id,
          link: toSheet(sheet),
          name: sheetName(sheet),
          detail: `${sheet.by.name}: ${sheet.reason}`,
          at: sheet.at,
        })}
      />
      <Rows
        title="Mark sheets to confirm"
        list={to_confirm}
        all={{ to: '/marksheets', search: { term: 'all', state: 'submitted' } }}
        of={(sheet) => ({
          key: sheet.sheet_id,
          link: toSheet(sheet, '/results'),
          name: sheetName(sheet),
          detail: sheet.submitted_by?.name,
          at: sheet.submitted_at,
        })}
      />
      <Rows
        title="Mark sheets without a teacher"
        list={withoutTeacher}
        all={{ to: '/marksheets', search: { term: 'all', teacher: 'none' } }}
        of={(sheet) => ({
          key: sheet.sheet_id,
          link: toSheet(sheet, '/class'),
          name: sheetName(sheet),
          figure: sheet.term_name,
        })}
      />
      <Rows
        title="Ready to be notified"
        list={ready_to_notify}
        all={{ to: '/marksheets/notifications' }}
        of={({ term_id, term_name, department, degree, semester, sheets, students }) => ({
          key: `${term_id} ${department} ${degree} ${semester}`,
          link: {
            to: '/marksheets/notifications',
            search: { term: String(term_id), department, degree, semester: String(semester) },
          },
          name: `${department}-${degree}, semester ${semester}`,
          detail: `${term_name}, ${sheets === 1 ? 'its mark sheet is' : `all ${sheets} mark sheets are`} confirmed`,
          figure: formatStudentCount(students),
        })}
      />
      <Rows
        title="Your mark sheets"
        list={own_drafts}
        all={{ to: '/marksheets', search: { term: 'all', state: 'draft' } }}
        of={(sheet) => ({
          key: sheet.sheet_id,
          link: toSheet(sheet),
          name: sheetName(sheet),
          detail: sheet.term_name,
          figure: missingText(sheet),
        })}
      />
      <Rows
        title="Accounts to approve"
        list={to_approve}
        all={{ to: '/list-users' }}
        of={({ id, name, email, created_at }) => ({
          key: id,
          link: { to: '/list-users' },
          name,
          detail: email,
          at: created_at,
        })}
      />
      <Rows
        title="Holds that end soon"
        list={holds_ending}
        all={{ to: '/documents/holds', search: { ending: 'true' } }}
        of={({ hold_id, student_id, first_name, last_name, kind, until }) => ({
          key: hold_id,
          link: { to: `/students/${encodeURIComponent(student_id)}/holds` },
          name: `${first_name} ${last_name}, ${student_id}`,
          detail: `Hold: ${kind}`,
          figure: `until ${formatDate(until)}`,
        })}
      />
      <Rows
        title="Entries to complete"
        list={incomplete_entries}
        all={{ to: '/students', search: toListFilters({ incomplete: 'true' }) }}
        of={({ department, current_sem, syn, students, incomplete }) => ({
          key: `${department} ${current_sem} ${syn}`,
          link: {
            to: '/students',
            search: toListFilters({ department, current_sem: String(current_sem), syn, incomplete: 'true' }),
          },
          name: `${departmentName(department)}, semester ${current_sem}, syndicate ${syn}`,
          figure: `${formatCount(incomplete)} of ${formatCount(students)}`,
        })}
      />
    </>
  );
}

/** The mark sheets that no active teacher fills; null in a faculty in which nobody is a teacher, so that the office fills them all. */
function useWithoutTeacher({ without_teacher }: Home): Home['without_teacher'] {
  const users = useQuery({ ...usersQuery, enabled: without_teacher !== null && without_teacher.count > 0 });
  return users.data?.some(({ role }) => role === 'teacher') ? without_teacher : null;
}

type SheetItem = Pick<
  NonNullable<Home['own_drafts']>['items'][number],
  'sheet_id' | 'course_code' | 'title' | 'department' | 'degree' | 'syn'
>;

const toSheet = ({ sheet_id }: SheetItem, tab = ''): Target => ({ to: `/marksheets/${sheet_id}${tab}` });

const sheetName = ({ course_code, title, department, degree, syn }: SheetItem) =>
  `${course_code} ${title}, ${department}-${degree}${syn.length > 0 ? `-${syn.join(', ')}` : ''}`;

function missingText({ students, missing }: NonNullable<Home['own_drafts']>['items'][number]): string {
  if (students === 0) return 'no students';
  if (missing.cells === 0) return 'all marks entered';
  return missing.cells === missing.of ? 'no marks yet' : `${plural(missing.cells, 'mark')} missing`;
}

interface Row {
  key: string | number;
  link: Target;
  name: string;
  detail?: string | undefined;
  figure?: string;
  /** Since when it has been waiting, in place of a figure. */
  at?: string;
}

interface RowsProps<Item> {
  title: string;
  list: { count: number; items: readonly Item[] } | null;
  all?: Target;
  of: (item: Item) => Row;
}

function Rows<Item>({ title, list, all, of }: RowsProps<Item>): ReactNode {
  if (list === null || list.count === 0) return null;
  const rows = list.items.slice(0, MAX_ROWS).map(of);
  const isLate = rows.some(({ at }) => at !== undefined && daysSince(at) >= LATE_DAYS);
  return (
    <Section
      title={title}
      count={list.count}
      isLate={isLate}
      all={
        all && (
          <Link
            to={all.to}
            search={all.search ?? {}}
            className="link"
            aria-label={`All ${formatCount(list.count)}: ${title}`}
          >
            All {formatCount(list.count)}
          </Link>
        )
      }
    >
      <ul>
        {rows.map(({ key, link, name, detail, figure, at }) => (
          <li key={key} className="border-line border-b">
            <Link to={link.to} search={link.search ?? {}} className="home-row">
              <span className="wrap-anywhere flex min-w-0 flex-wrap items-baseline gap-x-2.5">
                <span className="font-[560] text-fg">{name}</span>
                {detail !== undefined && <span className="text-fg-2 text-label">{detail}</span>}
              </span>
              <span className={at !== undefined && daysSince(at) >= LATE_DAYS ? 'text-warn' : 'text-fg-2'}>
                {at === undefined ? figure : sinceText(at)}
              </span>
              <ChevronRight className="size-3.5 text-fg-3" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const daysSince = (at: string) => Math.floor((Date.now() - Date.parse(at)) / MS_PER_DAY);

function sinceText(at: string): string {
  const days = daysSince(at);
  return days < 1 ? 'today' : `${plural(days, 'day')} ago`;
}
