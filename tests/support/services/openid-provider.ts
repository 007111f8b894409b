/// <reference path="./oidc-provider.d.ts" />
import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import Provider, { type Context } from 'oidc-provider';
import type { ProviderSettings } from '../../../src/server/settings/settings.ts';

interface Claims {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

const CLIENT = { id: 'sims', secret: 'a secret of the two of them' };

const generateKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** For all providers of a worker, because generating them takes longer than most tests. */
const KEY = generateKey();
/** A key that the providers do not publish. */
const UNKNOWN_KEY = generateKey();

/** A real OpenID provider on its own port. Users sign in with a name and no password. */
export class OpenIdProvider {
  readonly people = new Map<string, Claims>();
  /** Changes the claims of an ID token before it is signed correctly. */
  forge: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Signs forged tokens with a key that the provider does not publish. */
  forgesSignature = false;
  readonly #server: Server;
  #issuer = '';

  private constructor() {
    this.#server = createServer();
  }

  /** @param publicUrl of the product, for the redirect after the sign-in */
  static async start(publicUrl: URL): Promise<OpenIdProvider> {
    const self = new OpenIdProvider();
    await new Promise<void>((resolve) => self.#server.listen(0, '127.0.0.1', resolve));
    const address = self.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The provider has no port.');
    self.#issuer = `http://127.0.0.1:${address.port}`;
    const provider = self.#provider(new URL('/api/provider/callback', publicUrl).href);
    self.#server.on('request', provider.callback());
    return self;
  }

  get settings(): ProviderSettings {
    return {
      issuer: new URL(this.#issuer),
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      name: 'Faculty ID',
    };
  }

  #provider(redirectUri: string): Provider {
    const jwk = { ...KEY.privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' };
    const provider = new Provider(this.#issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key of the tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.people.get(sub) }),
      }),
      loadExistingGrant: async ({ oidc: { client, session } }: Context) => {
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (ctx, next) => {
      if (ctx.path.startsWith('/interaction/')) return askWho(provider, ctx);
      await next();
      if (ctx.path === '/token' && this.forge !== undefined) this.#forgeIn(ctx.body, this.forge);
    });
    return provider;
  }

  #forgeIn(body: unknown, forge: NonNullable<OpenIdProvider['forge']>): void {
    const [head = '', claims = ''] = String(Reflect.get(Object(body), 'id_token')).split('.');
    const forged = forge(JSON.parse(Buffer.from(claims, 'base64url').toString()));
    const signed = `${head}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}`;
    const { privateKey } = this.forgesSignature ? UNKNOWN_KEY : KEY;
    const signature = createSign('sha256').update(signed).sign(privateKey, 'base64url');
    Reflect.set(Object(body), 'id_token', `${signed}.${signature}`);
  }

  /** Signs a user in as a browser would; returns the URL of the redirect. */
  async signIn(url: string, person: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let at = new URL(url);
    at.searchParams.set('login_hint', person);
    for (let hops = 0; hops < 8 && at.origin === this.#issuer; hops += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null)
        throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
      at = new URL(location, at);
    }
    return at;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Accepts the name in the request without a check; without one, returns a form for it. */
async function askWho(provider: Provider, ctx: Context): Promise<void> {
  const { params } = await provider.interactionDetails(ctx.req, ctx.res);
  const typed = ctx.method === 'POST' ? new URLSearchParams(await text(ctx.req)).get('login') : null;
  const accountId = typed ?? params.login_hint;
  if (typeof accountId === 'string') {
    const result = accountId === 'nobody' ? { error: 'access_denied' } : { login: { accountId } };
    await provider.interactionFinished(ctx.req, ctx.res, result);
    return;
  }
  ctx.type = 'html';
  ctx.body =
    '<!doctype html><title>Faculty ID</title><link rel="icon" href="data:,"><form method="post"><label>Who are you? <input name="login"></label><button>Continue</button></form>';
}
