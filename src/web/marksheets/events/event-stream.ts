/** A message of a stream of server-sent events. */
export interface StreamedEvent {
  name: string;
  data: string;
}

/**
 * Splits a stream of server-sent events (HTML standard, 9.2.6) into messages. `EventSource` can't be used: it sends no
 * `Authorization` header. Comments, ids and retry times are left out.
 *
 * @returns takes the next piece of text, answers the messages that it completes
 */
export function createEventParser(): (text: string) => StreamedEvent[] {
  let rest = '';
  let name = '';
  let data: string[] = [];
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    const events: StreamedEvent[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ name: name || 'message', data: data.join('\n') });
        name = '';
        data = [];
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (field === 'event') name = value;
      else if (field === 'data') data.push(value);
    }
    return events;
  };
}
