import { randomBytes } from 'node:crypto'

/** As on Lambda, where a role's credentials come with a token. */
export interface LocalCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
}

const keyLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Random credentials in the format of temporary AWS credentials. The emulators accept no others. */
export function generateCredentials(): LocalCredentials {
  const letters = [...randomBytes(16)].map((byte) => keyLetters[byte % keyLetters.length])
  return {
    accessKeyId: `ASIA${letters.join('')}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
    sessionToken: randomBytes(48).toString('base64url'),
  }
}

/** The variables that the SDK reads them from. */
export const credentialVariables = ({ accessKeyId, secretAccessKey, sessionToken }: LocalCredentials) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
})
