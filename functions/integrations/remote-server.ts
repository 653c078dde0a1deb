import * as z from 'zod'

/** Where the tokens of a remote MCP server come from: what a sign-in under way, and then its credential, keep of the discovery. */
export const remoteServer = z.object({
  /** of the MCP server */
  url: z.string(),
  issuer: z.string(),
  /** RFC 9207: it names itself when it sends people back */
  names_itself: z.boolean(),
  token_url: z.string(),
  revoke_url: z.string().optional(),
  /** RFC 8707, as the server writes it */
  resource: z.string().optional(),
  client_auth: z.enum(['post', 'basic']),
})
export type RemoteServer = z.output<typeof remoteServer>

/** The server of a catalogue entry as it was when somebody connected it. Only this address is ever called. */
export const pinnedServer = z.object({
  url: z.string(),
  /** under which label each typed value travels there */
  fields: z.array(z.object({ name: z.string(), label: z.string() })),
})
export type PinnedServer = z.output<typeof pinnedServer>
