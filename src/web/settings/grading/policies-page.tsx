import { ChevronRight, Plus } from 'lucide-react';
import type { Policy } from '../../../contract/grading/policies.ts';
import { DEFAULT_RULES, type PolicyRules } from '../../../domain/grading/policy.ts';
import { RULE_LABELS, ruleText } from '../../../domain/grading/policy-text.ts';
import { formatCount, formatDateTime, formatStudentCount } from '../../lib/format.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Tag } from '../../ui/tag.tsx';
import { batchesText, policiesQuery } from './policy-queries.ts';
import { RULE_GROUPS } from './rule-groups.ts';

export function PoliciesPage() {
  const policies = usePageQuery({ ...policiesQuery, loading: 'policies' });
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_280px]">
          <h2 id="policies-heading">Grading policies</h2>
          <p className="mt-0.5 max-w-[64ch] text-fg-2">
            A policy can’t be edited or deleted, so that every figure stays explained. To change a rule, make
            a new policy: of several for one batch, the highest number holds.
          </p>
        </div>
        <ButtonLink to="/settings/grading/create" variant="primary">
          <Plus />
          New policy
        </ButtonLink>
      </div>
      <LoadError query={policies} />
      {policies.data && (
        <ul aria-labelledby="policies-heading" className="grid gap-2.5">
          {policies.data.map((policy) => (
            <PolicyItem key={policy.policy_id} policy={policy} />
          ))}
        </ul>
      )}
    </>
  );
}

function PolicyItem({ policy }: { policy: Policy }) {
  const { policy_id, name, degrees, created_at, created_by, in_force } = policy;
  return (
    <li className="rounded-panel border border-line">
      <details className="group">
        <summary className="flex cursor-pointer list-none items-start gap-2.5 rounded-panel px-4 py-3 hover:bg-hover">
          <ChevronRight className="screen-only mt-0.5 size-4 shrink-0 text-fg-3 group-open:rotate-90" />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span className="wrap-anywhere font-semibold">
                Policy {policy_id}: {name}
              </span>
              {in_force ? <Tag tone="ok">In force</Tag> : <Tag>Superseded</Tag>}
            </span>
            <span className="wrap-anywhere mt-0.5 block text-fg-2 text-label">
              {batchesText(degrees)}
              {created_by === null ? (
                ', from the start'
              ) : (
                <>
                  , by {created_by.name}, <time dateTime={created_at}>{formatDateTime(created_at)}</time>
                </>
              )}
            </span>
          </span>
        </summary>
        <div className="px-4 pb-4">
          <Rules rules={policy.rules} isMarked={policy_id !== 1} />
        </div>
      </details>
      <Progress policy={policy} />
    </li>
  );
}

/** How many students have figures by the policy, while it is applied. */
function Progress({ policy: { policy_id, progress } }: { policy: Policy }) {
  if (progress === null) return null;
  return (
    <div className="px-4 pb-3.5">
      <progress
        aria-label={`Applying policy ${policy_id}`}
        className="progress"
        value={progress.done}
        max={progress.of}
      />
      <p className="mt-1 text-fg-2 text-label">
        {formatCount(progress.done)} of {formatStudentCount(progress.of)}
      </p>
    </div>
  );
}

interface RulesProps {
  rules: PolicyRules;
  /** Shows what policy 1 says where it differs. */
  isMarked: boolean;
}

function Rules({ rules, isMarked }: RulesProps) {
  return (
    <div className="gap-x-10 xl:columns-2">
      {RULE_GROUPS.map((group) => (
        <section key={group.title} className="break-inside-avoid pt-3">
          <h3 className="border-line border-b pb-1 font-semibold">{group.title}</h3>
          <dl>
            {group.rules.map((rule) => {
              const text = ruleText(rule, rules);
              const first = ruleText(rule, DEFAULT_RULES);
              return (
                <div
                  key={rule}
                  className="grid grid-cols-2 gap-x-4 border-line border-b py-1.5 last:border-0"
                >
                  <dt className="text-fg-2">{RULE_LABELS[rule]}</dt>
                  <dd className="wrap-anywhere font-medium">
                    {text}
                    {isMarked && text !== first && (
                      <span className="block font-normal text-label text-warn">In policy 1: {first}</span>
                    )}
                  </dd>
                </div>
              );
            })}
          </dl>
        </section>
      ))}
    </div>
  );
}
