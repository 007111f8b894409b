/** The stored record as form values, with its version. */
export type StoredValues<Name extends string> = Record<Name | 'version', string>;

interface Changes<Name extends string> {
  /** The values that the edit started from. */
  base: Readonly<Record<Name, string>>;
  /** The current values of the form. */
  mine: Readonly<Record<Name, string>>;
  /** The stored values, after the other user's save. */
  stored: Readonly<Record<Name, string>>;
  /** The group of a field; fields of one group are accepted together or not at all. */
  getPart?: ((name: string) => string) | undefined;
}

interface RemoteChanges<Name extends string> {
  /** The fields that only the other user has changed: accepting them overwrites nothing typed here. */
  merged: Name[];
  /** The fields that differ, of those that both have changed. */
  conflicts: Name[];
}

/** Compares the changes of two users with what both of them began with. */
export function mergeRemoteChanges<Name extends string>({
  base,
  mine,
  stored,
  getPart = (name) => name,
}: Changes<Name>): RemoteChanges<Name> {
  const names: Name[] = [];
  // The version is not one of the values.
  for (const name in stored) if (name !== 'version') names.push(name);
  const isChanged = (values: Readonly<Record<Name, string>>, name: Name) =>
    values[name].trim() !== base[name].trim();
  const own = new Set(names.filter((name) => isChanged(mine, name)).map(getPart));
  const others = new Set(names.filter((name) => isChanged(stored, name)).map(getPart));
  return {
    merged: names.filter((name) => stored[name] !== base[name] && !own.has(getPart(name))),
    conflicts: names.filter(
      (name) =>
        stored[name].trim() !== mine[name].trim() && own.has(getPart(name)) && others.has(getPart(name)),
    ),
  };
}
