/** Why a connection that its credential would still allow has to be made again. */
export interface ReconnectReason {
  /**
   * `moved`: the catalogue names a server at another origin. `key_headers`: the same server takes its key under other headers.
   * `no_address`: the connection is older than the storing of addresses, so nobody knows which server was connected.
   * `key_rejected`: the server of a custom tool does not accept its key; the user enters another one.
   * `scopes`: a call needs permissions that were not granted (OAuth's `insufficient_scope`).
   */
  kind: 'moved' | 'key_headers' | 'no_address' | 'key_rejected' | 'scopes'
  /** host of the server that the catalogue names today; of `scopes` and `key_rejected`, of the connected server */
  host: string
  /** of `scopes`: those that the server names as missing, without hidden characters */
  scopes?: string[] | undefined
}

/**
 * Says what happened and what to do next.
 * @param name of the integration
 */
export function reconnectSentence(name: string, { kind, host, scopes = [] }: ReconnectReason): string {
  switch (kind) {
    case 'moved':
      return `${name} has moved to ${host}. Connect again to use it there.`
    case 'key_headers':
      return `${name} takes its key in another way now. Connect again and enter the key.`
    case 'key_rejected':
      return `${host} does not accept the key of ${name}. Enter another one to continue.`
    case 'no_address':
      return `${name} was connected before addresses were checked. Connect again to use it at ${host}.`
    case 'scopes':
      return `${name} needs more permissions for this${scopes.length > 0 ? ` (${scopes.join(', ')})` : ''}. Connect again to grant them.`
  }
}
