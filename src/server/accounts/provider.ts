import type { Configuration } from 'openid-client';
import { type ProviderIdentity, providerIdentity } from '../../contract/sign-in-provider.ts';
import { AppError } from '../errors.ts';
import type { ProviderSettings } from '../settings.ts';

/** What has to be known again when the browser comes back. */
export interface Secrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider says that the address is not the person's for sure. */
export class Unverified extends Error {}

/** An OpenID provider that people can sign in with instead of a password kept here. */
export interface Provider {
  /** What people call it. */
  name: string;
  callbackPath: string;
  /** @throws AppError unavailable when the provider can't be reached */
  begin(): Promise<{ url: string; secrets: Secrets }>;
  /** Who has signed in there, by what the browser came back with; throws when anything about it is not right. */
  finish(returned: string, secrets: Secrets): Promise<ProviderIdentity>;
}

/** Seconds to wait for the provider. */
const TIMEOUT = 5;
const CALLBACK_PATH = '/api/provider/callback';

/** Loaded and asked for its addresses at the first sign-in: a provider that is away keeps nothing from starting. */
export function createProvider(settings: ProviderSettings, publicUrl: URL): Provider {
  const { issuer, clientId, clientSecret, name } = settings;
  const library = () => import('openid-client');
  let known: Promise<Configuration> | undefined;

  const discover = async () => {
    const { discovery, ClientSecretBasic, allowInsecureRequests } = await library();
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
    const options = { execute, timeout: TIMEOUT };
    return discovery(issuer, clientId, undefined, ClientSecretBasic(clientSecret), options);
  };
  const configuration = async () => {
    known ??= discover();
    try {
      return await known;
    } catch (error) {
      // The next one asks again.
      known = undefined;
      throw error;
    }
  };

  return {
    name,
    callbackPath: CALLBACK_PATH,
    begin: async () => {
      const client = await library();
      const config = await configuration().catch(() => {
        throw new AppError(
          'unavailable',
          `${name} can’t be reached right now. Try again in a moment, or sign in with email and password.`,
        );
      });
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: new URL(CALLBACK_PATH, publicUrl).href,
        scope: 'openid email profile',
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets };
    },
    finish: async (returned, { state, nonce, verifier }) => {
      const client = await library();
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, new URL(returned, publicUrl), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('No ID token came back.');
      // Providers may tell of the address in the token or only when asked for it.
      const about =
        claims.email === undefined
          ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims;
      if (about.email_verified !== true) throw new Unverified('The address is not verified.');
      return providerIdentity.parse({
        issuer: claims.iss,
        subject: claims.sub,
        email: about.email,
        name: about.name ?? String(about.email).split('@')[0],
      });
    },
  };
}
