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
export function describeReconnectReason(name: string, { kind, host, scopes = [] }: ReconnectReason): string {
  switch (kind) {
    case 'moved':
      return `${name} has moved to ${host}. Connect again to use it there.`
    case 'key_headers':
      return `${name} now expects its key in a different way. Connect again and enter the key.`
    case 'key_rejected':
      return `${host} does not accept the key of ${name}. Enter another one to continue.`
    case 'no_address':
      return `${name} was connected with an older version of this app. Connect again to use it at ${host}.`
    case 'scopes':
      return `${name} needs more permissions for this${scopes.length > 0 ? ` (${scopes.join(', ')})` : ''}. Connect again to grant them.`
  }
}
