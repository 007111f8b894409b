import { type EditConflictOptions, useEditConflict } from './conflicts/use-edit-conflict.ts';
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

interface EditFormOptions<Name extends string>
  extends DraftFormOptions<Name | 'version'>,
    EditConflictOptions<Name> {}

/**
 * A form that edits a record, saved only on top of the version that it was filled with. The version is one of the form's
 * values, see {@link useEditConflict}.
 */
export function useEditForm<Name extends string>({ readAgain, getPart, ...options }: EditFormOptions<Name>) {
  const form = useDraftForm(options);
  const { save, ...edit } = useEditConflict(form, { initial: options.initial, readAgain, getPart });

  /**
   * Saves, then leads on to the next page.
   *
   * @param update sends the record; throws what the server refuses
   */
  const submit = <Updated>(
    update: (ifMatch: string | undefined) => Promise<Updated>,
    onUpdated: (updated: Updated) => void | Promise<void>,
  ) =>
    form.submit(() =>
      save(async (ifMatch) => {
        const updated = await update(ifMatch);
        // Before the next page is loaded: a reload until then must not bring the draft back.
        form.discardDraft();
        await onUpdated(updated);
      }),
    );
  return { form, submit, ...edit };
}
