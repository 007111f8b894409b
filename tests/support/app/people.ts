import { type SignedIn, signedInReply, type User } from '../../../src/contract/accounts/accounts.ts';
import { invalidReply } from '../../../src/contract/errors.ts';
import { unique } from '../records.ts';

export interface Call {
  token?: string;
  /** An object is sent as JSON, a text unchanged. */
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** The caller's network address. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  /** The parsed body of a JSON reply. */
  body: unknown;
}

/** The field errors of a 422 reply; fails for any other reply. */
export function getFieldErrors(answer: Answer): Record<string, string[]> {
  if (answer.status !== 422) throw new Error(`Not refused as invalid but ${answer.status}: ${answer.text}`);
  return invalidReply.parse(answer.body).errors;
}

/** A signed-in user. */
export interface Person extends Pick<SignedIn, 'user' | 'token'> {
  password: string;
  call(method: string, url: string, call?: Omit<Call, 'token'>): Promise<Answer>;
  get(url: string): Promise<Answer>;
  post(url: string, body?: unknown): Promise<Answer>;
  put(url: string, body?: unknown): Promise<Answer>;
  delete(url: string): Promise<Answer>;
}

export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

/** Few, because each is hashed once per worker. Accounts created in sequence have different ones. */
const PASSWORDS = ['first pass word', 'second pass word', 'third pass word', 'fourth pass word'];
let made = 0;

export function newAccount(changes: Partial<NewAccount> = {}): NewAccount {
  made += 1;
  const password = PASSWORDS[made % PASSWORDS.length] ?? '';
  return { name: 'Sana Malik', email: `${unique()}@faculty.example`, password, ...changes };
}

/** A target of API calls, and the users with accounts on it. */
export abstract class People {
  abstract call(method: string, url: string, call?: Call): Promise<Answer>;

  /** Creates an account and signs it in; the first one of an application is an administrator. */
  register(changes: Partial<NewAccount> = {}): Promise<Person> {
    return this.registerByCall(changes);
  }

  /** The same through the API, for tests of the registration. */
  async registerByCall(changes: Partial<NewAccount> = {}): Promise<Person> {
    const account = newAccount(changes);
    const answer = await this.call('POST', '/api/register', {
      body: { ...account, password_confirmation: account.password },
    });
    if (answer.status !== 201) throw new Error(`Registering answered ${answer.status}: ${answer.text}`);
    return this.person(signedInReply.parse(answer.body), account.password);
  }

  /** Signs the same user in again, in another session. */
  async signIn({ user, password }: Pick<Person, 'user' | 'password'>): Promise<Person> {
    const answer = await this.call('POST', '/api/login', { body: { email: user.email, password } });
    if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${answer.text}`);
    return this.person(signedInReply.parse(answer.body), password);
  }

  /** Changes the role of another user as an administrator. */
  async giveRole(admin: Person, { user }: Person, role: User['role']): Promise<Answer> {
    return admin.put(`/api/users/${user.id}`, { ...user, role, password: admin.password });
  }

  protected person({ user, token }: Pick<SignedIn, 'user' | 'token'>, password: string): Person {
    const call = (method: string, url: string, rest: Omit<Call, 'token'> = {}) =>
      this.call(method, url, { ...rest, token });
    return {
      user,
      token,
      password,
      call,
      get: (url) => call('GET', url),
      post: (url, body) => call('POST', url, { body }),
      put: (url, body) => call('PUT', url, { body }),
      delete: (url) => call('DELETE', url),
    };
  }
}
