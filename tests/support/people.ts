import { type SignedIn, signedInReply, type User } from '../../src/contract/accounts.ts';
import { invalidReply } from '../../src/contract/errors.ts';
import { unique } from './records.ts';

export interface Call {
  token?: string;
  /** An object goes out as JSON; a text as it is. */
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
  /** The JSON, where the answer is JSON. */
  body: unknown;
}

/** The fields that an answer refuses, with their texts; fails when it is not such a refusal. */
export function errorsOf(answer: Answer): Record<string, string[]> {
  if (answer.status !== 422) throw new Error(`Not refused as invalid but ${answer.status}: ${answer.text}`);
  return invalidReply.parse(answer.body).errors;
}

/** Somebody with an account, signed in. */
export interface Person extends Pick<SignedIn, 'user' | 'token'> {
  password: string;
  call(method: string, url: string, call?: Omit<Call, 'token'>): Promise<Answer>;
  get(url: string): Promise<Answer>;
  post(url: string, body?: unknown): Promise<Answer>;
  put(url: string, body?: unknown): Promise<Answer>;
  delete(url: string): Promise<Answer>;
}

/** Whatever answers the calls of the product, and the people who have accounts on it. */
export abstract class People {
  abstract call(method: string, url: string, call?: Call): Promise<Answer>;

  /** Makes an account; the first on an application is the administrator's. */
  async register(changes: Partial<Record<'name' | 'email' | 'password', string>> = {}): Promise<Person> {
    const account = {
      name: 'Sana Malik',
      email: `${unique()}@faculty.example`,
      password: `pass word ${unique()}`,
      ...changes,
    };
    const answer = await this.call('POST', '/api/register', {
      body: { ...account, password_confirmation: account.password },
    });
    if (answer.status !== 201) throw new Error(`Registering answered ${answer.status}: ${answer.text}`);
    return this.#person(signedInReply.parse(answer.body), account.password);
  }

  /** The same person signed in once more. */
  async signIn({ user, password }: Pick<Person, 'user' | 'password'>): Promise<Person> {
    const answer = await this.call('POST', '/api/login', { body: { email: user.email, password } });
    if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${answer.text}`);
    return this.#person(signedInReply.parse(answer.body), password);
  }

  /** Gives another person a role, as the administrator does it. */
  async giveRole(admin: Person, { user }: Person, role: User['role']): Promise<Answer> {
    return admin.put(`/api/users/${user.id}`, { ...user, role, password: admin.password });
  }

  #person({ user, token }: SignedIn, password: string): Person {
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
