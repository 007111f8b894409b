/** The parser of each search parameter; answers undefined for a value that is not valid. */
type Parsers<Params> = { [Name in keyof Params]-?: (value: unknown) => Params[Name] | undefined };

/** Makes a function that parses an address, which anybody may have typed: unknown and invalid parameters are dropped. */
export const searchParamsParser =
  <Params extends object>(parsers: Parsers<Params>) =>
  (search: Readonly<Record<string, unknown>>): Partial<Params> => {
    const params: Partial<Params> = {};
    for (const name in parsers) {
      const value = parsers[name](search[name]);
      if (value !== undefined) params[name] = value;
    }
    return params;
  };

/** A text of at most so many characters that is not blank. */
export const shortText = (maxLength: number) => (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxLength ? value : undefined;

/** The text of a search, cut off after so many characters. It ends with a space while a further word is typed. */
export const typedText = (maxLength: number) => (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxLength) : undefined;

/** A text that is typed or pasted as a whole, without spaces around it, cut off after so many characters. */
export const trimmedText = (maxLength: number) => (value: unknown) =>
  (typeof value === 'string' && value.trim().slice(0, maxLength)) || undefined;

/** The digits of a whole number from 1 to a maximum. */
export const wholeNumber = (max: number) => (value: unknown) =>
  typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) && Number(value) <= max ? value : undefined;
