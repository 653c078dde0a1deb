import { createHash, randomUUID } from 'node:crypto'
import type { GoogleProfile } from './hosted-state.ts'
import type { Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'
import { callTrigger, eventFields } from './triggers.ts'

/**
 * The pool's user for a Google account: created at the first sign-in if PreSignUp allows it; each later sign-in updates the
 * mapped attributes.
 * @throws UserLambdaValidationException when PreSignUp refuses
 */
export async function signInGoogleUser(pool: Pool, profile: GoogleProfile): Promise<PoolUser> {
  const userId = googleId(profile.email)
  const username = `google_${userId}`
  const known = pool.store.findUser(username)
  const now = Date.now()
  const user: PoolUser = {
    ...(known ?? {
      sub: randomUUID(),
      username,
      status: 'EXTERNAL_PROVIDER',
      password: { salt: '', verifier: '' },
      createdAt: now,
      mfa: { enabled: false, preferred: false },
    }),
    modifiedAt: now,
    attributes: {
      ...known?.attributes,
      email: profile.email,
      email_verified: String(profile.emailVerified),
      name: profile.name,
      identities: known?.attributes['identities'] ?? identities(userId, now),
    },
  }
  if (known) {
    pool.store.saveUser(user)
    return user
  }
  await askPreSignUp(pool, user)
  pool.store.addUser(user)
  return pool.store.findUser(username) ?? user
}

async function askPreSignUp(pool: Pool, user: PoolUser): Promise<void> {
  if (!pool.triggers.preSignUp) return
  const { email = '', name = '', email_verified = '' } = user.attributes
  await callTrigger('PreSignUp', pool.triggers.preSignUp, {
    ...eventFields(pool, user),
    triggerSource: 'PreSignUp_ExternalProvider',
    request: {
      userAttributes: {
        'cognito:email_alias': '',
        'cognito:phone_number_alias': '',
        email,
        email_verified,
        name,
      },
    },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  })
}

/** As long as Google's own ids, and derived from the address. */
const googleId = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`)
    .toString()
    .slice(-20)}`

const identities = (userId: string, dateCreated: number): string =>
  JSON.stringify([
    {
      userId,
      providerName: 'Google',
      providerType: 'Google',
      issuer: null,
      primary: 'true',
      dateCreated: String(dateCreated),
    },
  ])
