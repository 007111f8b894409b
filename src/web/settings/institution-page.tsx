import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Institution } from '../../contract/installation/institution.ts';
import { Form } from '../forms/form.tsx';
import { FormFooter } from '../forms/form-layout.tsx';
import { displayErrorText } from '../forms/messages/error-texts.ts';
import { FormMessages } from '../forms/messages/form-messages.tsx';
import { MissingFileNotice, type SelectedFile, useSelectedFile } from '../forms/selected-file.tsx';
import { type DraftForm, fieldProps } from '../forms/use-draft-form.ts';
import { useEditForm } from '../forms/use-record-form.ts';
import { ApiError } from '../lib/api.ts';
import { callWithVersion } from '../lib/call.ts';
import { institutionNameQuery } from '../lib/printing/institution-name.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { Button } from '../ui/button.tsx';
import { FieldGroup } from '../ui/fields/field-group.tsx';
import { TextAreaField, TextField } from '../ui/fields/input-fields.tsx';
import { PictureField, useObjectUrl } from '../ui/fields/picture/picture-field.tsx';
import { pictureTooLargeText } from '../ui/fields/picture/picture-validation.ts';
import { usePicture } from '../ui/fields/picture/use-picture.ts';
import { flash } from '../ui/flash.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Degrees, PublicAddress } from './institution-documents.tsx';
import {
  INSTITUTION_LABELS,
  type InstitutionValues,
  SIGNATORIES,
  toInstitutionBody,
  toInstitutionValues,
  typedSignatories,
} from './institution-values.ts';

/** Never cached: a form must start from the stored values. */
const institutionQuery = queryOptions({
  queryKey: ['institution'],
  queryFn: ({ signal }) => callWithVersion('GET /api/institution', { signal }),
  gcTime: 0,
  staleTime: 0,
});

export function InstitutionPage() {
  const institution = usePageQuery({ ...institutionQuery, loading: 'institution' });
  if (institution.data === undefined) return <LoadError query={institution} />;
  return <InstitutionForm institution={institution.data.body} version={institution.data.version} />;
}

/** The server reports all signatories as one field. */
const LABELS = {
  ...INSTITUTION_LABELS,
  logo_file: 'Logo',
  signatories: 'Signatories',
  programmes: 'Degrees',
};

const rewriteErrorText = (field: string, text: string) =>
  field === 'signatories' && text.endsWith(' field is required.')
    ? 'Each signatory needs a name and a title.'
    : displayErrorText(field, text);

function InstitutionForm({
  institution,
  version,
}: {
  institution: Institution;
  version: string | undefined;
}) {
  const queries = useQueryClient();
  const initial = toInstitutionValues(institution, version);
  const { form, submit, ...edit } = useEditForm<keyof InstitutionValues>({
    draftKey: 'institution',
    initial,
    rewrite: rewriteErrorText,
    readAgain: async () => {
      const current = await callWithVersion('GET /api/institution');
      return toInstitutionValues(current.body, current.version);
    },
  });
  const logo = useSelectedFile<keyof InstitutionValues>(form, 'logo_file', 'logo');
  const storedLogo = usePicture(form.values.logo || null);

  const update = async (ifMatch: string | undefined) => {
    const body = toInstitutionBody(form.values, logo.file);
    try {
      return await callWithVersion('PUT /api/institution', { body, ifMatch });
    } catch (error) {
      throw error instanceof ApiError && error.status === 413
        ? new ApiError(422, error.message, { errors: { logo: [pictureTooLargeText('logo')] } })
        : error;
    }
  };
  const save = () =>
    submit(update, ({ body, version: next }) => {
      queries.setQueryData(institutionQuery.queryKey, { body: body.institution, version: next });
      queries.setQueryData(institutionNameQuery.queryKey, body.institution.name);
      const values = toInstitutionValues(body.institution, next);
      form.setValues(values);
      edit.advance(values);
      flash(body.message);
    });
  const discard = () => {
    const stored = edit.stale?.values ?? initial;
    form.setValues(stored);
    edit.advance(stored);
    form.clearErrors();
    form.discardDraft();
  };

  return (
    <>
      <h2 className="sr-only">Institution</h2>
      <FormMessages<keyof InstitutionValues>
        form={form}
        labels={LABELS}
        initial={initial}
        stale={edit.stale}
      />
      <Form onSubmit={save}>
        <div className="grid items-start gap-x-11 gap-y-7 pb-7 xl:grid-cols-[minmax(0,1fr)_380px]">
          <InstitutionFields form={form} logo={logo} storedLogo={storedLogo} />
          <PaperPreview values={form.values} file={logo.file} storedLogo={storedLogo} />
        </div>
        <FormFooter note={form.hasDraft ? 'Not saved yet.' : 'All changes are saved.'}>
          {form.hasDraft && (
            <Button variant="quiet" onClick={discard}>
              Discard
            </Button>
          )}
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Save
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}

interface InstitutionFieldsProps {
  form: DraftForm<keyof InstitutionValues>;
  logo: SelectedFile;
  /** Object URL of the stored logo. */
  storedLogo: string | null;
}

function InstitutionFields({ form, logo: { file, select, lostName }, storedLogo }: InstitutionFieldsProps) {
  return (
    <div className="form-grid">
      <TextField
        {...fieldProps(form, 'name')}
        label={INSTITUTION_LABELS.name}
        autoComplete="organization"
        className="xs:col-span-8"
      />
      <TextField
        {...fieldProps(form, 'short_name')}
        label={INSTITUTION_LABELS.short_name}
        className="xs:col-span-4"
      />
      <PictureField
        label={INSTITUTION_LABELS.logo}
        name="logo"
        subject="logo"
        shape="square"
        file={file}
        onFile={select}
        picture={storedLogo}
        onRemove={() => (file === null ? form.setValue('logo', '') : select(null))}
        error={form.errors.logo}
        hint={<MissingFileNotice name={lostName} />}
      />
      <TextAreaField {...fieldProps(form, 'address')} label={INSTITUTION_LABELS.address} rows={3} />
      <PublicAddress form={form} />
      <Signatories form={form} />
      <Degrees form={form} />
    </div>
  );
}

function Signatories({ form }: { form: DraftForm<keyof InstitutionValues> }) {
  return (
    <FieldGroup
      legend="Signatories"
      name="signatories"
      hint="Those who sign documents, with their titles, in the order in which they stand there."
      error={form.errors.signatories}
    >
      {SIGNATORIES.flatMap((place) =>
        ([`signatory_${place}_name`, `signatory_${place}_title`] as const).map((name) => (
          <TextField
            key={name}
            {...fieldProps(form, name)}
            label={INSTITUTION_LABELS[name]}
            className="xs:col-span-6"
          />
        )),
      )}
    </FieldGroup>
  );
}

interface PaperPreviewProps {
  values: InstitutionValues;
  /** The file of a new logo. */
  file: File | null;
  /** Object URL of the stored logo. */
  storedLogo: string | null;
}

/** How the head and the signatories stand on paper. */
function PaperPreview({ values, file, storedLogo }: PaperPreviewProps) {
  const logo = useObjectUrl(file) ?? storedLogo;
  return (
    <aside aria-labelledby="paper-heading" className="min-w-0 max-w-120">
      <h2 id="paper-heading" className="pb-2.5">
        On paper
      </h2>
      <div className="rounded-chip border border-line bg-paper px-5.5 pt-5 pb-5.5 text-fg shadow-1">
        <div className="flex items-start gap-3">
          {logo !== null && <img src={logo} alt="Logo" className="size-11.5 flex-none object-contain" />}
          <div className="min-w-0">
            <p className="wrap-anywhere font-semibold text-ink-text text-section">
              {values.name.trim() || 'Name of the institution'}
            </p>
            <p className="wrap-anywhere whitespace-pre-line text-caption text-fg-2">
              {values.address.trim()}
            </p>
          </div>
        </div>
        <div className="mt-4 h-3.5 border-ink-line border-y" />
        <div className="mt-16 flex flex-wrap gap-5">
          {typedSignatories(values).map(({ name, title }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a signatory is its place; two may have the same name.
            <p key={place} className="wrap-anywhere min-w-24 flex-1 border-fg border-t pt-1 text-caption">
              <b className="block font-semibold">{name}</b>
              <span className="text-fg-2">{title}</span>
            </p>
          ))}
        </div>
      </div>
      <p className="mt-3 text-fg-3 text-label">A change shows on documents issued from now on.</p>
    </aside>
  );
}
