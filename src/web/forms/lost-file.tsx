/** Names the file that a form has lost, since no draft can hold one; nothing where none is missing. */
export function LostFile({ name }: { name: string | null }) {
  if (name === null) return null;
  return <p className="wrap-anywhere">{name} could not be kept with what you typed. Choose it again.</p>;
}
