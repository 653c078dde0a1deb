import { sayReconnect } from './sentences/reconnect.ts'
import type { Sentence } from './sentences/sentence.ts'

/** Why the user has to connect an integration again although its credential is still valid, or what the credential lacks. */
export interface ReconnectReason {
  /**
   * `moved`: the catalogue names a server at another origin. `key_headers`: the same server now expects its key in a different header.
   * `no_address`: the connection was made before addresses were stored, so nobody knows which server was connected.
   * `key_rejected`: the server of a custom tool does not accept its key; the user enters another one.
   * `scopes`: a call needs permissions that were not granted (OAuth's `insufficient_scope`).
   */
  kind: 'moved' | 'key_headers' | 'no_address' | 'key_rejected' | 'scopes'
  /** host of the server in the catalogue; with `scopes` and `key_rejected`, of the connected server */
  host: string
  /** missing scopes as the server names them, without hidden characters; only with `scopes` */
  scopes?: string[] | undefined
}

/**
 * Says what happened and what to do next.
 * @param name of the integration
 */
export const describeReconnectReason = (
  name: string,
  { kind, host, scopes = [] }: ReconnectReason,
): Sentence =>
  kind === 'scopes' && scopes.length > 0
    ? sayReconnect('reconnect.named_scopes', { name, scopes: scopes.join(', ') })
    : sayReconnect(`reconnect.${kind}`, { name, host })
