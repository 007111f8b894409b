import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * The search parameters of the page, so that a reload and a link keep what it shows. `''` removes a parameter. The page
 * parses them itself: what the router parses is part of the first script, which every page waits for.
 *
 * @param parse drops what is unknown or invalid
 */
export function useSearchParams<Params extends object>(
  parse: (search: Readonly<Record<string, unknown>>) => Params,
) {
  const address = parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (parts: { [Name in keyof Params]: string }) =>
    void navigate({
      to: '.',
      search: (now) => parse({ ...now, ...parts }),
      replace: true,
      resetScroll: false,
    });
  return { address, change };
}
