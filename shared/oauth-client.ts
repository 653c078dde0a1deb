/*
 * Where people are sent back to. None of these addresses is below another one: some providers (GitHub, Slack) also send people to
 * addresses below the registered one.
 */

/** From providers at which the operator or the user made an app by hand. */
export const oauthCallbackPath = '/oauth/callback'
/**
 * From authorization servers that read the product's metadata document. They share it, so each has to name itself in its response (`iss`,
 * RFC 9207).
 */
export const documentCallbackPath = '/oauth/document-callback'
/** From authorization servers at which the product registers: below it, each has an address of its own. */
export const serverCallbackPath = '/oauth/server-callback'

/** Where authorization servers read who the product is: its Client ID Metadata Document. Its address is the Client ID. */
export const clientDocumentPath = '/oauth-client.json'

/** What the product says of itself, to servers that register clients (RFC 7591) and to those that read a document instead. */
export function buildOAuthClientMetadata({
  origin,
  name,
  redirectUri,
}: {
  origin: string
  name: string
  redirectUri: string
}) {
  // SEP-837 of the Model Context Protocol: one on this computer is a native application, whose redirect URI may be http
  const isLocal = origin.startsWith('http:')
  return {
    client_name: name,
    ...(!isLocal && { client_uri: origin }),
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: isLocal ? ('native' as const) : ('web' as const),
  }
}

/** Builds the Client ID Metadata Document of a site, whose address is its client id. */
export function buildClientDocument(site: { origin: string; name: string }) {
  const redirectUri = `${site.origin}${documentCallbackPath}`
  return {
    client_id: `${site.origin}${clientDocumentPath}`,
    ...buildOAuthClientMetadata({ ...site, redirectUri }),
  }
}
