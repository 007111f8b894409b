import { FAMILY_FIELD_LABELS } from '../../domain/field-labels.ts';
import type { FamilyValues } from './family-values.ts';

export const FAMILY_LABELS: Record<keyof FamilyValues, string> = FAMILY_FIELD_LABELS;
