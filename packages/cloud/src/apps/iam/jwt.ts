// JSON Web Tokens of one trusted issuer: signature, issuer, audience and time are checked before a claim is read (RFC 8725, RFC 9068).
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { Problem } from '../../core/problem.ts';

export interface JwtOptions {
  readonly issuer: string;
  /** a token for another audience is refused */
  readonly audience: string | readonly string[];
  /** the keys, or where they are published */
  readonly jwks: JSONWebKeySet | URL;
  /** the claim that names the organization, default `owner` */
  readonly orgClaim?: string;
  /** the claim that names the user, default `sub`: a user's id, or their name in the organization */
  readonly userClaim?: string;
}

export interface JwtClaims {
  readonly org: string;
  readonly user: string;
  /** Unix seconds */
  readonly expires: number;
  /** `jti`, or the issuer's name for the subject: how records name this credential */
  readonly id: string;
}

/** Signatures that prove something: no `none`, and nothing whose key the verifier shares. */
const ALGORITHMS = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
];

export function looksLikeJwt(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

/** Answers what a token says, or rejects with Problem 401 (503 where the issuer's keys cannot be had). */
export function createJwtVerifier(options: JwtOptions, now: () => number): (token: string) => Promise<JwtClaims> {
  const { orgClaim = 'owner', userClaim = 'sub' } = options;
  const keys: JWTVerifyGetKey =
    options.jwks instanceof URL ? createRemoteJWKSet(options.jwks) : createLocalJWKSet(options.jwks);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: options.issuer,
        audience: typeof options.audience === 'string' ? options.audience : [...options.audience],
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', userClaim, orgClaim],
        clockTolerance: 30,
        currentDate: new Date(now()),
      });
      const org = payload[orgClaim];
      const user = payload[userClaim];
      if (typeof org !== 'string' || typeof user !== 'string') throw refused('it names no organization or no user');
      return { org: org.trim(), user, expires: payload.exp ?? 0, id: payload.jti ?? `jwt:${user}` };
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw asRefusal(error);
    }
  };
}

function asRefusal(error: unknown): Problem {
  if (error instanceof errors.JWTExpired) return refused('it has expired', 'expired_credential');
  if (error instanceof errors.JWTClaimValidationFailed) return refused(`its '${error.claim}' is not right`);
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed)
    return refused('its signature is not of the issuer');
  if (error instanceof errors.JOSEAlgNotAllowed) return refused('its algorithm is not allowed');
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid) return refused('it cannot be read');
  return new Problem(503, "The token cannot be checked: its issuer's keys cannot be had.", {
    code: 'issuer_unavailable',
    cause: error,
  });
}

function refused(why: string, code = 'invalid_credential'): Problem {
  return new Problem(401, `The token is refused: ${why}.`, { code });
}
