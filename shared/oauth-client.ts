/** Where providers send people back to (DEC-088). */
export const oauthCallbackPath = '/oauth/callback'
/** Where authorization servers read who the product is: its Client ID Metadata Document. Its address is the Client ID. */
export const clientDocumentPath = '/oauth-client.json'

/** What the product says of itself, to servers that register clients (RFC 7591) and to those that read a document instead. */
export function oauthClientMetadata({ origin, name }: { origin: string; name: string }) {
  return {
    client_name: name,
    client_uri: origin,
    redirect_uris: [`${origin}${oauthCallbackPath}`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web' as const,
  }
}

export function clientDocument(site: { origin: string; name: string }) {
  return { client_id: `${site.origin}${clientDocumentPath}`, ...oauthClientMetadata(site) }
}
