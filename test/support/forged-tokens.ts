import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { decodeJwt, exportSPKI, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK } from 'jose'

/** Forged tokens, and tokens signed with the pool's own key. */

/** The private key that the pool of a running stack signs with, from its data folder. */
function poolKey(dataDir: string): JWK {
  const db = new DatabaseSync(join(dataDir, 'cognito.sqlite'), { readOnly: true })
  try {
    const row = db.prepare("SELECT value FROM settings WHERE name = 'signingKeys'").get()
    return (JSON.parse(String(row?.['value'])) as { current: JWK }).current
  } finally {
    db.close()
  }
}

/** A valid token of a sign-in this long ago, signed with the pool's own key. */
export async function signOlderToken(
  dataDir: string,
  accessToken: string,
  secondsAgo: number,
): Promise<string> {
  const jwk = poolKey(dataDir)
  const claims = decodeJwt(accessToken)
  return new SignJWT({ ...claims, auth_time: Math.floor(Date.now() / 1000) - secondsAgo })
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid ?? '' })
    .sign(await importJWK(jwk, 'RS256'))
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param accessToken a valid one of the pool, whose claims the forged ones start from */
export async function forgedTokens(dataDir: string, accessToken: string) {
  const jwk = poolKey(dataDir)
  const key = (await importJWK(jwk, 'RS256')) as CryptoKey
  const claims = decodeJwt(accessToken)
  const header = { alg: 'RS256', kid: jwk.kid ?? '' }
  const sign = (changes: Record<string, unknown>, signer = key, changed: object = {}) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ ...header, ...changed }).sign(signer)

  const otherKey = (await generateKeyPair('RS256')).privateKey
  const publicKey = await importJWK({ kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '' }, 'RS256', {
    extractable: true,
  })
  const unsigned = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  const seconds = Math.floor(Date.now() / 1000)
  const [head = '', body = '', signature = ''] = accessToken.split('.')

  return {
    /** the control: signed by the pool's key, so that each of the others fails for its own reason */
    good: await sign({}),
    bad: {
      'signed by another key': await sign({}, otherKey),
      'signed by a key the pool does not know': await sign({}, otherKey, { kid: 'unknown' }),
      unsigned: `${encode({ alg: 'none' })}.${encode(claims)}.`,
      'signed with the public key as a secret': `${unsigned}.${createHmac(
        'sha256',
        await exportSPKI(publicKey as CryptoKey),
      )
        .update(unsigned)
        .digest('base64url')}`,
      'changed after signing': `${head}.${encode({ ...claims, sub: crypto.randomUUID() })}.${signature}`,
      'without its signature': `${head}.${body}.`,
      expired: await sign({ iat: seconds - 901, exp: seconds - 1 }),
      'without an expiry': await sign({ exp: undefined }),
      'of another issuer': await sign({ iss: `${String(claims.iss)}x` }),
      'of another client': await sign({ client_id: 'another' }),
      'without the scope': await sign({ scope: 'openid' }),
      'of another use': await sign({ token_use: 'id' }),
    },
  }
}
