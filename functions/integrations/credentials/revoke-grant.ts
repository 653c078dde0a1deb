import * as z from 'zod'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { type OAuthClient, type TokenSet, buildClientAuthentication, parseBody } from './tokens.ts'

/** Slack reports failures with status 200, too: https://docs.slack.dev/reference/methods/auth.revoke */
const slackRevoked = z.object({ ok: z.literal(true), revoked: z.literal(true) })

/** Revokes a grant at the provider. Never throws. @returns whether the provider confirmed it */
export async function revokeGrant(
  http: Pick<OutboundHttp, 'text'>,
  authorizationServer: AuthorizationServer,
  tokens: Pick<TokenSet, 'accessToken' | 'refreshToken'>,
  client: OAuthClient,
): Promise<boolean> {
  const url = authorizationServer.revokeUrl?.replace('{client_id}', encodeURIComponent(client.clientId))
  if (!url) return false
  const { accessToken, refreshToken } = tokens
  const bearer = { authorization: `Bearer ${accessToken}` }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    if (authorizationServer.revocation === 'github') {
      const { headers } = buildClientAuthentication({ clientAuth: 'basic' }, client)
      const { status } = await http.text(url, {
        method: 'DELETE',
        redirect: 'error',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ access_token: accessToken }),
      })
      return status === 204
    }
    const { revocation } = authorizationServer
    if (revocation === 'bearer' || revocation === 'slack') {
      const { status, text } = await http.text(url, { method: 'POST', redirect: 'error', headers: bearer })
      return status === 200 && (revocation === 'bearer' || slackRevoked.safeParse(parseBody(text)).success)
    }
    const { headers, fields } = buildClientAuthentication(authorizationServer, client)
    const token = revocation === 'access-token' ? accessToken : (refreshToken ?? accessToken)
    const { status } = await http.text(url, {
      method: 'POST',
      redirect: 'error',
      headers: { ...form, ...headers },
      body: new URLSearchParams({ token, ...fields }).toString(),
    })
    return status < 300
  } catch {
    return false
  }
}
