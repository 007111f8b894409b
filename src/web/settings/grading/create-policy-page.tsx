import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Batches, Policy, PolicyPreview } from '../../../contract/grading/policies.ts';
import { FormMessages } from '../../forms/form-messages.tsx';
import { useCreateForm } from '../../forms/use-record-form.ts';
import { useTask } from '../../forms/use-task.ts';
import { ApiError } from '../../lib/api.ts';
import { call, findRefusal } from '../../lib/call.ts';
import { focusMain } from '../../lib/navigation/navigation.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { flash } from '../../ui/flash.tsx';
import { PageHeader } from '../../ui/page/page.tsx';
import { QueryPage } from '../../ui/page/query-page.tsx';
import { PolicyForm } from './policy-form.tsx';
import { PolicyPreviewStep } from './policy-preview.tsx';
import { batchesQuery, invalidatePolicies, policiesQuery } from './policy-queries.ts';
import {
  findBasis,
  initialPolicyValues,
  POLICY_LABELS,
  type PolicyField,
  policyErrorText,
  toPolicyBody,
} from './policy-values.ts';

const BACK = { to: '/settings/grading', label: 'Grading policies' } as const;

export function CreatePolicyPage() {
  const policies = usePageQuery({ ...policiesQuery, loading: 'policies' });
  const batches = usePageQuery({ ...batchesQuery, loading: 'batches' });
  const basis = findBasis(policies.data ?? [], null);
  return (
    <QueryPage
      width="form"
      query={policies.data ? batches : policies}
      header={<PageHeader back={BACK} title="New policy" />}
    >
      {() =>
        basis &&
        policies.data &&
        batches.data && <CreatePolicy policies={policies.data} batches={batches.data} basis={basis} />
      }
    </QueryPage>
  );
}

interface CreatePolicyProps {
  policies: readonly Policy[];
  batches: Batches;
  /** The policy that holds for batches named nowhere. */
  basis: Policy;
}

/** The form, then what the policy would change. */
function CreatePolicy({ policies, batches, basis }: CreatePolicyProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [initial] = useState(() => initialPolicyValues(basis));
  const { form, submit } = useCreateForm<PolicyField>({
    draftKey: 'policy-create',
    initial,
    rewrite: policyErrorText,
  });
  const [preview, setPreview] = useState<PolicyPreview | null>(null);
  const number = Math.max(...policies.map(({ policy_id }) => policy_id)) + 1;

  const show = (next: PolicyPreview | null) => {
    setPreview(next);
    window.scrollTo(0, 0);
    focusMain();
  };
  // The preview takes no name, so that a missing one would only be reported at the end.
  const missing: Record<string, string[]> =
    form.values.name.trim() === '' ? { name: ['The name field is required.'] } : {};
  const reading = useTask({
    run: () => {
      form.clearErrors();
      const { name: _, ...body } = toPolicyBody(form.values);
      return call('POST /api/policies/preview', { body, hasOverlay: false });
    },
    failure: 'The preview could not be read. Try again.',
    onDone: (found) => (missing.name === undefined ? show(found) : form.setErrors(missing)),
    onError: (error, problem) =>
      error instanceof ApiError && error.status === 422
        ? form.setErrors({ ...missing, ...error.errors })
        : form.setFailure(problem ?? null),
  });
  const make = ({ fingerprint }: PolicyPreview) =>
    submit(
      async (idempotencyKey) => {
        const body = { ...toPolicyBody(form.values), fingerprint };
        try {
          return await call('POST /api/policies', {
            body,
            idempotencyKey: idempotencyKey(body),
          });
        } catch (error) {
          const outdated = findRefusal(error, 'POST /api/policies', 412);
          if (outdated) setPreview(outdated.current);
          // The fields that are refused are in the form.
          if (error instanceof ApiError && error.status === 422) setPreview(null);
          throw error;
        }
      },
      async ({ message }) => {
        invalidatePolicies(queries);
        flash(message);
        await navigate({ to: BACK.to });
      },
    );

  return (
    <>
      <PageHeader
        back={{ ...BACK, onClick: form.discardDraft }}
        title={preview ? `What policy ${number} would change` : 'New policy'}
        subject={preview ? form.values.name : undefined}
      />
      <FormMessages form={form} labels={POLICY_LABELS} initial={initial} />
      {preview ? (
        <PolicyPreviewStep
          preview={preview}
          number={number}
          isProcessing={form.isProcessing}
          onBack={() => show(null)}
          onMake={() => void make(preview)}
        />
      ) : (
        <PolicyForm
          form={form}
          policies={policies}
          batches={batches}
          isProcessing={reading.isRunning}
          onPreview={() => form.isReadable() && reading.start()}
        />
      )}
    </>
  );
}
