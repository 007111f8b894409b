import type { Configuration } from 'openid-client';
import { type ProviderIdentity, providerIdentity } from '../../../contract/accounts/sign-in.ts';
import { AppError } from '../../errors.ts';
import type { ProviderSettings } from '../../settings/settings.ts';

/** Stored until the provider sends the browser back. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider has not verified the person's email. */
export class UnverifiedEmailError extends Error {}

/** An OpenID provider that people can sign in with instead of a password. */
export interface Provider {
  /** The name by which people know the single sign-on provider. */
  name: string;
  /** @throws AppError unavailable when the provider can't be reached */
  begin(): Promise<{ url: string; secrets: SignInSecrets }>;
  /**
   * Finds out who has signed in there.
   *
   * @param callbackUrl path and query that the provider sent the browser back to
   * @throws when anything in it is invalid
   */
  finish(callbackUrl: string, secrets: SignInSecrets): Promise<ProviderIdentity>;
}

/** For each answer of the provider. */
const TIMEOUT_SECONDS = 5;
const CALLBACK_PATH = '/api/provider/callback';

/** The library is loaded and the provider contacted at the first sign-in, so that the server starts without either. */
export function createProvider(settings: ProviderSettings, publicUrl: URL): Provider {
  const { issuer, clientId, clientSecret, name } = settings;
  const library = () => import('openid-client');
  let discovery: Promise<Configuration> | undefined;

  const discover = async () => {
    const client = await library();
    // By default the library trusts the TLS connection and does not check the signature of an ID token.
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
    const authentication = client.ClientSecretBasic(clientSecret);
    return client.discovery(issuer, clientId, undefined, authentication, {
      execute,
      timeout: TIMEOUT_SECONDS,
    });
  };
  const configuration = async () => {
    discovery ??= discover();
    try {
      return await discovery;
    } catch (error) {
      // The next sign-in tries again.
      discovery = undefined;
      throw error;
    }
  };

  return {
    name,
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
    finish: async (callbackUrl, { state, nonce, verifier }) => {
      const client = await library();
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, new URL(callbackUrl, publicUrl), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('No ID token came back.');
      // Some providers give the email in the token, others only at the userinfo endpoint.
      const profile =
        claims.email === undefined
          ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims;
      if (profile.email_verified !== true) throw new UnverifiedEmailError('The address is not verified.');
      return providerIdentity.parse({
        issuer: claims.iss,
        subject: claims.sub,
        email: profile.email,
        name: profile.name ?? String(profile.email).split('@')[0],
      });
    },
  };
}
