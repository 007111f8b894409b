import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, onSessionEnded, sendCall } from './api.ts';

/** A response whose connection breaks after the first part of its body. */
const brokenResponse = (status: number) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"message": "The mark'));
        controller.error(new TypeError('network error'));
      },
    }),
    { status },
  );

beforeEach(() => vi.stubGlobal('sessionStorage', { getItem: () => null }));
afterEach(() => vi.unstubAllGlobals());

describe('a call', () => {
  it.each([200, 500])(
    'whose connection breaks in the body of a %s fails like one without a server',
    async (status) => {
      vi.stubGlobal('fetch', async () => brokenResponse(status));
      const failed = sendCall('POST', '/api/sheets/1/submit').catch((error: unknown) => error);
      expect(await failed).toBeInstanceOf(ApiError);
      expect(await failed).toMatchObject({
        status: 0,
        message: expect.stringMatching(/^The server could not be reached\./),
      });
    },
  );

  it('that is cancelled while the body arrives fails with the reason of its signal', async () => {
    const cancelling = new AbortController();
    vi.stubGlobal('fetch', async () => {
      cancelling.abort();
      return brokenResponse(200);
    });
    const failed = sendCall('GET', '/api/sheets/1', { signal: cancelling.signal });
    await expect(failed).rejects.not.toBeInstanceOf(ApiError);
  });
});

describe('a call that is refused because its session has ended', () => {
  let token: string | null;
  const ended = vi.fn();
  const refuse = () => new Response(null, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
  beforeEach(() => {
    token = 'first';
    ended.mockReset();
    onSessionEnded(ended);
    vi.stubGlobal('localStorage', {});
    vi.stubGlobal('sessionStorage', { getItem: (key: string) => (key === 'AUTH-TOKEN' ? token : null) });
  });

  it('ends that session', async () => {
    vi.stubGlobal('fetch', async () => refuse());
    await expect(sendCall('GET', '/api/students')).rejects.toMatchObject({ status: 401 });
    expect(ended).toHaveBeenCalledOnce();
  });

  it.each([{ current: 'second' }, { current: null }])(
    'ends no session when the token is $current by then',
    async ({ current }) => {
      vi.stubGlobal('fetch', async () => {
        token = current;
        return refuse();
      });
      await expect(sendCall('GET', '/api/students')).rejects.toMatchObject({ status: 401 });
      expect(ended).not.toHaveBeenCalled();
    },
  );

  it('ends no session that began after a call without a token', async () => {
    token = null;
    vi.stubGlobal('fetch', async () => {
      token = 'first';
      return refuse();
    });
    await expect(sendCall('GET', '/api/students')).rejects.toMatchObject({ status: 401 });
    expect(ended).not.toHaveBeenCalled();
  });
});
