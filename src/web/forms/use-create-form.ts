import { type DraftFormOptions, useDraftForm } from './use-draft-form.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

/** A form that creates a record. */
export function useCreateForm<Name extends string>(options: DraftFormOptions<Name>) {
  const form = useDraftForm(options);
  const idempotencyKey = useIdempotencyKey();

  /**
   * Saves, then leads on to the next page.
   *
   * @param create sends the record; throws what the server refuses. It is handed a function that names the attempt
   */
  const submit = <Created>(
    create: (idempotencyKey: (body: unknown) => string) => Promise<Created>,
    onCreated: (created: Created) => void | Promise<void>,
  ) =>
    form.submit(async () => {
      const created = await create(idempotencyKey);
      // Before the next page is loaded: a reload until then must not bring the draft back.
      form.discardDraft();
      await onCreated(created);
    });
  return { form, submit };
}
