import {
  cgpasQuery,
  cgpasReply,
  classSizesReply,
  fallsQuery,
  fallsReply,
  lowCgpasQuery,
  lowCgpasReply,
  passRatesReply,
  standingsReply,
} from '../../contract/insights.ts';
import { LOW_CGPA, STEEP_FALL } from '../../domain/grading/cgpa-bins.ts';
import type { App, Deps } from '../app-types.ts';
import { readDatabaseFor } from '../http/hooks/read-your-writes.ts';
import { refusals } from '../http/refusals.ts';
import {
  countClasses,
  countStandings,
  findFalls,
  findLowCgpas,
  groupCgpas,
  readPassRates,
} from './queries.ts';

const tags = ['Insights'];

/** Statistics over the active students, one call per panel of the screen. */
export function insightRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/insights/cgpas',
    {
      schema: {
        tags,
        summary: 'How the CGPAs of active students are distributed',
        description: 'Split by `department` unless another `split` is asked for.',
        querystring: cgpasQuery,
        response: { 200: cgpasReply, ...refusals(422) },
      },
    },
    async (request) => {
      const { split = 'department' } = request.query;
      return { split, groups: await groupCgpas(await readDatabaseFor(db, request), split) };
    },
  );

  app.get(
    '/api/insights/low-cgpas',
    {
      schema: {
        tags,
        summary: 'Active students below a CGPA, by department',
        description: `Below ${LOW_CGPA.toFixed(2)} unless \`cgpa_below\` says otherwise; among those with a CGPA.`,
        querystring: lowCgpasQuery,
        response: { 200: lowCgpasReply, ...refusals(422) },
      },
    },
    async (request) => {
      const { cgpa_below = LOW_CGPA } = request.query;
      return { cgpa_below, departments: await findLowCgpas(await readDatabaseFor(db, request), cgpa_below) };
    },
  );

  app.get(
    '/api/insights/falls',
    {
      schema: {
        tags,
        summary: 'Active students whose latest SGPA fell, by department',
        description: `By ${STEEP_FALL.toFixed(2)} or more, unless \`fell_by\` says otherwise; among all active students.`,
        querystring: fallsQuery,
        response: { 200: fallsReply, ...refusals(422) },
      },
    },
    async (request) => {
      const { fell_by = STEEP_FALL } = request.query;
      return { fell_by, departments: await findFalls(await readDatabaseFor(db, request), fell_by) };
    },
  );

  app.get(
    '/api/insights/pass-rates',
    {
      schema: {
        tags,
        summary: 'Results and fails of every course',
        response: { 200: passRatesReply, ...refusals() },
      },
    },
    async (request) => readPassRates(await readDatabaseFor(db, request)),
  );

  app.get(
    '/api/insights/class-sizes',
    {
      schema: {
        tags,
        summary: 'Active students and incomplete entries of every semester, by department and syndicate',
        response: { 200: classSizesReply, ...refusals() },
      },
    },
    async (request) => countClasses(await readDatabaseFor(db, request)),
  );

  app.get(
    '/api/insights/standings',
    {
      schema: {
        tags,
        summary: 'Active students by academic standing, by department',
        description: 'Students without a graded semester have no standing.',
        response: { 200: standingsReply, ...refusals() },
      },
    },
    async (request) => countStandings(await readDatabaseFor(db, request)),
  );
}
