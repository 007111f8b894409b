import type { Policy } from '../../../contract/grading/policies.ts';
import { DEFAULT_RULES, type PolicyRules } from '../../../domain/grading/policy.ts';
import { RULE_LABELS } from '../../../domain/grading/policy-text.ts';
import { policyInForce } from './policy-queries.ts';
import { RULE_GROUPS } from './rule-groups.ts';

type RuleField = `rules.${keyof PolicyRules}`;

/**
 * The fields of the form, under the names that the server gives their errors. `scope` is `all` or `some`; `degrees` are the
 * chosen batches as JSON. The numbers of a list have spaces between them.
 */
export type PolicyField = 'name' | 'scope' | 'degrees' | RuleField;
export type PolicyValues = Record<PolicyField, string>;

export const POLICY_LABELS: Readonly<Record<PolicyField, string>> = {
  name: 'Name',
  scope: 'Batches',
  degrees: 'Batches',
  ...toRuleFields((rule) => RULE_LABELS[rule]),
};

function toRuleFields(getText: (rule: keyof PolicyRules) => string) {
  const rules = RULE_GROUPS.flatMap((group) => group.rules);
  return Object.fromEntries(rules.map((rule) => [`rules.${rule}`, getText(rule)])) as Record<
    RuleField,
    string
  >;
}

const toRuleValues = (rules: PolicyRules) =>
  toRuleFields((rule) => {
    const value = rules[rule];
    return typeof value === 'object' && value !== null ? value.join(' ') : String(value ?? '');
  });

export const initialPolicyValues = (basis: Policy): PolicyValues => ({
  name: '',
  scope: 'all',
  degrees: '[]',
  ...toRuleValues(basis.rules),
});

/** The chosen batches; null for all. */
export function toDegrees({ scope, degrees }: Pick<PolicyValues, 'scope' | 'degrees'>): string[] | null {
  if (scope !== 'some') return null;
  const chosen: unknown = JSON.parse(degrees);
  return Array.isArray(chosen) ? chosen.filter((degree) => typeof degree === 'string') : [];
}

/** The policy whose rules the form starts from: of those that hold for the batches, the one with the highest number. */
export function findBasis(
  policies: readonly Policy[],
  degrees: readonly string[] | null,
): Policy | undefined {
  const batches = degrees === null || degrees.length === 0 ? [null] : degrees;
  const inForce = new Set(batches.map((degree) => policyInForce(policies, degree)));
  return policies.find((policy) => inForce.has(policy));
}

/** The rules after other batches were chosen: those that were left as they were become those of the policy in force. */
export function changeBasis(values: PolicyValues, from: Policy, to: Policy): Partial<PolicyValues> {
  const [old, next] = [toRuleValues(from.rules), toRuleValues(to.rules)];
  const untouched = toFieldNames(next).filter((field) => values[field] === old[field]);
  return Object.fromEntries(untouched.map((field) => [field, next[field]]));
}

const toFieldNames = (fields: Record<RuleField, string>) => Object.keys(fields) as RuleField[];

/** The body of the call, without the fingerprint of the preview. */
export function toPolicyBody(values: PolicyValues) {
  const rules = RULE_GROUPS.flatMap((group) => group.rules);
  return {
    name: values.name,
    degrees: toDegrees(values),
    rules: Object.fromEntries(rules.map((rule) => [rule, toRule(rule, values[`rules.${rule}`])])),
  };
}

/** Whether the typed rule differs from that of a policy; 2 and 2.00 are the same. */
export const isRuleChanged = (values: PolicyValues, rule: keyof PolicyRules, rules: PolicyRules): boolean =>
  JSON.stringify(toRule(rule, values[`rules.${rule}`])) !== JSON.stringify(rules[rule]);

/** What was typed, as the default of the rule is: a choice, yes or no, a list of numbers, or else a number. */
function toRule(rule: keyof PolicyRules, typed: string) {
  const usual = DEFAULT_RULES[rule];
  if (typeof usual === 'string') return typed;
  if (typeof usual === 'boolean') return typed === 'true';
  return Array.isArray(usual) ? typed.split(' ').map(toNumber) : toNumber(typed);
}

const toNumber = (typed: string) => (typed === '' ? null : Number(typed));

/** The server names a rule by its key; here it has a label. */
export function policyErrorText(field: string, text: string): string {
  if (/^The .+ field is required\.$/.test(text)) return 'Required';
  const label = Object.entries(POLICY_LABELS).find(([name]) => name === field)?.[1];
  return label === undefined ? text : text.replace(/^The .+? (?=must |is )/, `${label}: `);
}
