import {
  parseForm,
  type ReceivedRequest,
  type RecordingServer,
  type ScriptedResponse,
} from './recording-server.ts'
import { readingTool, scriptMcpServer } from './scripted-mcp.ts'

type Body = Record<string, unknown>

/** What an MCP server with a sign-in does differently than the specification says. */
export interface OddServer {
  /** changes to its documents; a response replaces one */
  resource?: (body: Body) => void
  metadata?: (body: Body, origin: string) => void
  /** instead of RFC 8414 metadata; the OpenID configuration stays */
  instead?: ScriptedResponse
  register?: (asked: Body) => ScriptedResponse | Body
  /** the error that its sign-in page sends back, if any */
  authorize?: (query: Record<string, string>) => string | undefined
  token?: (form: Record<string, string>) => ScriptedResponse | undefined
}

const isResponse = (one: object): one is ScriptedResponse => 'status' in one

/** Makes a recording server respond as an MCP server with its own authorization server, but for what is odd about it. It records, and checks nothing. */
export function scriptOddServer(servers: RecordingServer, name: string, odd: OddServer): void {
  const origin = servers.url
  const [url, issuer] = [`${origin}/${name}/mcp`, `${origin}/${name}`]
  scriptMcpServer(servers, `/${name}/mcp`, {
    tools: [readingTool],
    admits: ({ authorization }) => authorization === 'Bearer access-1',
  })
  const resource: Body = { resource: url, authorization_servers: [issuer], scopes_supported: ['read'] }
  odd.resource?.(resource)
  servers.script(`GET /.well-known/oauth-protected-resource/${name}/mcp`, { body: resource })
  const metadata: Body = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['read'],
  }
  odd.metadata?.(metadata, origin)
  servers.script(`GET /.well-known/oauth-authorization-server/${name}`, odd.instead ?? { body: metadata })
  servers.script(`GET /.well-known/openid-configuration/${name}`, { body: metadata })
  let registered = 0
  servers.script(`POST /${name}/register`, ({ body }: ReceivedRequest) => {
    const asked = JSON.parse(body) as Body
    registered += 1
    const client = { ...asked, client_id: `client-${registered}` }
    const answer = odd.register?.(asked) ?? client
    return isResponse(answer) ? answer : { status: 201, body: { ...client, ...answer } }
  })
  servers.script(`POST /${name}/token`, (request: ReceivedRequest) => {
    const tokens = { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3_600 }
    return odd.token?.(parseForm(request)) ?? { body: tokens }
  })
}
