/** The pages for signed-out visitors, which the router loads as one module. */
export { ForgotPasswordPage } from './forgot-password-page.tsx';
export { InvitationPage } from './invitation-page.tsx';
export { LoginPage } from './login-page.tsx';
export { RegisterPage } from './register-page.tsx';
export { ResetPasswordPage, SetPasswordPage } from './reset-password-page.tsx';
export { VerifyEmailPage } from './verify-email-page.tsx';
