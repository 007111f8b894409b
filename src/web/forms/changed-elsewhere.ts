/** The record as it is stored, as form values, with the version that they have. */
export type StoredValues<Name extends string> = Record<Name | 'version', string>;

interface Changes<Name extends string> {
  /** What the edit began with. */
  base: Record<Name, string>;
  /** What stands in the form. */
  mine: Record<Name, string>;
  /** What somebody else has saved meanwhile. */
  stored: Record<Name, string>;
  /** Fields with the same answer mean something only together. */
  partOf?: ((name: string) => string) | undefined;
}

/** The fields that only somebody else has changed, so that taking them over undoes nothing that was typed here. */
export function changedElsewhere<Name extends string>({
  base,
  mine,
  stored,
  partOf = (name) => name,
}: Changes<Name>): Name[] {
  const names: Name[] = [];
  // The version says what the values are based on and is none of them.
  for (const name in stored) if (name !== 'version') names.push(name);
  const own = new Set(names.filter((name) => mine[name] !== base[name]).map(partOf));
  return names.filter((name) => stored[name] !== base[name] && !own.has(partOf(name)));
}
