const faults = ['html', 'error-500', 'empty', 'no-token'] as const

/** How the double behaves towards one app. The client id selects it, because every OAuth request has it. */
export interface Behaviour {
  /** lifetime of access tokens in seconds; null: the response has no `expires_in` */
  expiresIn: number | null
  /** `expires_in` is sent as a string */
  sendsExpiryAsString: boolean
  refreshTokens: 'rotating' | 'static' | 'none'
  /** what the token endpoint returns instead of tokens */
  fault: (typeof faults)[number] | undefined
  /** refreshes are refused as if the user had revoked the grant */
  refusesRefresh: boolean
  /** the callback names another issuer */
  hasWrongIssuer: boolean
}

/**
 * Words after `+` change the behaviour: `demo+expires=2`, `demo+no-expiry`, `demo+string-expiry`, `demo+static`, `demo+no-refresh`,
 * `demo+html`, `demo+error-500`, `demo+empty`, `demo+no-token`, `demo+revoked`, `demo+wrong-issuer`. Any other
 * client id is an app that works.
 */
export function parseBehaviour(clientId: string): Behaviour {
  const [, ...words] = clientId.split('+')
  const [, expires] = words.map((word) => /^expires=(\d+)$/.exec(word)).find(Boolean) ?? []
  return {
    expiresIn: words.includes('no-expiry') ? null : Number(expires ?? 3_600),
    sendsExpiryAsString: words.includes('string-expiry'),
    refreshTokens: words.includes('no-refresh') ? 'none' : words.includes('static') ? 'static' : 'rotating',
    fault: faults.find((fault) => words.includes(fault)),
    refusesRefresh: words.includes('revoked'),
    hasWrongIssuer: words.includes('wrong-issuer'),
  }
}
