/** The pages for signed-out visitors, which the router loads as one module. */

export { InvitationPage } from './invitation-page.tsx';
export { LoginPage } from './login-page.tsx';
export { ForgotPasswordPage } from './recovery/forgot-password-page.tsx';
export { ResetPasswordPage, SetPasswordPage } from './recovery/reset-password-page.tsx';
export { RegisterPage } from './register-page.tsx';
export { VerifyEmailPage } from './verify-email-page.tsx';
