import { useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Form } from '../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { call } from '../../lib/call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { flash } from '../../ui/flash.tsx';
import { accountStatesQuery, ROLE_OPTIONS, usersQuery } from '../account-queries.ts';
import { refuseAt } from '../password-errors.ts';
import { LinkDialog } from './link-dialog.tsx';

/** Tells the administrator what to do with the link of an invitation. */
export const INVITATION_LINK_TEXT =
  'Give this link to the person. It works once, for 7 days: they choose a password and are signed in.';

/** The button with which an administrator invites a user, and its dialogs. */
export function InviteUser() {
  const [isOpen, setIsOpen] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const madeLink = useRef<string | null>(null);
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)}>
        <UserPlus />
        Invite a user
      </Button>
      {isOpen && (
        <InviteDialog
          onInvited={(made) => {
            madeLink.current = made;
          }}
          onClose={() => {
            setIsOpen(false);
            // Not before: the browser gives the focus back to the button first.
            setLink(madeLink.current);
            madeLink.current = null;
          }}
        />
      )}
      {link !== null && (
        <LinkDialog
          title="The invitation has been made"
          text={INVITATION_LINK_TEXT}
          link={link}
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}

const EMPTY = { name: '', email: '', role: 'staff', password: '' };
const SECRETS = ['password'] as const;

interface InviteDialogProps {
  /** The link, or null if it was mailed. */
  onInvited: (link: string | null) => void;
  onClose: () => void;
}

function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const form = useDraftForm({ draftKey: 'user-invite', initial: EMPTY, secrets: SECRETS });

  const send = () =>
    form.submit(async () => {
      const invite = call('POST /api/invitations', { body: form.values });
      const { link, message } = await invite.catch(refuseAt('password'));
      form.discardDraft();
      onInvited(link);
      flash(message, link === null || message.endsWith('made.') ? 'done' : 'warning');
      dialog.current?.close();
      // Not awaited: the dialog closes before the list changes.
      void queries.invalidateQueries(usersQuery);
      void queries.invalidateQueries(accountStatesQuery);
    });

  return (
    <TaskDialog dialog={dialog} title="Invite a user" isRunning={form.isProcessing} onClose={onClose}>
      <Form onSubmit={send} className="flex flex-col gap-4 overflow-y-auto px-5 pb-5">
        <p className="text-fg-2">The person gets a link, chooses a password and is signed in.</p>
        {form.failure !== null && <Alert>{form.failure}</Alert>}
        {/* Named apart from the fields of the account form on the page. */}
        <TextField
          {...fieldProps(form, 'name')}
          name="invited-name"
          label="Name"
          required
          autoComplete="off"
        />
        <TextField
          {...fieldProps(form, 'email')}
          name="invited-email"
          label="Email"
          type="email"
          required
          autoComplete="off"
        />
        <SelectField
          {...fieldProps(form, 'role')}
          name="invited-role"
          label="Role"
          required
          options={ROLE_OPTIONS}
        />
        <PasswordField
          {...fieldProps(form, 'password')}
          name="proof-password"
          label="Your Current Password"
          required
          autoComplete="current-password"
        />
        <div className="flex flex-wrap justify-end gap-2 max-xs:*:grow">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Invite
          </Button>
        </div>
      </Form>
    </TaskDialog>
  );
}
