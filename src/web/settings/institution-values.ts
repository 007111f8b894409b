import type { Institution } from '../../contract/installation/institution.ts';
import { DEPARTMENT_CODES, DEPARTMENTS, type Department } from '../../domain/student.ts';

/** The places for signatories. */
export const SIGNATORIES = [1, 2, 3] as const;
type Place = (typeof SIGNATORIES)[number];

/** Labels in the order of the form, as the error summary lists them. */
export const INSTITUTION_LABELS = {
  name: 'Name',
  short_name: 'Short name',
  address: 'Address',
  logo: 'Logo',
  public_url: 'Public address',
  degree_EE: `Degree of ${DEPARTMENTS.EE}`,
  degree_CE: `Degree of ${DEPARTMENTS.CE}`,
  degree_ME: `Degree of ${DEPARTMENTS.ME}`,
  degree_MTS: `Degree of ${DEPARTMENTS.MTS}`,
  signatory_1_name: 'Name of signatory 1',
  signatory_1_title: 'Title of signatory 1',
  signatory_2_name: 'Name of signatory 2',
  signatory_2_title: 'Title of signatory 2',
  signatory_3_name: 'Name of signatory 3',
  signatory_3_title: 'Title of signatory 3',
} as const;

/** The values of the form, as typed. `logo` is the URL of the stored picture, `logo_file` the name of a chosen file. */
export type InstitutionValues = Record<keyof typeof INSTITUTION_LABELS | 'logo_file', string>;

export function toInstitutionValues(institution: Institution, version = '') {
  const degree = (code: Department) =>
    institution.programmes.find(({ department }) => department === code)?.title ?? '';
  const signatory = (place: Place) => institution.signatories[place - 1] ?? { name: '', title: '' };
  return {
    name: institution.name ?? '',
    short_name: institution.short_name ?? '',
    address: institution.address ?? '',
    logo: institution.logo ?? '',
    logo_file: '',
    public_url: institution.public_url ?? '',
    degree_EE: degree('EE'),
    degree_CE: degree('CE'),
    degree_ME: degree('ME'),
    degree_MTS: degree('MTS'),
    signatory_1_name: signatory(1).name,
    signatory_1_title: signatory(1).title,
    signatory_2_name: signatory(2).name,
    signatory_2_title: signatory(2).title,
    signatory_3_name: signatory(3).name,
    signatory_3_title: signatory(3).title,
    version,
  };
}

/** The signatories of whom anything is typed. */
export const typedSignatories = (values: InstitutionValues) =>
  SIGNATORIES.map((place) => ({
    name: values[`signatory_${place}_name`].trim(),
    title: values[`signatory_${place}_title`].trim(),
  })).filter(({ name, title }) => name !== '' || title !== '');

/** The degrees that have a title. */
const typedProgrammes = (values: InstitutionValues) =>
  DEPARTMENT_CODES.map((department) => ({ department, title: values[`degree_${department}`].trim() })).filter(
    ({ title }) => title !== '',
  );

/** JSON, or a form with the file of a new logo. */
export function toInstitutionBody(values: InstitutionValues, file: File | null) {
  const { name, short_name, address, logo, public_url } = values;
  const texts = { name, short_name, address, logo, public_url };
  const signatories = typedSignatories(values);
  const programmes = typedProgrammes(values);
  if (file === null) return { ...texts, signatories, programmes };
  const form = new FormData();
  for (const [field, text] of Object.entries(texts)) form.set(field, text);
  form.set('signatories', JSON.stringify(signatories));
  form.set('programmes', JSON.stringify(programmes));
  form.set('logo', file);
  return form;
}
