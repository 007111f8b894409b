import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Batches, Policy, PolicyPreview } from '../../../contract/grading/policies.ts';
import { FormMessages } from '../../forms/messages/form-messages.tsx';
import { useDraftForm } from '../../forms/use-draft-form.ts';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { usePreviewedApply } from '../../forms/use-previewed-apply.ts';
import { useTask } from '../../forms/use-task.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { focusMain } from '../../lib/navigation/navigation.ts';
import { usePageQuery } from '../../lib/query-client.ts';
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
  const idempotencyKey = useIdempotencyKey();
  const form = useDraftForm<PolicyField>({
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
  const showRefusal = (error: Error, problem: string | undefined) =>
    error instanceof ApiError && error.status === 422
      ? form.setErrors({ ...missing, ...error.errors })
      : form.setFailure(problem ?? null);
  const reading = useTask({
    run: () => {
      form.clearErrors();
      const { name: _, ...body } = toPolicyBody(form.values);
      return call('POST /api/policies/preview', { body, hasOverlay: false });
    },
    failure: 'The preview could not be read. Try again.',
    onDone: (found) => (missing.name === undefined ? show(found) : form.setErrors(missing)),
    onError: showRefusal,
  });
  const making = usePreviewedApply('POST /api/policies', {
    preview: preview ?? undefined,
    onOutdated: (current, problem) => {
      setPreview(current);
      form.setFailure(problem ?? null);
    },
    run: (key, { fingerprint }) => {
      form.clearErrors();
      const body = { ...toPolicyBody(form.values), fingerprint };
      return call(key, { body, idempotencyKey: idempotencyKey(body) });
    },
    failure: 'The policy could not be made. Try again.',
    onDone: async () => {
      form.discardDraft();
      invalidatePolicies(queries);
      await navigate({ to: BACK.to });
    },
    onError: (error, problem) => {
      showRefusal(error, problem);
      // The fields that are refused are in the form.
      if (error instanceof ApiError && error.status === 422) setPreview(null);
    },
  });

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
          isProcessing={making.isRunning}
          onBack={() => show(null)}
          onMake={() => making.apply()}
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
