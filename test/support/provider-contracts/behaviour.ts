import { type Behaviour, json, type ProviderResponse } from '../../../infra/local/doubles/providers/http.ts'

/** What the token endpoint returns instead of tokens. */
const faults: Readonly<Record<string, ProviderResponse>> = {
  html: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' },
  'error-500': json(500, { message: 'internal error' }),
  empty: { status: 200 },
  'no-token': json(200, { token_type: 'bearer' }),
}

/**
 * The client id selects how the double behaves, because every OAuth request has it. Words after `+` change the behaviour: `demo+expires=2`, `demo+no-expiry`, `demo+string-expiry`, `demo+static`, `demo+no-refresh`,
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
    fault: words.map((word) => faults[word]).find(Boolean),
    refusesRefresh: words.includes('revoked'),
    hasWrongIssuer: words.includes('wrong-issuer'),
  }
}
