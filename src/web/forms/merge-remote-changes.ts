/** The stored record as form values, with its version. */
export type StoredValues<Name extends string> = Record<Name | 'version', string>;

interface Changes<Name extends string> {
  /** The values that the edit started from. */
  base: Record<Name, string>;
  /** The current values of the form. */
  mine: Record<Name, string>;
  /** The stored values, after the other user's save. */
  stored: Record<Name, string>;
  /** The group of a field; fields of one group are accepted together or not at all. */
  partOf?: ((name: string) => string) | undefined;
}

/** The fields that only the other user has changed: accepting them overwrites nothing typed here. */
export function mergeRemoteChanges<Name extends string>({
  base,
  mine,
  stored,
  partOf = (name) => name,
}: Changes<Name>): Name[] {
  const names: Name[] = [];
  // The version is not one of the values.
  for (const name in stored) if (name !== 'version') names.push(name);
  const own = new Set(names.filter((name) => mine[name] !== base[name]).map(partOf));
  return names.filter((name) => stored[name] !== base[name] && !own.has(partOf(name)));
}
