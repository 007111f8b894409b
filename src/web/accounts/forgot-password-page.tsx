import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { flash } from '../shell/flash.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { AuthFrame } from './auth-frame.tsx';

/** Makes no request: without a mail server there is nothing that the server could do. */
export function ForgotPasswordPage() {
  const navigate = useNavigate();
  const [email, setEmail] = useState('');

  const send = (event: FormEvent) => {
    event.preventDefault();
    flash('A recovery link will be sent to this email. (Feature in progress)');
    void navigate({ to: '/login' });
  };

  return (
    <AuthFrame title="Recover Password" text="Enter the email of your account.">
      <form noValidate onSubmit={send} className="flex flex-col gap-4.5">
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          placeholder="name@example.edu"
          value={email}
          onChange={setEmail}
        />
        <Button type="submit" variant="primary" size="lg">
          Submit
        </Button>
        <p className="text-label">
          <Link to="/login" className="link">
            Sign in.
          </Link>
        </p>
      </form>
    </AuthFrame>
  );
}
