import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import {
  BadgeCheck,
  Ban,
  CircleAlert,
  DraftingCompass,
  Files,
  ScanLine,
  SearchX,
  TimerOff,
  WifiOff,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Verification } from '../../../contract/documents/verification.ts';
import { ApiError } from '../../lib/api.ts';
import { call, findRefusal } from '../../lib/call.ts';
import { formatDate, formatDay, formatTime } from '../../lib/format.ts';
import { readMeta } from '../../lib/page/read-meta.ts';
import { ThemeSwitch } from '../../shell/theme-switch.tsx';
import { Button } from '../../ui/button.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { HandCodeForm } from './hand-code-form.tsx';
import './verify.css';

const verificationQuery = (code: string) =>
  queryOptions({
    queryKey: ['verification', code],
    // In the body: the logs of proxies have addresses.
    queryFn: ({ signal }) => call('POST /api/verify', { body: { code }, signal, hasOverlay: false }),
    staleTime: 0,
    gcTime: 0,
  });

/** The code of a document is behind the hash, so that no server on the way has it in its log; without one it is entered by hand. */
export function VerifyPage() {
  const code = useLocation({ select: ({ hash }) => hash });
  // What was typed belongs to the code before.
  return code === '' ? <EnterCode /> : <CheckedCode key={code} code={code} />;
}

/** The address on the first documents: its last part is the code. */
export function EarlierVerifyPage() {
  const { code = '' } = useParams({ strict: false });
  return <CheckedCode key={code} code={code} />;
}

function EnterCode() {
  return (
    <VerifyLayout>
      <Verdict icon={<ScanLine />} title="Verify a document">
        Scan the QR code on the paper, or enter what stands beside it.
      </Verdict>
      <HandCodeForm />
    </VerifyLayout>
  );
}

/** The page for anybody who scans the code of a document, without signing in. */
function CheckedCode({ code }: { code: string }) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(verificationQuery(code));
  return (
    <VerifyLayout institution={data?.institution}>
      {/* One region for every outcome, so that screen readers announce it. */}
      <div role="status">
        {isFetching ? (
          <Verdict icon={<span className="spin" />} title="Checking the document" />
        ) : data === undefined ? (
          <Refusal error={error} />
        ) : (
          <Answer verification={data} checkedAt={new Date(dataUpdatedAt).toISOString()} />
        )}
      </div>
      {!isFetching && data !== undefined && (
        <>
          <DocumentFacts verification={data} />
          <p className="mt-4 text-pretty text-fg-2">
            {data.state === 'revoked' ? (
              'Name and results of a revoked document are not shown. Ask the institution why.'
            ) : (
              <>
                <b className="font-semibold text-fg">Compare these with the paper.</b> If the name, an SGPA or
                the CGPA differs, the paper has been changed.
              </>
            )}
          </p>
          <p className="mt-3">
            <Link to="/verify" className="link inline-flex min-h-6 items-center">
              Verify another document
            </Link>
          </p>
        </>
      )}
      {!isFetching && data === undefined && isUnknown(error) && !isAltered(error) && (
        <HandCodeForm code={code} />
      )}
      {!isFetching && data === undefined && !isUnknown(error) && (
        <div className="verify-panel">
          <Button variant="primary" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
    </VerifyLayout>
  );
}

const isUnknown = (error: Error | null) => error instanceof ApiError && error.status === 404;

/** The document was issued, but the register has other figures than were signed. */
const isAltered = (error: Error | null) => findRefusal(error, 'POST /api/verify', 404)?.state === 'altered';

function Answer({ verification, checkedAt }: { verification: Verification; checkedAt: string }) {
  if (verification.state === 'revoked') {
    return (
      <Verdict tone="danger" icon={<Ban />} title="This document was revoked.">
        It must not be accepted.
      </Verdict>
    );
  }
  if (verification.state === 'superseded') {
    return (
      <Verdict tone="warn" icon={<Files />} title="This document is out of date.">
        It was genuine when it was issued on {formatDate(verification.issued_on)}, with the figures below. The
        record has changed since: ask its holder for a newer one.
      </Verdict>
    );
  }
  return (
    <Verdict tone="ok" icon={<BadgeCheck />} title="This document is valid.">
      Checked today, {formatDay(checkedAt)}, {formatTime(checkedAt)}.
    </Verdict>
  );
}

function Refusal({ error }: { error: Error | null }) {
  if (isAltered(error)) {
    return (
      <Verdict tone="danger" icon={<CircleAlert />} title="This document could not be confirmed.">
        {error?.message}
      </Verdict>
    );
  }
  const status = error instanceof ApiError ? error.status : 0;
  switch (status) {
    case 404:
      return (
        <Verdict icon={<SearchX />} title="No document has this code.">
          A document with an unknown code was not issued here. One wrong character is enough: compare the code
          with the paper.
        </Verdict>
      );
    case 429:
      return (
        <Verdict tone="warn" icon={<TimerOff />} title="Too many codes were tried.">
          Nothing was checked. Wait ten minutes, then try again.
        </Verdict>
      );
    case 0:
      return (
        <Verdict icon={<WifiOff />} title="The document could not be checked.">
          The server could not be reached. Check your connection.
        </Verdict>
      );
    default:
      return (
        <Verdict icon={<CircleAlert />} title="The document could not be checked.">
          {error?.message}
        </Verdict>
      );
  }
}

interface VerdictProps {
  tone?: 'ok' | 'warn' | 'danger' | 'neutral';
  icon: ReactNode;
  title: string;
  children?: ReactNode;
}

function Verdict({ tone = 'neutral', icon, title, children }: VerdictProps) {
  return (
    <div className="verify-verdict" data-tone={tone}>
      <span className="verify-icon" aria-hidden="true">
        {icon}
      </span>
      <div className="min-w-0">
        <h1>{title}</h1>
        {children !== undefined && <p className="mt-0.5 text-pretty text-fg-2">{children}</p>}
      </div>
    </div>
  );
}

interface VerifyLayoutProps {
  /** The institution that has issued the document, once it is known. */
  institution?: Verification['institution'] | undefined;
  children: ReactNode;
}

/** The page of the public checks: for people who never sign in, so without the shell. */
function VerifyLayout({ institution, children }: VerifyLayoutProps) {
  const name = institution?.name ?? readMeta('sims-institution') ?? 'Student Information Management System';
  const logo = readMeta('sims-institution-logo');
  const contact = [institution?.name, institution?.address].filter(Boolean).join(', ');
  return (
    <div className="verify">
      <header className="flex items-center gap-3.5 border-line border-b bg-paper px-(--gutter) py-3.5">
        {logo === null ? (
          <DraftingCompass className="size-7 shrink-0 text-ink-text" strokeWidth={1.5} aria-hidden="true" />
        ) : (
          <img src={logo} alt="" className="size-9.5 shrink-0 rounded-chip bg-white object-contain" />
        )}
        <div className="min-w-0 flex-1">
          <b className="wrap-anywhere block font-semibold">{name}</b>
          <span className="block text-fg-3 text-label">Document verification</span>
        </div>
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1} className="verify-main">
        {children}
      </main>
      {contact !== '' && (
        <footer className="wrap-anywhere whitespace-pre-line border-line border-t px-(--gutter) py-4 text-center text-fg-3 text-label">
          Questions: {contact}
        </footer>
      )}
    </div>
  );
}
