const faults = ['html', 'error-500', 'empty', 'no-token'] as const

/** How the double behaves towards one app. The client id selects it, because it is the only value that a user types. */
export interface Behaviour {
  /** lifetime of access tokens in seconds; null: the response has no `expires_in` */
  expiresIn: number | null
  /** `expires_in` is sent as a string */
  hasTextExpiry: boolean
  refreshTokens: 'rotating' | 'static' | 'none'
  /** what the token endpoint returns instead of tokens */
  fault: (typeof faults)[number] | undefined
  /** refreshes are refused as if the user had revoked the grant */
  isRevoked: boolean
  /** the callback names another issuer */
  hasWrongIssuer: boolean
}

/**
 * Words after `+` change the behaviour: `demo+expires=2`, `demo+no-expiry`, `demo+text-expiry`, `demo+static`, `demo+no-refresh`,
 * `demo+html`, `demo+error-500`, `demo+empty`, `demo+no-token`, `demo+revoked`, `demo+wrong-issuer`. Any other
 * client id is an app that works.
 */
export function parseBehaviour(clientId: string): Behaviour {
  const [, ...words] = clientId.split('+')
  const expires = words.find((word) => word.startsWith('expires='))?.slice('expires='.length)
  return {
    expiresIn: words.includes('no-expiry') ? null : Number(expires ?? 3_600),
    hasTextExpiry: words.includes('text-expiry'),
    refreshTokens: words.includes('no-refresh') ? 'none' : words.includes('static') ? 'static' : 'rotating',
    fault: faults.find((fault) => words.includes(fault)),
    isRevoked: words.includes('revoked'),
    hasWrongIssuer: words.includes('wrong-issuer'),
  }
}
