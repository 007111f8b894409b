/** The pages that mailed links lead to, and the one that asks for such a link. The router loads them as one module. */

export { InvitationPage } from './invitation-page.tsx';
export { ForgotPasswordPage } from './recovery/forgot-password-page.tsx';
export { ResetPasswordPage, SetPasswordPage } from './recovery/reset-password-page.tsx';
export { VerifyEmailPage } from './verify-email-page.tsx';
