/** The pages that visitors without an account begin with, which the router loads as one module. */

export { LoginPage } from './login-page.tsx';
export { RegisterPage } from './register-page.tsx';
