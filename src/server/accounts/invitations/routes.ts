import { invitationCalls } from '../../../contract/accounts/invitations.ts';
import type { App, Deps } from '../../app-types.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { hashNewPassword } from '../credentials/set-password.ts';
import { getOrigin } from '../sign-in/sign-in.ts';
import {
  acceptInvitation,
  invitationPath,
  inviteUser,
  mailInvitation,
  renewInvitation,
  requireInvitation,
} from './invitations.ts';

/** Needs no sign-in. */
export function acceptInvitationRoute(app: App, { db, settings }: Deps): void {
  bindCalls(app, invitationCalls)('POST /api/accept-invitation', async ({ body, request }) => {
    const { token: link, password } = body;
    const invited = await requireInvitation(db.write, link);
    const passwordHash = await hashNewPassword(db.read, password, invited);
    const session = { limits: settings.session, origin: getOrigin(request) };
    const { user, token } = await transact(db.write, (tx) =>
      acceptInvitation(tx, link, invited.id, passwordHash, session),
    );
    request.log.info({ userId: user.id, ip: request.ip }, 'invitation accepted, signed in');
    return { token, user, message: 'Your password has been set.' };
  });
}

/** Administrators invite. An invitation is withdrawn by rejecting its account. */
export function invitationRoutes(app: App, deps: Deps): void {
  const { db, mailer } = deps;
  const handle = bindCalls(app, invitationCalls);

  /** Mails the link, or answers it where that is not possible. */
  const deliver = async (
    invitation: Parameters<typeof mailInvitation>[2],
    log: { error(details: object, text: string): void },
  ) => {
    const isMailed =
      mailer !== undefined &&
      (await mailInvitation(db.write, mailer, invitation, (err) =>
        log.error({ err }, 'invitation not mailed'),
      ));
    if (isMailed) return { message: 'The invitation has been mailed.', link: null };
    const message =
      mailer === undefined
        ? 'The invitation has been made.'
        : 'The invitation has been made, but could not be mailed.';
    return { message, link: invitationPath(invitation.token) };
  };

  handle('POST /api/invitations', async ({ body: { password, ...account }, actor, request }) => {
    await confirmPassword(deps, actor, password);
    const invitation = await transactAccountsAs(db.write, actor, (tx, author) =>
      inviteUser(tx, author, account),
    );
    return { user: invitation.user, ...(await deliver(invitation, request.log)) };
  });

  handle('POST /api/users/:id/invitation', async ({ params, body, actor, request }) => {
    await confirmPassword(deps, actor, body.password);
    const invitation = await transactAccountsAs(db.write, actor, (tx, author) =>
      renewInvitation(tx, author, params.id),
    );
    return deliver(invitation, request.log);
  });
}
