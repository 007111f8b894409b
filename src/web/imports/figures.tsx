interface FiguresProps {
  figures: readonly { name: string; value: string; of?: string }[];
}

/** Counts in large type beside each other. */
export function Figures({ figures }: FiguresProps) {
  return (
    <dl className="flex flex-wrap gap-y-3">
      {figures.map(({ name, value, of }) => (
        <div key={name} className="border-line pe-6 not-first:border-s not-first:ps-6">
          <dt className="text-caption text-fg-3">{name}</dt>
          <dd className="font-[620] text-[1.25rem] leading-7">
            {value}
            {of !== undefined && <span className="font-[450] text-fg-3 text-label"> {of}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
