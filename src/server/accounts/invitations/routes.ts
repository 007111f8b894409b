import {
  accountLinkReply,
  invitationInput,
  invitedReply,
  resetPasswordInput,
  signedInReply,
} from '../../../contract/accounts/accounts.ts';
import { passwordConfirmation } from '../../../contract/accounts/sign-in.ts';
import type { App, Deps } from '../../app-types.ts';
import { transact } from '../../history/transaction.ts';
import { requireAdmin } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { hashNewPassword } from '../credentials/set-password.ts';
import { userPath } from '../queries.ts';
import { getOrigin } from '../sign-in/sign-in.ts';
import {
  acceptInvitation,
  invitationPath,
  inviteUser,
  mailInvitation,
  renewInvitation,
  requireInvitation,
} from './invitations.ts';

const tags = ['Accounts'];

/** Needs no sign-in. */
export function acceptInvitationRoute(app: App, { db, settings }: Deps): void {
  app.post(
    '/api/accept-invitation',
    {
      schema: {
        tags,
        summary: 'Choose a password with the link of an invitation, and sign in',
        body: resetPasswordInput,
        response: { 200: signedInReply, ...refusals(422) },
      },
    },
    async (request) => {
      const { token: link, password } = request.body;
      const invited = await requireInvitation(db.write, link);
      const passwordHash = await hashNewPassword(db.read, password, invited);
      const session = { limits: settings.session, origin: getOrigin(request) };
      const { user, token } = await transact(db.write, (tx) =>
        acceptInvitation(tx, link, invited.id, passwordHash, session),
      );
      request.log.info({ userId: user.id, ip: request.ip }, 'invitation accepted, signed in');
      return { token, user, message: 'Your password has been set.' };
    },
  );
}

/** Administrators invite. An invitation is withdrawn by rejecting its account. */
export function invitationRoutes(app: App, deps: Deps): void {
  const { db, mailer } = deps;

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

  app.post(
    '/api/invitations',
    {
      schema: {
        tags,
        summary: 'Invite a user',
        description:
          'For administrators, with their own current password. The link to choose a password is mailed, or answered where it can’t be; it works once, for 7 days.',
        body: invitationInput,
        response: { 201: invitedReply, ...refusals(403, 422, 429) },
      },
    },
    async (request, reply) => {
      const actor = requireAdmin(request);
      const { password, ...account } = request.body;
      await confirmPassword(deps, actor, password);
      const invitation = await transactAccountsAs(db.write, actor, (tx, author) =>
        inviteUser(tx, author, account),
      );
      const { user } = invitation;
      return reply.code(201).send({ user, ...(await deliver(invitation, request.log)) });
    },
  );

  app.post(
    '/api/users/:id/invitation',
    {
      schema: {
        tags,
        summary: 'Make another link for an invited user',
        description: 'For administrators, with their own current password. The earlier link ends.',
        params: userPath,
        body: passwordConfirmation,
        response: { 200: accountLinkReply, ...refusals(403, 404, 409, 422, 429) },
      },
    },
    async (request) => {
      const actor = requireAdmin(request);
      await confirmPassword(deps, actor, request.body.password);
      const invitation = await transactAccountsAs(db.write, actor, (tx, author) =>
        renewInvitation(tx, author, request.params.id),
      );
      return deliver(invitation, request.log);
    },
  );
}
