import { expect, test } from 'vitest';
import { describeUserAgent } from './user-agent.ts';

const MOZILLA = 'Mozilla/5.0';
const LIKE_CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${LIKE_CHROME} Safari/537.36`, 'Chrome on Windows'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${LIKE_CHROME} Safari/537.36 Edg/141.0`, 'Edge on Windows'],
  [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [`${MOZILLA} (Linux; Android 10; K) ${LIKE_CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${LIKE_CHROME} Safari/537.36 OPR/120.0`, 'Opera on ChromeOS'],
  ['curl/8.14.1', 'curl'],
  [`${MOZILLA} (compatible)`, null],
  ['<script>alert(1)</script>', null],
  ['', null],
  [null, null],
])('%s is described as %s', (userAgent, words) => {
  expect(describeUserAgent(userAgent)).toBe(words);
});
